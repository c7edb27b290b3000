package com.memoryendpoints.gateway.http;

import com.github.benmanes.caffeine.cache.Ticker;
import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.audit.AuditTrail;
import com.memoryendpoints.gateway.audit.Redactor;
import com.memoryendpoints.gateway.auth.IssuedTokens;
import com.memoryendpoints.gateway.auth.Jwts;
import com.memoryendpoints.gateway.auth.Provider;
import com.memoryendpoints.gateway.auth.Tokens;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.db.Database;
import com.memoryendpoints.gateway.idempotency.InFlight;
import com.memoryendpoints.gateway.lease.LeaseSettings;
import com.memoryendpoints.gateway.lease.Leases;
import com.memoryendpoints.gateway.lease.Memories;
import com.memoryendpoints.gateway.meter.Meters;
import com.memoryendpoints.gateway.name.Names;
import com.memoryendpoints.gateway.pool.Pools;
import com.memoryendpoints.gateway.quota.Estimates;
import com.memoryendpoints.gateway.quota.Quotas;
import com.memoryendpoints.gateway.tenant.Scope;
import com.memoryendpoints.gateway.tenant.Tenants;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.pgclient.PgConnectOptions;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The whole API on a port of its own: over a database, or over one that never comes. In the second
 * case whatever gets as far as the database is answered 503, so every other answer was given before
 * it.
 */
final class LiveApi implements BeforeAllCallback, AfterAllCallback {
  static final Config.RateLimit UNLIMITED =
      new Config.RateLimit(
          Config.Rate.UNLIMITED, Config.Rate.UNLIMITED, 1, Config.Rate.UNLIMITED, List.of());
  static final String TOKEN = "a token";
  static final String OTHER = "a token of another principal";
  static final String STRANGER = "a token of another tenant";
  static final String READER = "a token without scopes but audit";

  final Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
  final Meters meters = new Meters();

  /** What is known of tenants; a test may say what was agreed. */
  final Tenants tenants = new Tenants();

  /** The clock of the rate limits, in nanoseconds; it moves when a test moves it. */
  final AtomicLong clock = new AtomicLong();

  /** What is cut when this ends. */
  final Drain drain = new Drain(20);

  private final @Nullable TestDatabase database;
  private final Config.RateLimit limits;
  private Config.@Nullable Tls tls;
  private @Nullable Shown shown;
  private final @Nullable Function<Vertx, Provider> provider;
  private ApiVerticle verticle;

  private LiveApi(@Nullable TestDatabase database, Config.RateLimit limits) {
    this(database, limits, null);
  }

  private LiveApi(
      @Nullable TestDatabase database,
      Config.RateLimit limits,
      @Nullable Function<Vertx, Provider> provider) {
    this.database = database;
    this.limits = limits;
    this.provider = provider;
  }

  /** The same with a certificate, looked at as it is at every start. */
  LiveApi with(Config.Tls certificate) {
    tls = certificate;
    return this;
  }

  static LiveApi without() {
    return new LiveApi(null, UNLIMITED);
  }

  static LiveApi over(TestDatabase database) {
    return new LiveApi(database, UNLIMITED);
  }

  /** Over a database, and with the JWTs of a provider. */
  static LiveApi trusting(TestDatabase database, Function<Vertx, Provider> provider) {
    return new LiveApi(database, UNLIMITED, provider);
  }

  /** Without a database, and with these limits. */
  static LiveApi limiting(Config.RateLimit limits) {
    return new LiveApi(null, limits);
  }

  static Throttle unlimited(Meters meters) {
    return new Throttle(UNLIMITED, new Tenants(), meters);
  }

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    shown = Shown.of(tls, meters);
    verticle = new ApiVerticle(gateway());
    await(vertx.deployVerticle(verticle));
    if (shown != null) {
      await(
          vertx.deployVerticle(
              new CertificateVerticle(shown),
              new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER)));
    }
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    await(vertx.close());
    meters.close();
  }

  private static void await(Future<?> future) throws Exception {
    future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  private Gateway gateway() throws Exception {
    Redactor redactor = new Redactor(new SecretKeySpec(new byte[32], "HmacSHA256"));
    Tokens configured =
        Tokens.of(
            List.of(
                entry(TOKEN, 7, "agent", EnumSet.allOf(Scope.class)),
                entry(OTHER, 7, "other", EnumSet.allOf(Scope.class)),
                entry(STRANGER, 8, "agent", EnumSet.allOf(Scope.class)),
                entry(READER, 7, "agent", Set.of(Scope.AUDIT))));
    Provider trusted = provider == null ? null : provider.apply(vertx);
    Promise<Void> migrated = Promise.promise();
    if (database != null) {
      migrated.complete();
    }
    return new Gateway(
        new Config.Http("127.0.0.1", 0, 1, null),
        shown,
        new Config.Log(1),
        drain,
        Names.strict(),
        new Throttle(limits, tenants, meters, clock::get),
        new InFlight(meters),
        meters,
        loop -> Database.open(loop, options(), 1, meters, migrated.future(), fatal -> {}),
        own -> tokens(configured, trusted, own),
        own -> new Quotas(own, tenants, new Estimates(), meters, System::nanoTime),
        (own, quotas) -> new Leases(own, quotas, redactor, meters, new LeaseSettings(0, false)),
        (own, quotas) -> new Memories(own, quotas, redactor, meters),
        (own, quotas) -> new Pools(own, quotas, redactor, meters, 0, false),
        AuditTrail::new);
  }

  private Tokens tokens(Tokens configured, @Nullable Provider trusted, Database own) {
    Tokens kept = configured.and(new IssuedTokens(own, tenants, Ticker.systemTicker()));
    return trusted == null
        ? kept
        : kept.and(new Jwts(trusted, own, tenants, Ticker.systemTicker()));
  }

  private PgConnectOptions options() {
    return database == null ? new PgConnectOptions() : database.options();
  }

  int port() {
    return verticle.port();
  }

  String url(String path) {
    return "http://127.0.0.1:" + verticle.port() + path;
  }

  RawHttp connect() throws Exception {
    return new RawHttp(verticle.port());
  }

  /** Asks with a token for everything and a body of JSON. */
  RawHttp.Answer ask(String method, String target, String key, String body) throws Exception {
    List<String> headers = new ArrayList<>();
    headers.add("Authorization: Bearer " + TOKEN);
    headers.add("Content-Type: application/json");
    if (key != null) {
      headers.add("Idempotency-Key: " + key);
    }
    try (RawHttp http = connect()) {
      return http.send(method, target, headers, body).answer();
    }
  }

  private static Config.Token entry(String token, long tenant, String principal, Set<Scope> scopes)
      throws Exception {
    byte[] utf8 = token.getBytes(StandardCharsets.UTF_8);
    String sha256 = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(utf8));
    return new Config.Token(sha256, new UUID(tenant, tenant), principal, scopes);
  }
}

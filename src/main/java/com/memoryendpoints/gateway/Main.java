package com.memoryendpoints.gateway;

import com.github.benmanes.caffeine.cache.Ticker;
import com.memoryendpoints.gateway.audit.AuditTrail;
import com.memoryendpoints.gateway.audit.Redactor;
import com.memoryendpoints.gateway.auth.IssuedTokens;
import com.memoryendpoints.gateway.auth.Jwts;
import com.memoryendpoints.gateway.auth.Provider;
import com.memoryendpoints.gateway.auth.Tokens;
import com.memoryendpoints.gateway.cli.Announcement;
import com.memoryendpoints.gateway.cli.CommandLineOf;
import com.memoryendpoints.gateway.cli.Ending;
import com.memoryendpoints.gateway.cli.Farewell;
import com.memoryendpoints.gateway.cli.Keys;
import com.memoryendpoints.gateway.cli.Migration;
import com.memoryendpoints.gateway.cli.Ports;
import com.memoryendpoints.gateway.cli.Started;
import com.memoryendpoints.gateway.cli.SystemOfRecord;
import com.memoryendpoints.gateway.cli.Verticles;
import com.memoryendpoints.gateway.cli.Welcome;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.db.Database;
import com.memoryendpoints.gateway.db.Session;
import com.memoryendpoints.gateway.db.SessionOptions;
import com.memoryendpoints.gateway.http.ApiVerticle;
import com.memoryendpoints.gateway.http.CertificateVerticle;
import com.memoryendpoints.gateway.http.Drain;
import com.memoryendpoints.gateway.http.Gateway;
import com.memoryendpoints.gateway.http.Health;
import com.memoryendpoints.gateway.http.ManagementVerticle;
import com.memoryendpoints.gateway.http.Shown;
import com.memoryendpoints.gateway.http.Throttle;
import com.memoryendpoints.gateway.idempotency.InFlight;
import com.memoryendpoints.gateway.lease.LeaseSettings;
import com.memoryendpoints.gateway.lease.Leases;
import com.memoryendpoints.gateway.lease.Memories;
import com.memoryendpoints.gateway.meter.Meters;
import com.memoryendpoints.gateway.name.Connectors;
import com.memoryendpoints.gateway.name.Names;
import com.memoryendpoints.gateway.name.ReportedNames;
import com.memoryendpoints.gateway.pool.Pools;
import com.memoryendpoints.gateway.quota.Estimates;
import com.memoryendpoints.gateway.quota.Quotas;
import com.memoryendpoints.gateway.reaper.ReaperOrders;
import com.memoryendpoints.gateway.reaper.ReaperVerticle;
import com.memoryendpoints.gateway.tenant.Tenants;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Objects;
import java.util.Optional;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The composition root: reads the configuration, opens the database, deploys the verticles, stops
 * all of it in reverse.
 */
public final class Main {
  private static final Logger LOG = LoggerFactory.getLogger(Main.class);

  private Main() {}

  /** Does what the arguments say and exits with its code. */
  public static void main(String[] arguments) {
    ParentWatch.start();
    System.exit(CommandLineOf.run(arguments, System.getenv(), Main::serve));
  }

  /** Serves until a signal ends the process, or until something happens that nothing heals. */
  private static int serve(Config given) throws InterruptedException {
    Started started = new Started();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  started.close();
                  Farewell.closeLog();
                },
                "stop"));
    try {
      Ending ending = new Ending();
      Farewell farewell = started.start("the log", () -> new Farewell(ending));
      Config listening = Ports.choose(given);
      Shown.check(listening.http().tls());
      Provider.check(listening.auth().jwt());
      start(started, ending, farewell, listening);
      throw ending.await();
    } finally {
      started.close();
    }
  }

  private static void start(Started started, Ending ending, Farewell farewell, Config listening) {
    SystemOfRecord system = started.start("the database", () -> SystemOfRecord.open(listening));
    Config keyed = Keys.withAuditKey(system.config());
    if (!system.isEmbedded()) {
      deploy(started, ending, farewell, keyed, () -> LOG.info("The gateway is ready."));
      return;
    }
    String token = Keys.developmentToken(keyed);
    Config config = Keys.withDevelopmentToken(keyed, token);
    // Not before it is ready: the line that it prints must work as pasted.
    deploy(started, ending, farewell, config, () -> Welcome.print(System.out, config, token));
  }

  /** Ports open whether the database is there or not; the schema follows when it is. */
  private static void deploy(
      Started started, Ending ending, Farewell farewell, Config config, Runnable whenReady) {
    int eventLoops = eventLoops(config);
    Meters meters = started.start("the meters", Meters::new);
    // One for the reaper and one for management, so that neither a scrape nor a hash delays a
    // claim.
    Verticles verticles = Verticles.on(started, eventLoops + 2, config.shutdown().graceSeconds());
    Vertx vertx = verticles.vertx();
    Future<Integer> migrated = Migration.begin(vertx, config.database()).onFailure(ending::because);
    Health health = new Health(migrated);
    verticles.deploy(
        "The management port",
        1,
        () -> new ManagementVerticle(config.management(), health, meters));
    verticles.deploy("The reaper", 1, () -> reaper(config, meters, migrated, ending));
    Drain drain = new Drain(config.shutdown().graceSeconds());
    Shown shown = Shown.of(config.http().tls(), meters);
    Optional<Provider> provider = provider(vertx, config.auth(), meters);
    Gateway gateway = gateway(config, shown, drain, meters, health, migrated, ending, provider);
    verticles.deploy("The API", eventLoops, () -> new ApiVerticle(gateway));
    if (shown != null) {
      verticles.deployApart("The certificate", () -> new CertificateVerticle(shown));
    }
    provider
        .flatMap(Provider::fetching)
        .ifPresent(fetching -> verticles.deploy("The keys of JWTs", 1, () -> fetching));
    started.start(
        "readiness",
        () ->
            () ->
                farewell.begin(
                    config.shutdown(), health, meters.requestsInFlight(), drain, verticles));
    health.started();
    Announcement.make(config, eventLoops);
    health.onceReady(vertx, whenReady);
  }

  private static Gateway gateway(
      Config config,
      @Nullable Shown shown,
      Drain drain,
      Meters meters,
      Health health,
      Future<Integer> migrated,
      Ending ending,
      Optional<Provider> provider) {
    Config.Database database = config.database();
    SecretKey auditKey = Objects.requireNonNull(config.audit().key());
    Tokens configured = Tokens.of(config.auth().tokens());
    Tenants tenants = new Tenants();
    Estimates estimates = new Estimates();
    LeaseSettings settings =
        new LeaseSettings(config.fencing().epochBase(), config.audit().renewals());
    return new Gateway(
        config.http(),
        shown,
        config.log(),
        drain,
        names(config.names(), meters),
        new Throttle(config.rateLimit(), tenants, meters),
        new InFlight(meters),
        meters,
        vertx ->
            health.watch(
                vertx,
                Database.open(
                    vertx,
                    SessionOptions.of(database),
                    database.connectionsPerEventLoop(),
                    meters,
                    migrated,
                    ending::because)),
        own -> tokens(configured, provider, own, tenants),
        own -> new Quotas(own, tenants, estimates, meters, System::nanoTime),
        (own, quotas) -> new Leases(own, quotas, new Redactor(auditKey), meters, settings),
        (own, quotas) -> new Memories(own, quotas, new Redactor(auditKey), meters),
        (own, quotas) ->
            new Pools(
                own,
                quotas,
                new Redactor(auditKey),
                meters,
                settings.epochBase(),
                settings.renewalsAudited()),
        AuditTrail::new);
  }

  private static Tokens tokens(
      Tokens configured, Optional<Provider> provider, Database own, Tenants tenants) {
    Ticker ticker = Ticker.systemTicker();
    Tokens kept = configured.and(new IssuedTokens(own, tenants, ticker));
    return provider.map(known -> kept.and(new Jwts(known, own, tenants, ticker))).orElse(kept);
  }

  private static Optional<Provider> provider(Vertx vertx, Config.Auth auth, Meters meters) {
    return Optional.ofNullable(auth.jwt())
        .map(terms -> Provider.of(vertx, terms, Ticker.systemTicker(), meters.jwks()));
  }

  private static Names names(Config.Names config, Meters meters) {
    if (!config.enforced()) {
      LOG.warn("names.enforcement is report: names that break the rules can be claimed.");
    }
    return new Names(
        Connectors.of(config.connectors()),
        config.enforced() ? null : new ReportedNames(meters::nameReported));
  }

  private static ReaperVerticle reaper(
      Config config, Meters meters, Future<Integer> migrated, Ending ending) {
    return new ReaperVerticle(
        own -> new Session(own, SessionOptions.of(config.database()), meters, ending::because),
        reaperOrders(config),
        meters,
        migrated);
  }

  private static ReaperOrders reaperOrders(Config config) {
    return new ReaperOrders(
        Objects.requireNonNull(config.audit().key()),
        config.audit().retentionDays(),
        config.fencing().epochBase());
  }

  private static int eventLoops(Config config) {
    int configured = config.http().eventLoops();
    return configured == 0 ? Runtime.getRuntime().availableProcessors() : configured;
  }
}

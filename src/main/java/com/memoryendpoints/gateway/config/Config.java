package com.memoryendpoints.gateway.config;

import com.memoryendpoints.gateway.tenant.Scope;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/** What the operator set, frozen. {@code conf/gateway.conf} describes every key. */
public record Config(
    Http http,
    Management management,
    Database database,
    Audit audit,
    Auth auth,
    RateLimit rateLimit,
    Names names,
    Fencing fencing,
    Log log,
    Shutdown shutdown,
    Directories directories) {

  /**
   * Reads the three layers: the defaults in the jar, then the file, then the environment.
   *
   * @param file HOCON or JSON, or null for none
   * @param environment all environment variables; those that begin with {@code GATEWAY_} are ours
   * @throws InvalidConfig with every fault of every layer
   */
  public static Config load(@Nullable Path file, Map<String, String> environment) {
    return Binding.bind(file, environment);
  }

  /**
   * The same three layers as one tree in JSON, every key in it, for people to look at: what is
   * secret is masked.
   *
   * @throws InvalidConfig as {@link #load} does
   */
  public static String shown(@Nullable Path file, Map<String, String> environment) {
    return Masked.render(new Layers(environment).merge(file), Binding.bind(file, environment));
  }

  /**
   * Where the API listens.
   *
   * @param port 0 for one that the system chooses
   * @param eventLoops 0 for one per core
   * @param tls absent for plain HTTP
   */
  public record Http(String host, int port, int eventLoops, @Nullable Tls tls) {}

  /**
   * The certificate that the API shows, and whom it asks for one. The files are there; what is in
   * them shows when they are loaded.
   *
   * @param certificate PEM, the server's first; present exactly when {@code keystore} is not
   * @param privateKey PEM, present exactly when {@code certificate} is
   * @param keystore PKCS#12, certificate and key in one
   * @param keystorePassword present exactly when {@code keystore} is
   * @param clientCa PEM, present exactly when {@code clientAuth} asks
   * @param reloadSeconds how often the files are looked at, 1 to {@link
   *     Limits#TLS_RELOAD_SECONDS_MAX}
   */
  public record Tls(
      @Nullable Path certificate,
      @Nullable Path privateKey,
      @Nullable Path keystore,
      @Nullable String keystorePassword,
      ClientAuth clientAuth,
      @Nullable Path clientCa,
      int reloadSeconds) {

    /** The files, never the password. */
    @Override
    public String toString() {
      return "Tls[" + (keystore == null ? certificate : keystore) + ", " + clientAuth + "]";
    }
  }

  /**
   * Where health and metrics are served.
   *
   * @param port 0 for one that the system chooses
   */
  public record Management(String host, int port) {}

  /**
   * The system of record.
   *
   * @param uri absent for the embedded database, until that has started
   * @param sslRootCert present exactly when {@code sslMode} verifies
   * @param connectionsPerEventLoop 1 to {@link Limits#CONNECTIONS_PER_EVENT_LOOP_MAX}
   * @param embeddedPort 0 for a free one; of no meaning with a uri
   */
  public record Database(
      @Nullable DatabaseUri uri,
      SslMode sslMode,
      @Nullable Path sslRootCert,
      int connectionsPerEventLoop,
      int embeddedPort) {

    /** The same, at the embedded database that has started. */
    public Database at(DatabaseUri embedded) {
      return new Database(embedded, SslMode.DISABLE, null, connectionsPerEventLoop, embeddedPort);
    }
  }

  /**
   * The audit trail.
   *
   * @param key absent for one that is generated and kept in the state directory
   * @param renewals whether renewals are events
   * @param retentionDays 1 to {@link Limits#AUDIT_RETENTION_DAYS_MAX}
   */
  public record Audit(@Nullable SecretKey key, boolean renewals, int retentionDays) {}

  /**
   * Who may call.
   *
   * @param tokens no two with one digest
   * @param jwt absent where no token of an identity provider is good
   */
  public record Auth(List<Token> tokens, @Nullable Jwt jwt) {
    /** Keeps its own copy. */
    public Auth {
      tokens = List.copyOf(tokens);
    }
  }

  /**
   * Which tokens of an identity provider are good, and what they say.
   *
   * @param jwks the file with its keys; present exactly when {@code jwksUrl} is absent
   * @param jwksUrl where it publishes them, by https
   * @param jwksCa who vouches for that server; absent for Java's own authorities
   * @param algorithms at least one
   * @param leewaySeconds 0 to {@link Limits#JWT_LEEWAY_SECONDS_MAX}
   * @param scopePrefix what stands before a scope of this gateway; may be empty
   */
  public record Jwt(
      @Nullable Path jwks,
      @Nullable URI jwksUrl,
      @Nullable Path jwksCa,
      String issuer,
      String audience,
      Set<JwtAlgorithm> algorithms,
      int leewaySeconds,
      String tenantClaim,
      String principalClaim,
      String scopesClaim,
      String scopePrefix) {
    /** Keeps its own copy. */
    public Jwt {
      algorithms = Set.copyOf(algorithms);
    }
  }

  /**
   * One bearer token, known by its digest only.
   *
   * @param sha256 64 lower-case hex digits
   * @param principal 1 to {@link Limits#OWNER_CODE_POINTS_MAX} code points, none of control
   * @param scopes at least one
   */
  public record Token(String sha256, UUID tenantId, String principal, Set<Scope> scopes) {
    /** Keeps its own copy. */
    public Token {
      scopes = Set.copyOf(scopes);
    }
  }

  /**
   * How much may be asked of this process.
   *
   * @param principal by each principal of a tenant
   * @param tenant by all principals of a tenant together
   * @param upkeepFactor how many renewals and releases may come for each request, 1 to {@link
   *     Limits#RATE_LIMIT_UPKEEP_FACTOR_MAX}
   * @param address from each address, before it shows a token
   * @param trustedProxies whose {@code X-Forwarded-For} is believed
   */
  public record RateLimit(
      Rate principal, Rate tenant, int upkeepFactor, Rate address, List<Subnet> trustedProxies) {
    /** Keeps its own copy. */
    public RateLimit {
      trustedProxies = List.copyOf(trustedProxies);
    }
  }

  /**
   * How fast a bucket of tokens fills, and how much it holds.
   *
   * @param perSecond 0 for no limit
   * @param burst at least 1 where there is a limit
   */
  public record Rate(int perSecond, int burst) {
    /** No limit. */
    public static final Rate UNLIMITED = new Rate(0, 0);

    /**
     * What holds instead where something else was agreed; more than is allowed is as much as is.
     *
     * @param otherPerSecond null where nothing was
     * @param otherBurst the same; 0 for as many as a second allows
     */
    public Rate agreed(@Nullable Long otherPerSecond, @Nullable Long otherBurst) {
      long fills = otherPerSecond == null ? perSecond : bounded(otherPerSecond);
      long usual = otherPerSecond == null && otherBurst == null ? burst : fills;
      long holds = otherBurst == null || otherBurst == 0 ? usual : bounded(otherBurst);
      return fills == 0 ? UNLIMITED : new Rate((int) fills, (int) holds);
    }

    private static long bounded(long asked) {
      return Math.min(asked, Limits.RATE_LIMIT_REQUESTS_MAX);
    }

    /** So many times as much; the product must be an int. */
    public Rate times(int factor) {
      return new Rate(Math.multiplyExact(perSecond, factor), Math.multiplyExact(burst, factor));
    }
  }

  /**
   * Which display names may be claimed.
   *
   * @param connectors which of {@code -} and {@code _} may stand between letters and digits
   * @param enforced false to count and log what the rules would refuse
   */
  public record Names(String connectors, boolean enforced) {}

  /**
   * The configured part of every fencing token.
   *
   * @param epochBase 0 to {@link Limits#FENCING_EPOCH_BASE_MAX}
   */
  public record Fencing(int epochBase) {}

  /**
   * What is logged.
   *
   * @param sampledOneIn of answers that come all the time, one in so many has a line; 0 for none, 1
   *     for all, up to {@link Limits#LOG_SAMPLED_ONE_IN_MAX}
   */
  public record Log(int sampledOneIn) {}

  /**
   * How the process ends when it is told to.
   *
   * @param delaySeconds from then on it is not ready and serves as before, 0 to {@link
   *     Limits#SHUTDOWN_DELAY_SECONDS_MAX}
   * @param graceSeconds after that, at most so long for what is open, 1 to {@link
   *     Limits#SHUTDOWN_GRACE_SECONDS_MAX}
   */
  public record Shutdown(int delaySeconds, int graceSeconds) {}

  /**
   * Where files are kept that outlive the process.
   *
   * @param state the embedded database and what belongs to it, the generated audit key
   * @param programs where the embedded database's programs are unpacked, for every state directory
   */
  public record Directories(Path state, Path programs) {}

  /** The same with the ports that the system chose where it was left to it. */
  public Config listeningOn(int httpPort, int managementPort) {
    return with(
        new Http(http.host, httpPort, http.eventLoops, http.tls),
        new Management(management.host, managementPort),
        database,
        audit,
        auth);
  }

  /** The same with the embedded database that has started as the system of record. */
  public Config at(DatabaseUri embedded) {
    return with(http, management, database.at(embedded), audit, auth);
  }

  /** The same with one more token that may call. */
  public Config with(Token token) {
    Auth more = new Auth(Stream.concat(auth.tokens.stream(), Stream.of(token)).toList(), auth.jwt);
    return with(http, management, database, audit, more);
  }

  /** The same with the audit key that was generated. */
  public Config with(SecretKey auditKey) {
    Audit keyed = new Audit(auditKey, audit.renewals, audit.retentionDays);
    return with(http, management, database, keyed, auth);
  }

  /** Everything else is as the operator set it. */
  private Config with(
      Http listening, Management managed, Database opened, Audit keyed, Auth calling) {
    return new Config(
        listening,
        managed,
        opened,
        keyed,
        calling,
        rateLimit,
        names,
        fencing,
        log,
        shutdown,
        directories);
  }
}

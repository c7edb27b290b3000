package com.memoryendpoints.gateway.config;

import com.memoryendpoints.gateway.tenant.Scope;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Binds the merged tree to the records of {@link Config}, once, with all faults at once. */
final class Binding {
  private static final UUID NO_TENANT = new UUID(0, 0);

  private final Settings root;
  private final StateHome home;

  private Binding(Settings root, StateHome home) {
    this.root = root;
    this.home = home;
  }

  static Config bind(@Nullable Path file, Map<String, String> environment) {
    Layers layers = new Layers(environment);
    List<String> faults = new ArrayList<>();
    Settings root = new Settings(layers.merge(file), "", faults);
    StateHome home = StateHome.of(environment, System.getProperty("user.home", ""));
    Config config = new Binding(root, home).config();
    faults.addAll(layers.faults());
    if (!faults.isEmpty()) {
      throw new InvalidConfig(faults);
    }
    return config;
  }

  private Config config() {
    Settings database = root.section("database");
    Path state = stateDirectory(database);
    Config.Tls tls = Transport.tls(root.section("tls"), home);
    Config.Http http = http(root.section("http"), tls);
    Config config =
        new Config(
            http,
            management(root.section("management"), http),
            database(database),
            audit(root.section("audit")),
            auth(root.section("auth"), root.section("jwt")),
            rateLimit(root.section("rate_limit")),
            names(root.section("names")),
            fencing(root.section("fencing")),
            log(root.section("log")),
            shutdown(root.section("shutdown")),
            new Config.Directories(state, home.programs(state)));
    database.refuseUnknown();
    root.refuseUnknown();
    return config;
  }

  private static Config.Http http(Settings section, Config.@Nullable Tls tls) {
    Config.Http http =
        new Config.Http(
            section.required("host", "", Readings::host),
            section.integer("port", 0, Limits.PORT_MAX),
            section.integer("event_loops", 0, Limits.EVENT_LOOPS_MAX),
            tls);
    Transport.requireProtection(section, http);
    section.refuseUnknown();
    return http;
  }

  private Config.Management management(Settings section, Config.Http http) {
    Config.Management management =
        new Config.Management(
            section.required("host", "", Readings::host),
            section.integer("port", 0, Limits.PORT_MAX));
    if (management.port() != 0
        && management.port() == http.port()
        && management.host().equals(http.host())) {
      section.fault("port", "is http.port too; the two need different ports, or 0");
    }
    section.refuseUnknown();
    return management;
  }

  private Config.Database database(Settings section) {
    DatabaseUri uri = section.optional("uri", DatabaseUri::parse);
    SslMode mode = section.required("ssl_mode", SslMode.PREFER, Readings::sslMode);
    Path rootCert = section.optional("ssl_root_cert", text -> Readings.readableFile(text, home));
    if (mode.verifies() && !section.has("ssl_root_cert")) {
      section.fault("ssl_root_cert", "is missing; ssl_mode " + mode.text() + " needs it");
    }
    if (!mode.verifies() && rootCert != null) {
      section.fault(
          "ssl_root_cert",
          "is set, but ssl_mode "
              + mode.text()
              + " checks no certificate; set verify-ca or verify-full");
    }
    return new Config.Database(
        uri,
        mode,
        rootCert,
        section.integer("connections_per_event_loop", 1, Limits.CONNECTIONS_PER_EVENT_LOOP_MAX),
        section.integer("embedded_port", 0, Limits.PORT_MAX));
  }

  /** With a uri the embedded directory is ignored, so that it cannot name the state directory. */
  private Path stateDirectory(Settings database) {
    Path embedded = database.optional("embedded_data_dir", text -> Readings.path(text, home));
    boolean external = database.has("uri");
    if (!external && database.has("embedded_data_dir")) {
      return embedded == null ? Path.of("") : embedded;
    }
    Path directory = home.directory();
    if (directory == null) {
      database.fault(
          "embedded_data_dir",
          "has no default, because neither HOME nor the user database names a home directory;"
              + " set it, or set HOME");
      return Path.of("");
    }
    return external ? directory : directory.resolve("embedded");
  }

  private static Config.Audit audit(Settings section) {
    Config.Audit audit =
        new Config.Audit(
            section.optional("key", Readings::auditKey),
            section.required("renewals", false, Readings::flag),
            section.integer("retention_days", 1, Limits.AUDIT_RETENTION_DAYS_MAX));
    section.refuseUnknown();
    return audit;
  }

  private Config.Auth auth(Settings section, Settings jwt) {
    List<Config.Token> tokens = new ArrayList<>();
    Set<String> digests = new HashSet<>();
    for (Settings element : section.list("tokens")) {
      Config.Token token = token(element);
      if (!token.sha256().isEmpty() && !digests.add(token.sha256())) {
        element.fault("sha256", "is an earlier token's too; each token can have one entry");
      }
      tokens.add(token);
    }
    if (tokens.size() > Limits.CONFIGURED_TOKENS_MAX) {
      section.fault("tokens", "has more than " + Limits.CONFIGURED_TOKENS_MAX + " elements");
    }
    section.refuseUnknown();
    return new Config.Auth(tokens, new JwtBinding(jwt, home).jwt());
  }

  private static Config.Token token(Settings element) {
    Config.Token token =
        new Config.Token(
            element.required("sha256", "", Readings::sha256),
            element.required("tenant_id", NO_TENANT, Readings::uuid),
            element.required("principal", "", Readings::principal),
            scopes(element));
    element.refuseUnknown();
    return token;
  }

  private static Set<Scope> scopes(Settings element) {
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    List<String> names = element.texts("scopes");
    for (String name : names) {
      Scope.of(name)
          .ifPresentOrElse(scopes::add, () -> element.fault("scopes", Readings.noScope(name)));
    }
    if (names.isEmpty() && element.has("scopes")) {
      element.fault("scopes", "must be a list of at least one scope");
    }
    return scopes;
  }

  private static Config.RateLimit rateLimit(Settings section) {
    Config.RateLimit rateLimit =
        new Config.RateLimit(
            rate(section, ""),
            rate(section, "tenant_"),
            section.integer("upkeep_factor", 1, Limits.RATE_LIMIT_UPKEEP_FACTOR_MAX),
            rate(section, "address_"),
            section.each("trusted_proxies", Subnet::parse));
    section.refuseUnknown();
    return rateLimit;
  }

  private static Config.Rate rate(Settings section, String whose) {
    int most = Limits.RATE_LIMIT_REQUESTS_MAX;
    int perSecond = section.integer(whose + "requests_per_second", 0, most);
    int burst = section.integer(whose + "burst", 0, most);
    return perSecond == 0
        ? Config.Rate.UNLIMITED
        : new Config.Rate(perSecond, burst == 0 ? perSecond : burst);
  }

  private static Config.Names names(Settings section) {
    Config.Names names =
        new Config.Names(
            section.required("connectors", "", Readings::connectors),
            section.required("enforcement", true, Readings::enforced));
    section.refuseUnknown();
    return names;
  }

  private static Config.Log log(Settings section) {
    int oneIn = section.integer("sampled_one_in", 0, Limits.LOG_SAMPLED_ONE_IN_MAX);
    section.refuseUnknown();
    return new Config.Log(oneIn);
  }

  private static Config.Shutdown shutdown(Settings section) {
    Config.Shutdown shutdown =
        new Config.Shutdown(
            section.integer("delay_seconds", 0, Limits.SHUTDOWN_DELAY_SECONDS_MAX),
            section.integer("grace_seconds", 1, Limits.SHUTDOWN_GRACE_SECONDS_MAX));
    section.refuseUnknown();
    return shutdown;
  }

  private static Config.Fencing fencing(Settings section) {
    int base = section.integer("epoch_base", 0, Limits.FENCING_EPOCH_BASE_MAX);
    section.refuseUnknown();
    return new Config.Fencing(base);
  }
}

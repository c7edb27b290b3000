package com.memoryendpoints.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.memoryendpoints.gateway.tenant.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What operators set: three layers, bound once, every fault at once. */
class ConfigTest {
  private static final String DIGEST = "0123456789abcdef".repeat(4);
  private static final String TENANT = "0198c0de-0000-7000-8000-000000000001";
  private static final String KEY = Base64.getEncoder().encodeToString(new byte[32]);

  @TempDir private Path directory;

  @Test
  void withNothingSetTheDocumentedDefaultsHold() {
    Config config = load(null);

    assertThat(config.http()).isEqualTo(new Config.Http("127.0.0.1", 8080, 0, null));
    assertThat(config.management()).isEqualTo(new Config.Management("127.0.0.1", 9090));
    assertThat(config.database()).isEqualTo(new Config.Database(null, SslMode.PREFER, null, 3, 0));
    assertThat(config.audit()).isEqualTo(new Config.Audit(null, false, 30));
    assertThat(config.auth().tokens()).isEmpty();
    assertThat(config.rateLimit())
        .isEqualTo(
            new Config.RateLimit(
                Config.Rate.UNLIMITED,
                Config.Rate.UNLIMITED,
                10,
                Config.Rate.UNLIMITED,
                List.of()));
    assertThat(config.names()).isEqualTo(new Config.Names("", true));
    assertThat(config.fencing()).isEqualTo(new Config.Fencing(0));
    assertThat(config.log()).isEqualTo(new Config.Log(100));
    assertThat(config.shutdown()).isEqualTo(new Config.Shutdown(0, 20));
    assertThat(config.directories().state())
        .isEqualTo(Path.of("/srv/test/.lease-gateway/embedded"));
  }

  @Test
  void theDocumentedFileGivenAsTheFileChangesNothing() {
    assertThat(load(Path.of("conf/gateway.conf"))).isEqualTo(load(null));
  }

  @Test
  void everyKeyIsDocumentedWithItsVariableAndTheEnvironmentLayerListsTheSame() throws IOException {
    List<String> keys = new ArrayList<>();
    List<String> overrides = new ArrayList<>();
    String section = "";
    for (String line : Files.readAllLines(Path.of("conf/gateway.conf"))) {
      Matcher opening = Pattern.compile("(\\w+) \\{").matcher(line);
      Matcher setting = Pattern.compile("  (\\w+) = (.*)").matcher(line);
      if (opening.matches()) {
        section = opening.group(1);
      } else if (setting.matches()) {
        String key = section + "." + setting.group(1);
        boolean override = setting.group(2).startsWith("${?");
        (override ? overrides : keys).add(override ? key + " = " + setting.group(2) : key);
      }
    }

    assertThat(overrides)
        .isEqualTo(
            keys.stream()
                .map(key -> key + " = ${?GATEWAY_" + key.replace('.', '_').toUpperCase(Locale.ROOT))
                .map(override -> override + "}")
                .toList());
    assertThat(Files.readAllLines(Path.of("src/main/resources" + Layers.ENVIRONMENT)))
        .filteredOn(line -> !line.startsWith("#"))
        .isEqualTo(overrides);
  }

  @Test
  void theFileWinsOverTheDefaultsAndTheEnvironmentOverBoth() throws IOException {
    Path file = file("http { port = 1001, host = \"127.0.0.2\" }\nmanagement.port = 1002");

    Config config = load(file, "GATEWAY_HTTP_PORT", "1003");

    assertThat(config.http()).isEqualTo(new Config.Http("127.0.0.2", 1003, 0, null));
    assertThat(config.management()).isEqualTo(new Config.Management("127.0.0.1", 1002));
  }

  @Test
  void theFileMayBeJson() throws IOException {
    Path file =
        file(
            """
            {"http": {"port": 0}, "audit": {"key": "%s", "renewals": true},
             "auth": {"tokens": [{"sha256": "%s", "tenant_id": "%s", "principal": "p",
                                  "scopes": ["leases", "admin"]}]},
             "database": {"uri": null},
             "rate_limit": {"requests_per_second": 50, "tenant_requests_per_second": 70,
                            "tenant_burst": 200, "upkeep_factor": 3, "address_burst": 9,
                            "trusted_proxies": ["10.0.0.0/8", "::1"]},
             "names": {"connectors": "_-", "enforcement": "report"},
             "fencing": {"epoch_base": 7}}"""
                .formatted(KEY, DIGEST, TENANT));

    Config config = load(file);

    assertThat(config.http().port()).isZero();
    assertThat(config.audit().key().getEncoded()).isEqualTo(new byte[32]);
    assertThat(config.audit().renewals()).isTrue();
    assertThat(config.auth().tokens())
        .containsExactly(
            new Config.Token(
                DIGEST, UUID.fromString(TENANT), "p", Set.of(Scope.LEASES, Scope.ADMIN)));
    assertThat(config.rateLimit())
        .isEqualTo(
            new Config.RateLimit(
                new Config.Rate(50, 50),
                new Config.Rate(70, 200),
                3,
                Config.Rate.UNLIMITED,
                List.of(Subnet.parse("10.0.0.0/8"), Subnet.parse("::1"))));
    assertThat(config.names()).isEqualTo(new Config.Names("_-", false));
    assertThat(config.fencing().epochBase()).isEqualTo(7);
  }

  @Test
  void everyFaultIsNamedAtOnce() throws IOException {
    Path file =
        file(
            """
            http { port = 99999, prot = 1 }
            htpp.port = 8080
            management { host = "http://x", port = null }
            database { uri = "mysql://u:hunter2@h/db", ssl_mode = "on", ssl_root_cert = "/absent",
                       connections_per_event_loop = 0, embedded_port = 1.5 }
            audit { key = "c2VjcmV0", renewals = "maybe" }
            auth.tokens = [ { sha256 = "ABC", tenant_id = "1-1-1-1-1", principal = "",
                              scopes = [] },
                            { sha256 = "%1$s", tenant_id = "%2$s", principal = "p\\n",
                              scopes = [leases, root], color = red },
                            { sha256 = "%1$s", tenant_id = "%2$s", principal = "p",
                              scopes = [audit] },
                            7 ]
            rate_limit = fast
            names { connectors = "-.", enforcement = "off", allowed = all }
            fencing.epoch_base = 4096
            """
                .formatted(DIGEST, TENANT));

    List<String> faults = faults(file, "GATEWAY_HTTP_HOST", "", "GATEWAY_HTPP_PORT", "1");

    assertThat(faults.stream().map(fault -> fault.substring(0, fault.indexOf(' '))))
        .containsExactlyInAnyOrder(
            "http.port",
            "http.prot",
            "http.host",
            "htpp",
            "management.host",
            "management.port",
            "database.uri",
            "database.ssl_mode",
            "database.ssl_root_cert",
            "database.connections_per_event_loop",
            "database.embedded_port",
            "audit.key",
            "audit.renewals",
            "auth.tokens[0].sha256",
            "auth.tokens[0].tenant_id",
            "auth.tokens[0].principal",
            "auth.tokens[0].scopes",
            "auth.tokens[1].principal",
            "auth.tokens[1].scopes",
            "auth.tokens[1].color",
            "auth.tokens[2].sha256",
            "auth.tokens[3]",
            "rate_limit",
            "names.connectors",
            "names.enforcement",
            "names.allowed",
            "fencing.epoch_base",
            "GATEWAY_HTPP_PORT:");
    assertThat(String.join("\n", faults)).doesNotContain("hunter2", "c2VjcmV0");
  }

  @Test
  void aFaultSaysWhatIsAllowedAndWhereItWasSet() throws IOException {
    Path file = file("http.port = 99999");

    assertThat(faults(file))
        .singleElement()
        .asString()
        .startsWith("http.port \"99999\" is not a whole number from 0 to 65535 (")
        .contains(file + ": 1");
    assertThat(faults(null, "GATEWAY_HTTP_PORT", "99999"))
        .singleElement()
        .asString()
        .contains("(environment variable GATEWAY_HTTP_PORT)");
    assertThat(faults(file("http.colour = red")))
        .singleElement()
        .asString()
        .contains("http.colour is not a known key. Allowed here: event_loops, host, plaintext_");
  }

  @Test
  void theWholeTextCountsTheFaults() throws IOException {
    Path file = file("a = 1\nb = 2");

    assertThatThrownBy(() -> load(file))
        .isInstanceOf(InvalidConfig.class)
        .hasMessageStartingWith("The configuration has 2 faults:\n  a is not a known key.");
  }

  @ParameterizedTest
  @CsvSource({
    "GATEWAY_HTTP_HOST, localhost",
    "GATEWAY_HTTP_HOST, ::1",
    "GATEWAY_HTTP_PLAINTEXT_ALLOWED, true",
    "GATEWAY_TLS_CLIENT_AUTH, none",
    "GATEWAY_TLS_RELOAD_SECONDS, 3600",
    "GATEWAY_MANAGEMENT_HOST, 0.0.0.0",
    "GATEWAY_HTTP_PORT, 0",
    "GATEWAY_HTTP_EVENT_LOOPS, 256",
    "GATEWAY_MANAGEMENT_HOST, localhost",
    "GATEWAY_MANAGEMENT_PORT, 65535",
    "GATEWAY_DATABASE_URI, postgresql://u@h:1/d",
    "GATEWAY_DATABASE_SSL_MODE, require",
    "GATEWAY_DATABASE_CONNECTIONS_PER_EVENT_LOOP, 64",
    "GATEWAY_DATABASE_EMBEDDED_DATA_DIR, /srv/x",
    "GATEWAY_DATABASE_EMBEDDED_PORT, 5433",
    "GATEWAY_AUDIT_RENEWALS, true",
    "GATEWAY_AUDIT_RETENTION_DAYS, 1",
    "GATEWAY_AUTH_TOKENS, []",
    "GATEWAY_RATE_LIMIT_REQUESTS_PER_SECOND, 1000000",
    "GATEWAY_RATE_LIMIT_BURST, 1",
    "GATEWAY_RATE_LIMIT_TENANT_REQUESTS_PER_SECOND, 1",
    "GATEWAY_RATE_LIMIT_TENANT_BURST, 1000000",
    "GATEWAY_RATE_LIMIT_UPKEEP_FACTOR, 100",
    "GATEWAY_RATE_LIMIT_ADDRESS_REQUESTS_PER_SECOND, 1",
    "GATEWAY_RATE_LIMIT_ADDRESS_BURST, 1",
    "GATEWAY_RATE_LIMIT_TRUSTED_PROXIES, '[10.0.0.0/8]'",
    "GATEWAY_FENCING_EPOCH_BASE, 4095",
    "GATEWAY_SHUTDOWN_DELAY_SECONDS, 300",
    "GATEWAY_SHUTDOWN_GRACE_SECONDS, 3600",
    "GATEWAY_SERVICE_HOST, 10.0.0.1",
    "GATEWAY_API_SERVICE_PORT_HTTP, 8080",
    "GATEWAY_PORT_8080_TCP_ADDR, 10.0.0.1",
    "GATEWAY_PORT, tcp://10.0.0.1:8080",
  })
  void aVariableIsReadAndWhatKubernetesSetsIsPassedOver(String name, String value) {
    assertThat(load(null, name, value)).isNotNull();
  }

  @ParameterizedTest
  @CsvSource({
    "GATEWAY_HTTP_HOST, a b",
    "GATEWAY_HTTP_PORT, -1",
    "GATEWAY_HTTP_PORT, 8080.5",
    "GATEWAY_HTTP_PORT, 1e99",
    "GATEWAY_HTTP_PORT, x",
    "GATEWAY_HTTP_EVENT_LOOPS, 257",
    "GATEWAY_HTTP_PLAINTEXT_ALLOWED, 1",
    "GATEWAY_TLS_CLIENT_AUTH, yes",
    "GATEWAY_TLS_RELOAD_SECONDS, 0",
    "GATEWAY_MANAGEMENT_PORT, 65536",
    "GATEWAY_DATABASE_SSL_MODE, Require",
    "GATEWAY_DATABASE_CONNECTIONS_PER_EVENT_LOOP, 65",
    "GATEWAY_DATABASE_EMBEDDED_DATA_DIR, ' '",
    "GATEWAY_DATABASE_EMBEDDED_PORT, 65536",
    "GATEWAY_AUDIT_KEY, AAAA",
    "GATEWAY_AUDIT_RENEWALS, yes",
    "GATEWAY_AUDIT_RETENTION_DAYS, 0",
    "GATEWAY_AUTH_TOKENS, 7",
    "GATEWAY_AUTH_TOKENS, '[{'",
    "GATEWAY_RATE_LIMIT_REQUESTS_PER_SECOND, 0.5",
    "GATEWAY_RATE_LIMIT_BURST, 1000001",
    "GATEWAY_RATE_LIMIT_UPKEEP_FACTOR, 0",
    "GATEWAY_RATE_LIMIT_TRUSTED_PROXIES, '[localhost]'",
    "GATEWAY_FENCING_EPOCH_BASE, -1",
    "GATEWAY_SHUTDOWN_DELAY_SECONDS, 301",
    "GATEWAY_SHUTDOWN_GRACE_SECONDS, 0",
    "GATEWAY_WHATEVER, 1",
  })
  void anAbsurdVariableIsOneFault(String name, String value) {
    assertThat(faults(null, name, value)).hasSize(1);
  }

  @Test
  void bothPortsOfOneAddressMustDiffer() {
    assertThat(faults(null, "GATEWAY_MANAGEMENT_PORT", "8080"))
        .singleElement()
        .asString()
        .startsWith("management.port is http.port too");
  }

  @Test
  void tokensMayComeFromTheEnvironment() {
    String list =
        "[{\"sha256\":\"%s\",\"tenant_id\":\"%s\",\"principal\":\"p\",\"scopes\":[\"pools\"]}]"
            .formatted(DIGEST, TENANT);

    assertThat(load(null, "GATEWAY_AUTH_TOKENS", list).auth().tokens()).hasSize(1);
  }

  @Test
  void aFileThatIsAbsentOrMalformedIsAFault() throws IOException {
    assertThat(faults(directory.resolve("absent.conf")))
        .singleElement()
        .asString()
        .endsWith("absent.conf: does not exist.");
    assertThat(faults(directory)).singleElement().asString().contains("is a directory");
    assertThat(faults(file("http { port = "))).singleElement().asString().contains("neither HOCON");
    assertThat(faults(file("http.port = ${NOWHERE}"))).hasSize(1);
  }

  @Test
  void theFileMaySubstituteFromTheEnvironment() throws IOException {
    Path file = file("http.host = ${MY_ADDRESS}");

    assertThat(load(file, "MY_ADDRESS", "127.1.2.3").http().host()).isEqualTo("127.1.2.3");
  }

  @Test
  void noSecretIsEverPrinted() {
    String uri = "postgresql://u:hunter2@[::1]:1/d";

    assertThat(load(null, "GATEWAY_DATABASE_URI", uri, "GATEWAY_AUDIT_KEY", KEY).toString())
        .contains("postgresql://u@[::1]:1/d")
        .doesNotContain("hunter2", KEY);
  }

  @Test
  void withAUriTheEmbeddedDirectoryIsIgnored() {
    Config config =
        load(
            null,
            "GATEWAY_DATABASE_URI",
            "postgresql://u@h:1/d",
            "GATEWAY_DATABASE_EMBEDDED_DATA_DIR",
            "/srv/x");

    assertThat(config.directories().state()).isEqualTo(Path.of("/srv/test/.lease-gateway"));
  }

  @Test
  void theStateDirectoryIsInTheHomeUnlessItIsNamed() {
    String variable = "GATEWAY_DATABASE_EMBEDDED_DATA_DIR";

    assertThat(load(null, variable, "~/x").directories().state()).isEqualTo(Path.of("/srv/test/x"));
    assertThat(load(null, variable, "x").directories().state())
        .isEqualTo(Path.of("x").toAbsolutePath());
    assertThat(StateHome.of(Map.of(), "/srv/other").directory())
        .isEqualTo(Path.of("/srv/other/.lease-gateway"));
    assertThat(StateHome.of(Map.of("HOME", "/"), "?").directory()).isNull();
  }

  @Test
  void theLimitsDoNotContradictEachOther() {
    assertThat(Limits.STATEMENT_MS_MAX).isLessThan(Limits.REQUEST_MS_MAX);
  }

  private Path file(String text) throws IOException {
    return Files.writeString(Files.createTempFile(directory, "gateway", ".conf"), text);
  }

  /** The configuration of a file, if there is one, and of these variables and their values. */
  static Config load(Path file, String... variables) {
    Map<String, String> environment = new HashMap<>(Map.of("HOME", "/srv/test"));
    for (int i = 0; i < variables.length; i += 2) {
      environment.put(variables[i], variables[i + 1]);
    }
    return Config.load(file, environment);
  }

  /** What is wrong with them. */
  static List<String> faults(Path file, String... variables) {
    return catchThrowableOfType(InvalidConfig.class, () -> load(file, variables)).faults();
  }
}

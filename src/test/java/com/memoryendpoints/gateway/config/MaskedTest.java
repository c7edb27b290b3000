package com.memoryendpoints.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The configuration can be shown to anybody. */
class MaskedTest {
  private static final String DIGEST = "0123456789abcdef".repeat(4);
  private static final String KEY = "a2".repeat(21) + "s=";
  private static final String TOKENS =
      "[{sha256 = "
          + DIGEST
          + ", tenant_id = \"0198c0de-0000-7000-8000-000000000001\", principal = crawler,"
          + " scopes = [memories, leases]}]";
  private static final Pattern SETTING = Pattern.compile("(?m)^(\\w+) \\{|^  (\\w+) = (?!\\$)");

  @TempDir private Path directory;

  private static String shown(Path file, String... variables) {
    Map<String, String> environment = new HashMap<>(Map.of("HOME", "/srv/test"));
    for (int i = 0; i < variables.length; i += 2) {
      environment.put(variables[i], variables[i + 1]);
    }
    return Config.shown(file, environment);
  }

  @Test
  void everyKeyIsShownAsItIsInEffect() throws Exception {
    Path file =
        Files.writeString(directory.resolve("c"), "http { port = 1, host = \"127.0.0.2\" }");
    var tree = ConfigFactory.parseString(shown(file, "GATEWAY_HTTP_PORT", "2")).root();
    assertThat(tree.toConfig().getInt("http.port")).isEqualTo(2);
    assertThat(tree.toConfig().getString("http.host")).isEqualTo("127.0.0.2");
    String section = "";
    for (MatchResult found :
        SETTING.matcher(Files.readString(Path.of("conf/gateway.conf"))).results().toList()) {
      section = found.group(1) == null ? section : found.group(1);
      if (found.group(2) != null) {
        assertThat(tree.toConfig().hasPathOrNull(section + "." + found.group(2))).isTrue();
      }
    }
  }

  @Test
  void aListFromAVariableIsShownAsAList() {
    String shown =
        shown(
            null,
            "GATEWAY_JWT_ALGORITHMS",
            "[ES256]",
            "GATEWAY_RATE_LIMIT_TRUSTED_PROXIES",
            "[\"fd00::/8\", 10.0.0.0/8]");
    var tree = ConfigFactory.parseString(shown);
    assertThat(tree.getStringList("jwt.algorithms")).containsExactly("ES256");
    assertThat(tree.getStringList("rate_limit.trusted_proxies"))
        .containsExactly("fd00::/8", "10.0.0.0/8");
  }

  @Test
  void noSecretIsShownWhereverItCameFrom() throws Exception {
    String uri = "postgresql://keeper:hunter2@db:5432/leases";
    String inFile = "database.uri = \"" + uri + "\"\naudit.key = \"" + KEY + "\"\nauth.tokens = ";
    Path file = Files.writeString(directory.resolve("c"), inFile + TOKENS);
    for (String shown :
        List.of(
            shown(file),
            shown(
                null,
                "GATEWAY_DATABASE_URI",
                uri,
                "GATEWAY_AUDIT_KEY",
                KEY,
                "GATEWAY_AUTH_TOKENS",
                TOKENS))) {
      assertThat(shown)
          .contains("postgresql://keeper:***@db:5432/leases", "\"01234567***\"", "crawler")
          .doesNotContain("hunter2", KEY, DIGEST, DIGEST.substring(0, 9));
    }
  }

  @Test
  void whereAKeyIsKeptIsShownAndThePasswordOfAKeystoreIsNot() throws Exception {
    Path key = Files.writeString(directory.resolve("key.pem"), "a key");
    String pem = "tls { certificate = \"%1$s\", private_key = \"%1$s\" }".formatted(key);
    assertThat(shown(Files.writeString(directory.resolve("pem"), pem)))
        .contains("\"private_key\" : \"" + key + '"');
    String store = "tls { keystore = \"%s\", keystore_password = hunter2 }".formatted(key);
    assertThat(shown(Files.writeString(directory.resolve("store"), store)))
        .contains("\"keystore\" : \"" + key + '"', "\"keystore_password\" : \"***\"")
        .doesNotContain("hunter2");
  }

  /** Somebody may add one, and think of it later. */
  @Test
  void whatIsCalledASecretIsMaskedUnseen() {
    String later = "tls { key_password = x1, private_key = x2, tokens = [x3], ca = shown }";
    Config config = Config.load(null, Map.of("HOME", "/srv/test"));
    assertThat(Masked.render(ConfigFactory.parseString(later).root(), config))
        .contains("shown")
        .doesNotContain("x1", "x2", "x3");
  }

  @Test
  void aFaultyConfigurationIsRefusedAndNotShown() {
    assertThatThrownBy(() -> shown(null, "GATEWAY_HTTP_PORT", "x"))
        .isInstanceOf(InvalidConfig.class);
  }
}

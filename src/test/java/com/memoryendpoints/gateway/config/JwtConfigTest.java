package com.memoryendpoints.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The section {@code jwt}. */
class JwtConfigTest {
  private static final String WHOSE = "issuer = i, audience = a";

  @TempDir private Path directory;
  private Path there;

  @BeforeEach
  void write() throws Exception {
    there = Files.writeString(directory.resolve("there"), "{}");
  }

  private Config load(String section) throws Exception {
    Path file = Files.writeString(directory.resolve("c"), "jwt { " + section + " }");
    return Config.load(file, Map.of("HOME", "/srv/test"));
  }

  private List<String> faulty(String section) {
    InvalidConfig invalid = catchThrowableOfType(InvalidConfig.class, () -> load(section));
    assertThat(invalid).as(section).isNotNull();
    return invalid.faults().stream().map(each -> each.substring(0, each.indexOf(' '))).toList();
  }

  @Test
  void withoutKeysNoJwtIsGood() throws Exception {
    assertThat(load("").auth().jwt()).isNull();
  }

  @Test
  void keysInAFileNeedAnIssuerAndAnAudience() throws Exception {
    assertThat(load("jwks = \"" + there + "\", " + WHOSE).auth().jwt())
        .isEqualTo(
            new Config.Jwt(
                there,
                null,
                null,
                "i",
                "a",
                Set.of(JwtAlgorithm.values()),
                5,
                "tenant_id",
                "sub",
                "scope",
                ""));
    assertThat(faulty("jwks = \"" + there + "\"")).containsExactly("jwt.issuer", "jwt.audience");
  }

  @Test
  void everyKeyCanBeSet() throws Exception {
    String url = "https://login.example.com:8443/keys?x=y";
    assertThat(
            load("jwks_url = \"%s\", jwks_ca = \"%s\", ".formatted(url, there)
                    + WHOSE
                    + ", algorithms = [ES256], leeway_seconds = 30, tenant_claim = \"https://t\","
                    + " principal_claim = azp, scopes_claim = scp, scope_prefix = \"gateway:\"")
                .auth()
                .jwt())
        .isEqualTo(
            new Config.Jwt(
                null,
                URI.create(url),
                there,
                "i",
                "a",
                Set.of(JwtAlgorithm.ES256),
                30,
                "https://t",
                "azp",
                "scp",
                "gateway:"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://login.example.com/keys",
        "http://127.0.0.1/keys",
        "http://localhost/keys",
        "file:///etc/keys",
        "jar:https://login.example.com/keys",
        "//login.example.com/keys",
        "login.example.com/keys",
        "https:///keys",
        "https://user:secret@login.example.com/keys",
        "https://login.example.com/keys#f",
        "https://login example.com/keys",
        ""
      })
  void keysComeByHttpsFromNamedHostsOnly(String url) {
    assertThat(faulty("jwks_url = \"" + url + "\", " + WHOSE)).containsExactly("jwt.jwks_url");
  }

  @Test
  void whatContradictsItselfIsTold() {
    String both = "jwks = \"" + there + "\", jwks_url = \"https://h/\", ";
    assertThat(faulty(both + WHOSE)).containsExactly("jwt.jwks_url");
    assertThat(faulty(WHOSE)).containsExactly("jwt.issuer", "jwt.audience");
    String inFile = "jwks = \"" + there + "\", " + WHOSE + ", ";
    assertThat(faulty(inFile + "jwks_ca = \"" + there + "\"")).containsExactly("jwt.jwks_ca");
    assertThat(faulty("jwks = \"/absent\", " + WHOSE)).containsExactly("jwt.jwks");
    for (String alg : List.of("HS256", "none", "RS512", "EdDSA", "rs256")) {
      assertThat(faulty(inFile + "algorithms = [RS256, " + alg + "]"))
          .containsExactly("jwt.algorithms");
    }
    assertThat(faulty(inFile + "algorithms = []")).containsExactly("jwt.algorithms");
    assertThat(faulty(inFile + "leeway_seconds = 31")).containsExactly("jwt.leeway_seconds");
    assertThat(faulty(inFile + "leeway_seconds = -1")).containsExactly("jwt.leeway_seconds");
    assertThat(faulty(inFile + "tenant_claim = \"\"")).containsExactly("jwt.tenant_claim");
    assertThat(faulty(inFile + "max_age = 1")).containsExactly("jwt.max_age");
  }
}

package com.memoryendpoints.gateway.config;

import static com.memoryendpoints.gateway.config.ConfigTest.faults;
import static com.memoryendpoints.gateway.config.ConfigTest.load;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens cross a network encrypted, or somebody says that they need not. */
class TransportTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "::", "10.0.0.1", "2001:db8::1", "gateway.example", "[::]"})
  void withoutACertificateOnlyThisMachineIsListenedToUnlessThatIsAllowed(String host)
      throws IOException {
    String pem = file("a certificate").toString();

    assertThat(faults(null, "GATEWAY_HTTP_HOST", host))
        .singleElement()
        .asString()
        .startsWith("http.host \"")
        .contains("tls.certificate", "http.plaintext_allowed = true", "127.0.0.1");
    assertThat(load(null, "GATEWAY_HTTP_HOST", host, "GATEWAY_HTTP_PLAINTEXT_ALLOWED", "true"))
        .isNotNull();
    assertThat(
            load(
                null,
                "GATEWAY_HTTP_HOST",
                host,
                "GATEWAY_TLS_CERTIFICATE",
                pem,
                "GATEWAY_TLS_PRIVATE_KEY",
                pem))
        .isNotNull();
  }

  @Test
  void whatBelongsToACertificateComesWithItAndNothingElseDoes() throws IOException {
    Path pem = file("a certificate");
    for (String[] wrong :
        new String[][] {
          {"certificate = \"%s\"", "tls.private_key is missing"},
          {"private_key = \"%s\"", "tls.certificate is missing"},
          {"keystore = \"%s\"", "tls.keystore_password is missing"},
          {"keystore_password = x", "tls.keystore is missing"},
          {
            "keystore = \"%1$s\", keystore_password = x, certificate = \"%1$s\","
                + " private_key = \"%1$s\"",
            "tls.keystore is set, and so is certificate"
          },
          {
            "certificate = \"%1$s\", private_key = \"%1$s\", client_auth = required",
            "tls.client_ca is missing; client_auth required needs it"
          },
          {
            "certificate = \"%1$s\", private_key = \"%1$s\", client_ca = \"%1$s\"",
            "tls.client_ca is set, but client_auth is none"
          },
          {
            "client_auth = request, client_ca = \"%s\"",
            "tls.client_auth is set, but neither certificate nor keystore is"
          },
        }) {
      assertThat(faults(file("tls { " + wrong[0].formatted(pem) + " }")))
          .singleElement()
          .asString()
          .startsWith(wrong[1]);
    }
  }

  @Test
  void aCertificateIsBoundAndItsPasswordIsNotPrinted() throws IOException {
    Path pem = file("a certificate");
    String tls =
        "tls { keystore = \"%1$s\", keystore_password = hunter2, client_auth = required,"
            + " client_ca = \"%1$s\", reload_seconds = 60 }";

    Config config = load(file(tls.formatted(pem)));

    assertThat(config.http().tls())
        .isEqualTo(new Config.Tls(null, null, pem, "hunter2", ClientAuth.REQUIRED, pem, 60));
    assertThat(config.toString()).contains(pem.toString()).doesNotContain("hunter2");
  }

  @Test
  void aRootCertificateIsThereExactlyWhenItIsChecked() throws IOException {
    String pem = file("a certificate").toString();
    String variable = "GATEWAY_DATABASE_SSL_ROOT_CERT";

    assertThat(faults(null, "GATEWAY_DATABASE_SSL_MODE", "verify-full"))
        .singleElement()
        .asString()
        .startsWith("database.ssl_root_cert is missing");
    assertThat(faults(null, variable, pem)).singleElement().asString().contains("is set, but");
    assertThat(load(null, "GATEWAY_DATABASE_SSL_MODE", "verify-ca", variable, pem)).isNotNull();
  }

  private Path file(String text) throws IOException {
    return Files.writeString(Files.createTempFile(directory, "gateway", ".conf"), text);
  }
}

package com.memoryendpoints.gateway.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.memoryendpoints.gateway.TestServer;
import com.memoryendpoints.gateway.config.DatabaseUri;
import com.memoryendpoints.gateway.config.SslMode;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.SqlConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the words of {@code database.ssl_mode} come to, against a server for {@code localhost}. */
class SessionOptionsTest {
  private static final char[] STORE_PASSWORD = "changeit".toCharArray();

  @TempDir static Path directory;
  private static TestServer encrypting;
  private static Vertx vertx;

  @BeforeAll
  static void start() throws Exception {
    certify("server", "localhost");
    certify("stranger", "localhost");
    encrypting =
        TestServer.start(
            Map.of(
                "ssl", "on",
                "ssl_cert_file", directory.resolve("server.crt").toString(),
                "ssl_key_file", directory.resolve("server.key").toString()));
    vertx = Vertx.vertx();
  }

  @AfterAll
  static void stop() {
    Loop.await(vertx.close());
    encrypting.close();
  }

  @Test
  void disableNeverEncrypts() {
    assertThat(isEncrypted(encrypting, "localhost", SslMode.DISABLE, null)).isFalse();
  }

  @Test
  void preferEncryptsWhenTheServerCan() {
    assertThat(isEncrypted(encrypting, "localhost", SslMode.PREFER, null)).isTrue();
    assertThat(isEncrypted(TestServer.shared(), "localhost", SslMode.PREFER, null)).isFalse();
  }

  @Test
  void requireRefusesAServerThatCannotEncrypt() {
    assertThat(isEncrypted(encrypting, "localhost", SslMode.REQUIRE, null)).isTrue();
    assertThatThrownBy(() -> isEncrypted(TestServer.shared(), "localhost", SslMode.REQUIRE, null))
        .isInstanceOf(Exception.class);
  }

  @Test
  void verifyCaRefusesACertificateThatIsNotTrusted() {
    assertThat(isEncrypted(encrypting, "127.0.0.1", SslMode.VERIFY_CA, "server.crt")).isTrue();
    assertThatThrownBy(
            () -> isEncrypted(encrypting, "127.0.0.1", SslMode.VERIFY_CA, "stranger.crt"))
        .isInstanceOf(Exception.class);
  }

  @Test
  void verifyFullRefusesATrustedCertificateOfAnotherHost() {
    assertThat(isEncrypted(encrypting, "localhost", SslMode.VERIFY_FULL, "server.crt")).isTrue();
    assertThatThrownBy(
            () -> isEncrypted(encrypting, "127.0.0.1", SslMode.VERIFY_FULL, "server.crt"))
        .isInstanceOf(Exception.class);
  }

  private static boolean isEncrypted(
      TestServer server, String host, SslMode mode, @Nullable String rootCert) {
    DatabaseUri uri = new DatabaseUri(host, server.port(), "postgres", "postgres", null);
    Path root = rootCert == null ? null : directory.resolve(rootCert);
    PgConnectOptions options = SessionOptions.of(uri, mode, root);
    SqlConnection connection = Loop.await(PgConnection.connect(vertx, options));
    try {
      return connection.isSSL();
    } finally {
      Loop.await(connection.close());
    }
  }

  /** Makes NAME.key and NAME.crt, self-signed for the host. */
  private static void certify(String name, String host) throws Exception {
    Path store = directory.resolve(name + ".p12");
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    run(
        keytool,
        "-genkeypair",
        "-alias",
        name,
        "-keyalg",
        "RSA",
        "-dname",
        "CN=" + host,
        "-ext",
        "san=dns:" + host,
        "-storetype",
        "PKCS12",
        "-keystore",
        store.toString(),
        "-storepass",
        new String(STORE_PASSWORD));
    KeyStore keys = KeyStore.getInstance(store.toFile(), STORE_PASSWORD);
    write(name + ".key", "PRIVATE KEY", keys.getKey(name, STORE_PASSWORD).getEncoded());
    write(name + ".crt", "CERTIFICATE", keys.getCertificate(name).getEncoded());
  }

  private static void write(String file, String kind, byte[] content) throws IOException {
    String body = Base64.getMimeEncoder().encodeToString(content);
    Path path = directory.resolve(file);
    Files.writeString(
        path, "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n");
    // PostgreSQL refuses a key that others can read.
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
  }

  private static void run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }
}

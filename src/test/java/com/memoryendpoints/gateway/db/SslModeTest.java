package com.memoryendpoints.gateway.db;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.memoryendpoints.gateway.TestServer;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.DatabaseUri;
import com.memoryendpoints.gateway.config.SslMode;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code database.ssl_mode} means the same to the client that serves and the one that migrates. */
class SslModeTest {
  private static final String ENCRYPTED =
      "SELECT ssl::text FROM pg_stat_ssl WHERE pid = pg_backend_pid()";

  @TempDir private static Path directory;
  private static TestServer server;
  private static Vertx vertx;

  /** The server's certificate is its own authority, and for the name localhost only. */
  @BeforeAll
  static void start() throws Exception {
    makeCertificate("server", "localhost");
    makeCertificate("stranger", "localhost");
    server =
        TestServer.start(
            Map.of(
                "ssl", "on",
                "ssl_cert_file", directory.resolve("server.crt").toString(),
                "ssl_key_file", directory.resolve("server.key").toString()));
    vertx = Vertx.vertx();
  }

  @AfterAll
  static void stop() {
    vertx.close().await();
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "DISABLE, 127.0.0.1, , false",
    "PREFER, 127.0.0.1, , true",
    "REQUIRE, 127.0.0.1, , true",
    "VERIFY_CA, 127.0.0.1, server, true",
    "VERIFY_FULL, localhost, server, true",
  })
  void aConnectionIsEncryptedAsTheModeSays(
      SslMode mode, String host, String authority, String encrypted) throws Exception {
    assertThat(byJdbc(mode, host, authority)).isEqualTo(encrypted);
    assertThat(byReactiveClient(mode, host, authority)).isEqualTo(encrypted);
  }

  @ParameterizedTest
  @CsvSource({
    "VERIFY_CA, 127.0.0.1, stranger",
    "VERIFY_FULL, localhost, stranger",
    "VERIFY_FULL, 127.0.0.1, server",
  })
  void aServerThatCannotProveWhoItIsIsNotSpokenTo(SslMode mode, String host, String authority) {
    assertThatThrownBy(() -> byJdbc(mode, host, authority)).isNotNull();
    assertThatThrownBy(() -> byReactiveClient(mode, host, authority)).isNotNull();
  }

  private static String byJdbc(SslMode mode, String host, String authority) throws Exception {
    try (Connection connection = Jdbc.connect(config(mode, host, authority));
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(ENCRYPTED)) {
      rows.next();
      return rows.getString(1);
    }
  }

  private static String byReactiveClient(SslMode mode, String host, String authority)
      throws Exception {
    return PgConnection.connect(vertx, SessionOptions.of(config(mode, host, authority)))
        .compose(
            connection ->
                connection
                    .query(ENCRYPTED)
                    .execute()
                    .map(rows -> rows.iterator().next().getString(0))
                    .eventually(connection::close))
        .await(20, TimeUnit.SECONDS);
  }

  private static Config.Database config(SslMode mode, String host, String authority) {
    DatabaseUri uri = new DatabaseUri(host, server.port(), "postgres", "postgres", null);
    Path rootCert = authority == null ? null : directory.resolve(authority + ".crt");
    return new Config.Database(uri, mode, rootCert, 1, 0);
  }

  private static void makeCertificate(String name, String host) throws Exception {
    Path store = directory.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=dns:" + host,
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                "changeit")
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, "changeit".toCharArray());
    }
    pem(name + ".crt", "CERTIFICATE", keys.getCertificate(name).getEncoded());
    pem(name + ".key", "PRIVATE KEY", keys.getKey(name, "changeit".toCharArray()).getEncoded());
  }

  private static void pem(String file, String kind, byte[] content) throws Exception {
    String text =
        "-----BEGIN "
            + kind
            + "-----\n"
            + Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(content)
            + "\n-----END "
            + kind
            + "-----\n";
    Path written = Files.writeString(directory.resolve(file), text);
    Files.setPosixFilePermissions(written, PosixFilePermissions.fromString("rw-------"));
  }
}

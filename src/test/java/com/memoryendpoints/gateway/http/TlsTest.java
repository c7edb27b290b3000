package com.memoryendpoints.gateway.http;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.memoryendpoints.gateway.TestCertificates;
import com.memoryendpoints.gateway.TestCertificates.Identity;
import com.memoryendpoints.gateway.config.ClientAuth;
import com.memoryendpoints.gateway.config.Config;
import java.io.IOException;
import java.math.BigInteger;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The API with a certificate: who is let in, and how another one comes without a restart. */
@Timeout(60)
class TlsTest {
  private static final String VERSION = "GET /version HTTP/1.1\r\nHost: h\r\n\r\n";

  @TempDir private static Path folder;
  private static Identity server;
  private static Identity other;
  private static Identity client;
  private LiveApi api;

  @BeforeAll
  static void make() throws Exception {
    server = TestCertificates.make(folder, "server");
    other = TestCertificates.make(folder, "other");
    client = TestCertificates.make(folder, "client");
  }

  @AfterEach
  void end() throws Exception {
    api.afterAll(null);
  }

  private void start(Config.Tls tls) throws Exception {
    api = LiveApi.without().with(tls);
    api.beforeAll(null);
  }

  private static Config.Tls pem(Path certificate, Path key) {
    return new Config.Tls(certificate, key, null, null, ClientAuth.NONE, null, 1);
  }

  private SSLSocket socket(SSLContext context) throws IOException {
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("localhost", api.port());
    socket.setSoTimeout(20_000);
    return socket;
  }

  /** What the gateway answers over a new connection. */
  private int ask(SSLContext context) throws Exception {
    try (RawHttp http = new RawHttp(socket(context))) {
      return http.send(VERSION).answer().status();
    }
  }

  private BigInteger shown() throws Exception {
    SSLContext trusting = SSLContext.getInstance("TLS");
    trusting.init(null, new TrustManager[] {new Anybody()}, null);
    try (SSLSocket socket = socket(trusting)) {
      socket.startHandshake();
      return ((X509Certificate) socket.getSession().getPeerCertificates()[0]).getSerialNumber();
    }
  }

  /** Believes everybody, to see whom it met. */
  private static final class Anybody extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  @Test
  void whoBelievesTheCertificateIsServedByTls13() throws Exception {
    start(pem(server.certificate(), server.privateKey()));
    try (SSLSocket socket = socket(server.trustedBy(null))) {
      socket.startHandshake();
      assertThat(socket.getSession().getProtocol()).isEqualTo("TLSv1.3");
      assertThat(new RawHttp(socket).send(VERSION).answer().status()).isEqualTo(200);
    }
    assertThatThrownBy(() -> ask(other.trustedBy(null))).isInstanceOf(IOException.class);
  }

  @Test
  void aKeystoreServesAsWell() throws Exception {
    start(new Config.Tls(null, null, server.keystore(), "changeit", ClientAuth.NONE, null, 1));
    assertThat(ask(server.trustedBy(null))).isEqualTo(200);
  }

  @Test
  void anOlderProtocolIsRefusedAndHarmsNobody() throws Exception {
    start(pem(server.certificate(), server.privateKey()));
    try (SSLSocket socket = socket(server.trustedBy(null))) {
      socket.setEnabledProtocols(new String[] {"TLSv1.2"});
      assertThatThrownBy(socket::startHandshake)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("protocol_version");
    }
    assertThat(ask(server.trustedBy(null))).isEqualTo(200);
  }

  @Test
  void plainTextOnItsPortIsCutAndHarmsNobody() throws Exception {
    start(pem(server.certificate(), server.privateKey()));
    try (RawHttp http = api.connect()) {
      http.send(VERSION);
      assertThatThrownBy(http::answer).isInstanceOf(IOException.class);
    }
    assertThat(ask(server.trustedBy(null))).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "NONE, none, true",
    "REQUEST, none, true",
    "REQUEST, good, true",
    "REQUEST, stranger, false",
    "REQUIRED, none, false",
    "REQUIRED, good, true",
    "REQUIRED, stranger, false",
  })
  void aCertificateOfACallerIsAskedForAsConfigured(ClientAuth auth, String shown, boolean served)
      throws Exception {
    Path ca = auth == ClientAuth.NONE ? null : client.certificate();
    start(new Config.Tls(server.certificate(), server.privateKey(), null, null, auth, ca, 1));
    Identity mine =
        switch (shown) {
          case "good" -> client;
          case "stranger" -> other;
          default -> null;
        };
    if (served) {
      assertThat(ask(server.trustedBy(mine))).isEqualTo(200);
    } else {
      // By TLS 1.3 the caller hears of it after its own part of the handshake.
      assertThatThrownBy(() -> ask(server.trustedBy(mine))).isInstanceOf(IOException.class);
    }
  }

  /** As Kubernetes does it: the files are links into a folder that is a link itself. */
  @Test
  void anotherCertificateIsShownToNewConnectionsAndOpenOnesStay() throws Exception {
    Path secret = Files.createDirectory(folder.resolve("secret"));
    Path data = secret.resolve("..data");
    Files.createSymbolicLink(data, version(secret, "..1", server, server));
    for (String file : new String[] {"tls.crt", "tls.key"}) {
      Files.createSymbolicLink(secret.resolve(file), Path.of("..data", file));
    }
    start(pem(secret.resolve("tls.crt"), secret.resolve("tls.key")));
    try (RawHttp open = new RawHttp(socket(server.trustedBy(null)))) {
      assertThat(open.send(VERSION).answer().status()).isEqualTo(200);

      swap(data, version(secret, "..2", other, server));
      await().atMost(30, SECONDS).until(() -> reloads("refused") > 0);
      assertThat(shown()).isEqualTo(server.x509().getSerialNumber());

      swap(data, version(secret, "..3", other, other));
      await().atMost(30, SECONDS).until(() -> shown().equals(other.x509().getSerialNumber()));
      assertThat(ask(other.trustedBy(null))).isEqualTo(200);
      assertThat(open.send(VERSION).answer().status()).isEqualTo(200);
      assertThat(reloads("loaded")).isEqualTo(1);
      assertThat(api.meters.registry().get("tls.certificate.expires.at").gauge().value())
          .isEqualTo((double) other.x509().getNotAfter().toInstant().getEpochSecond());
    }
  }

  private double reloads(String result) {
    return api.meters
        .registry()
        .get("tls.certificate.reloads")
        .tag("result", result)
        .counter()
        .count();
  }

  private static Path version(Path secret, String name, Identity certificate, Identity key)
      throws IOException {
    Path version = Files.createDirectory(secret.resolve(name));
    Files.copy(certificate.certificate(), version.resolve("tls.crt"));
    Files.copy(key.privateKey(), version.resolve("tls.key"));
    return version.getFileName();
  }

  private static void swap(Path link, Path target) throws IOException {
    Path next = Files.createSymbolicLink(link.resolveSibling("..data_tmp"), target);
    Files.move(next, link, StandardCopyOption.ATOMIC_MOVE);
  }
}

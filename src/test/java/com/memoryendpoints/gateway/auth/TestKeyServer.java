package com.memoryendpoints.gateway.auth;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.lease.TestPod;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PfxOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Where a provider publishes its keys: an https server with a certificate of its own making. */
public final class TestKeyServer implements AutoCloseable {
  private static final String PASSWORD = "changeit";

  /** What it answers. */
  public volatile String body = "{\"keys\":[]}";

  public volatile int status = 200;

  /** Whether it answers at all. */
  public volatile boolean silent;

  /** How often it was asked. */
  public final AtomicInteger asked = new AtomicInteger();

  private final Vertx vertx = Vertx.vertx();
  private final HttpServer server;
  private final Path store;
  private final Path certificate;

  public TestKeyServer() throws Exception {
    Path directory = Files.createTempDirectory("key-server");
    store = directory.resolve("store.p12");
    certificate = directory.resolve("certificate.pem");
    keytool("-genkeypair", "-keyalg", "EC", "-dname", "CN=localhost", "-ext", "san=dns:localhost");
    keytool("-exportcert", "-rfc", "-file", certificate.toString());
    server = TestPod.await(listen());
  }

  private Future<HttpServer> listen() {
    HttpServerOptions options =
        new HttpServerOptions()
            .setSsl(true)
            .setKeyCertOptions(
                new PfxOptions().setPath(store.toString()).setPassword(PASSWORD).setAlias("k"));
    return vertx.createHttpServer(options).requestHandler(this::answer).listen(0, "127.0.0.1");
  }

  private void answer(HttpServerRequest request) {
    asked.incrementAndGet();
    if (silent) {
      return;
    }
    if (status / 100 == 3) {
      request.response().putHeader("Location", url() + "/other");
    }
    request.response().setStatusCode(status).setChunked(true);
    request.response().end(body);
  }

  private void keytool(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(List.of("-alias", "k", "-keystore", store.toString()));
    command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(process.waitFor(60, SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }

  public URI url() {
    return URI.create("https://localhost:" + server.actualPort() + "/keys");
  }

  /** The authority that vouches for it. */
  public Path authority() {
    return certificate;
  }

  @Override
  public void close() {
    TestPod.await(vertx.close());
  }
}

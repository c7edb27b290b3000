package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.http.RawHttp.Answer;
import io.netty.util.internal.PlatformDependent;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What browsers get: whole, under a strict policy, and nothing from elsewhere. */
@Timeout(60)
class PagesTest {
  @RegisterExtension static final LiveApi API = LiveApi.without();

  private static final String BUNDLE = "/docs/swagger-ui-bundle.js";
  private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"]+)\"");

  static List<String> paths() {
    return Pages.all().keySet().stream().sorted().toList();
  }

  @ParameterizedTest
  @MethodSource("paths")
  void everyPageIsUnderAStrictPolicyAndComesAgainOnlyWhenItChanged(String path) throws Exception {
    Page page = Pages.all().get(path);
    try (RawHttp http = API.connect()) {
      Answer got = http.send("GET", path, List.of(), "").answer();
      assertThat(got.status()).isEqualTo(200);
      assertThat(got.body().equals(page.plain().bytes().toString())).isTrue();
      assertThat(got.headers())
          .containsEntry("content-type", page.plain().type().toString())
          .containsEntry("cache-control", "no-cache")
          .containsEntry("vary", "accept-encoding")
          .containsEntry("x-content-type-options", "nosniff")
          .containsEntry("referrer-policy", "no-referrer")
          .doesNotContainKey("content-encoding");
      assertThat(got.headers().get("content-security-policy"))
          .contains("default-src 'none'", "frame-ancestors 'none'")
          .doesNotContain("unsafe", "http", "*");
      String known = "If-None-Match: \"other\", W/" + got.headers().get("etag");
      Answer again = http.send("GET", path, List.of(known), "").answer();
      assertThat(again.status()).isEqualTo(304);
      assertThat(again.headers())
          .containsEntry("etag", got.headers().get("etag"))
          .doesNotContainKey("transfer-encoding");
      Answer head = http.send("HEAD", path, List.of(), "").answer(false);
      assertThat(head.headers()).isEqualTo(got.headers());
      Answer other = http.send("GET", path, List.of("If-None-Match: \"other\""), "").answer();
      assertThat(other.status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @MethodSource("paths")
  void everyPageIsCompressedForWhoTakesThat(String path) throws Exception {
    Page page = Pages.all().get(path);
    byte[] zipped = page.zipped().bytes().getBytes();
    try (InputStream plain = new GZIPInputStream(new ByteArrayInputStream(zipped))) {
      assertThat(plain.readAllBytes()).isEqualTo(page.plain().bytes().getBytes());
    }
    try (RawHttp http = API.connect()) {
      Answer got = http.send("HEAD", path, List.of("Accept-Encoding: br, gzip"), "").answer(false);
      assertThat(got.headers())
          .containsEntry("content-encoding", "gzip")
          .containsEntry("content-length", Integer.toString(zipped.length));
      String tag = "If-None-Match: " + got.headers().get("etag");
      assertThat(http.send("GET", path, List.of(tag), "").answer().status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"br", "gzip;q=0", "gzip; q=0.000", "identity, GZIP ;q=0", "", "gzipped"})
  void whoForbidsGzipGetsItPlain(String encodings) throws Exception {
    try (RawHttp http = API.connect()) {
      Answer got = http.send("GET", "/docs", List.of("Accept-Encoding: " + encodings), "").answer();
      assertThat(got.headers()).doesNotContainKey("content-encoding");
      assertThat(got.body()).startsWith("<!doctype html>");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "GZIP", "x-gzip", "br;q=1.0, gzip;q=0.8", "deflate,gzip ; q=1"})
  void whoTakesGzipGetsIt(String encodings) throws Exception {
    try (RawHttp http = API.connect()) {
      List<String> headers = List.of("Accept-Encoding: " + encodings);
      assertThat(http.send("HEAD", "/docs", headers, "").answer(false).headers())
          .containsEntry("content-encoding", "gzip");
    }
  }

  @Test
  void everyLinkOfAPageLeadsToOne() {
    List<String> links = new ArrayList<>();
    for (String path : List.of("/", "/docs")) {
      LINK.matcher(Pages.all().get(path).plain().bytes().toString())
          .results()
          .forEach(link -> links.add(link.group(1)));
    }
    assertThat(links).contains("/docs", "/openapi.json", "/version", BUNDLE);
    links.remove("/version");
    assertThat(links).isSubsetOf(Pages.all().keySet());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/docs/index.html", "/docs/%2e%2e%2fpages", "/docs/init.js/x"})
  void noOtherFileOfTheJarIsServed(String path) throws Exception {
    try (RawHttp http = API.connect()) {
      assertThat(http.send("GET", path, List.of(), "").answer().code()).isEqualTo("NO_SUCH_ROUTE");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/docs", "/docs/init.js"})
  void aPageIsOnlyRead(String path) throws Exception {
    try (RawHttp http = API.connect()) {
      Answer posted = http.send("POST", path, List.of(), "").answer();
      assertThat(posted.status()).isEqualTo(405);
      assertThat(posted.headers()).containsEntry("allow", "GET, HEAD");
    }
  }

  /** As over a network: this host itself would take the whole for a peer of its own. */
  @Test
  void whoDoesNotReadCostsNoMoreThanAPiece() throws Exception {
    Buffer bundle = Pages.all().get(BUNDLE).plain().bytes();
    Set<Watched> open = new HashSet<>();
    HttpServer server =
        API.vertx
            .createHttpServer(ApiVerticle.options().setSendBufferSize(8 << 10))
            .connectionHandler(connection -> Watched.watch(connection, open, false))
            .requestHandler(request -> Answers.end(request, bundle, false));
    server.listen(0, "127.0.0.1").await(20, TimeUnit.SECONDS);
    long before = PlatformDependent.usedDirectMemory();
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 30; i++) {
        slow.add(ask(server.actualPort()));
        assertThat(slow.get(i).getInputStream().read()).isEqualTo('H');
      }
      long held = PlatformDependent.usedDirectMemory() - before;
      assertThat(held).isLessThan(bundle.length() * 15L);
      String rest = new String(slow.get(0).getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(rest.endsWith("\r\n\r\n" + bundle)).isTrue();
    } finally {
      for (Socket each : slow) {
        each.close();
      }
      server.close().await(20, TimeUnit.SECONDS);
    }
  }

  private static Socket ask(int port) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(4 << 10);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    String request = "GET / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }
}

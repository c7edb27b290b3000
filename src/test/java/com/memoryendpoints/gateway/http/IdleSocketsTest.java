package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestCertificates;
import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Five thousand peers that connect and say nothing, or begin and do not end: others are served. */
@Timeout(180)
class IdleSocketsTest {
  private static final int SOCKETS = 5_000;
  private static final String VERSION = "GET /version HTTP/1.1\r\nHost: h\r\n\r\n";

  @TempDir private static Path folder;

  @Test
  void idleSocketsKeepNobodyFromBeingServed() throws Exception {
    LiveApi api = LiveApi.without();
    among(
        api,
        () -> {
          try (RawHttp http = api.connect()) {
            assertThat(http.send(VERSION).answer().status()).isEqualTo(200);
          }
        });
  }

  @Test
  void idleSocketsKeepNobodyFromBeingServedByTls() throws Exception {
    TestCertificates.Identity server = TestCertificates.make(folder, "server");
    LiveApi api = LiveApi.without().with(Http2Test.tls(server));
    among(
        api,
        () -> {
          try (RawHttp2 http = new RawHttp2(server.trustedBy(null), api.port(), true)) {
            http.head(1, true, "GET", "/version");
            assertThat(http.answer(1).status()).isEqualTo(200);
          }
        });
  }

  /** What somebody asks among them, before and after. */
  private interface Ask {
    void now() throws Exception;
  }

  private static void among(LiveApi api, Ask ask) throws Exception {
    assumeFilesFor(2 * SOCKETS);
    api.beforeAll(null);
    List<SocketChannel> idle = new ArrayList<>();
    try {
      var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), api.port());
      for (int i = 0; i < SOCKETS; i++) {
        SocketChannel socket = SocketChannel.open(address);
        idle.add(socket);
        if (i % 2 == 0) {
          socket.write(StandardCharsets.US_ASCII.encode("G"));
        }
      }
      ask.now();
      // What has begun is cut: the first of them has been answered, or ended, when this returns.
      var unused = idle.get(0).read(ByteBuffer.allocate(1));
      ask.now();
    } finally {
      for (SocketChannel each : idle) {
        each.close();
      }
      api.afterAll(null);
    }
  }

  /** Both ends are here, so each connection is two files. */
  private static void assumeFilesFor(int more) {
    var system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long left = system.getMaxFileDescriptorCount() - system.getOpenFileDescriptorCount();
    Assumptions.assumeTrue(
        left > more + 200, "SKIPPED: " + left + " open files are left, not " + (more + 200));
  }
}

package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestCertificates;
import com.memoryendpoints.gateway.TestCertificates.Identity;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that stops while requests are on their way over HTTP/2. */
@Timeout(90)
class Http2DrainTest {
  private static final String NAME = "{\"display_name\":\"Heron\"}";
  private static final String[] FIELDS = {
    "content-type", "application/json", "authorization", "Bearer " + LiveApi.TOKEN
  };

  @TempDir private Path folder;

  @Test
  void whatWasBegunIsAnsweredAndThenTheConnectionEnds() throws Exception {
    Identity server = TestCertificates.make(folder, "server");
    LiveApi api = LiveApi.without().with(Http2Test.tls(server));
    api.beforeAll(null);
    try (RawHttp2 http = new RawHttp2(server.trustedBy(null), api.port(), true)) {
      for (int stream = 1; stream <= 5; stream += 2) {
        http.head(stream, false, "POST", "/v1/names/canonicalize", FIELDS);
      }
      http.body(3, false, NAME.substring(0, 5));
      http.head(7, true, "GET", "/version");
      assertThat(http.answer(7).status()).isEqualTo(200);

      Future<Void> stopped = api.vertx.close();
      assertThat(http.goAway()).isZero();
      http.body(1, true, NAME);
      assertThat(http.answer(1).status()).isEqualTo(200);
      http.body(3, true, NAME.substring(5));
      assertThat(http.answer(3).status()).isEqualTo(200);
      http.body(5, true, NAME);
      assertThat(http.answer(5).status()).isEqualTo(200);
      assertThat(http.end()).isZero();
      stopped.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    } finally {
      api.meters.close();
    }
    assertThat(api.drain.cut().sum()).isZero();
  }
}

package com.memoryendpoints.gateway.http;

import static com.memoryendpoints.gateway.http.Health.Reason.CONNECTING;
import static com.memoryendpoints.gateway.http.Health.Reason.DATABASE_DOWN;
import static com.memoryendpoints.gateway.http.Health.Reason.DRAINING;
import static com.memoryendpoints.gateway.http.Health.Reason.EPOCHS_USED_UP;
import static com.memoryendpoints.gateway.http.Health.Reason.MIGRATING;
import static com.memoryendpoints.gateway.http.Health.Reason.STANDBY;
import static com.memoryendpoints.gateway.http.Health.Reason.STARTING;
import static com.memoryendpoints.gateway.http.Health.Reason.UNANCHORED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.db.Standing;
import com.memoryendpoints.gateway.meter.Meters;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.client.WebClientOptions;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When the process wants requests, when it wants to be restarted, and how it says so. */
class HealthTest {
  private final Vertx vertx = Vertx.vertx();
  private final Meters meters = new Meters();
  private final Promise<Void> migrated = Promise.promise();
  private final Health health = new Health(migrated.future());
  private final AtomicReference<Standing> standing = new AtomicReference<>(Standing.DOWN);
  private final AtomicLong downMs = new AtomicLong();

  @AfterEach
  void close() {
    done(vertx.close());
    meters.close();
  }

  @Test
  void itIsReadyWhenStartedMigratedAndConnectedOnce() {
    health.watch(vertx, standing::get, downMs::get);
    assertThat(health.whyNotReady()).containsExactly(STARTING, MIGRATING);
    health.started();
    assertThat(health.whyNotReady()).containsExactly(MIGRATING);
    migrated.complete();
    assertThat(health.whyNotReady()).containsExactly(CONNECTING);
    standing.set(Standing.UP);
    assertThat(health.whyNotReady()).isEmpty();
  }

  @Test
  void aShortLossOfTheDatabaseDoesNotCount() {
    begin();
    standing.set(Standing.DOWN);
    downMs.set(Health.DATABASE_DOWN_MS_MAX);
    assertThat(health.whyNotReady()).isEmpty();
    downMs.set(Health.DATABASE_DOWN_MS_MAX + 1);
    assertThat(health.whyNotReady()).containsExactly(DATABASE_DOWN);
    standing.set(Standing.STANDBY);
    assertThat(health.whyNotReady()).containsExactly(STANDBY);
    standing.set(Standing.UP);
    assertThat(health.whyNotReady()).isEmpty();
  }

  @Test
  void aDatabaseOfAnotherHistoryCountsAtOnce() {
    begin();
    standing.set(Standing.UNANCHORED);
    assertThat(health.whyNotReady()).containsExactly(UNANCHORED);
  }

  @Test
  void usedUpEpochsCountAtOnceThoughTheDatabaseIsUp() {
    begin();
    standing.set(Standing.USED_UP);
    assertThat(health.whyNotReady()).containsExactly(EPOCHS_USED_UP);
  }

  @Test
  void whoDrainsIsNotReadyButLive() {
    begin();
    health.draining();
    assertThat(health.whyNotReady()).containsExactly(DRAINING);
    assertThat(health.isLive()).isTrue();
  }

  @Test
  void anEventLoopThatHangsIsNotLive() {
    begin();
    CountDownLatch hang = new CountDownLatch(1);
    Vertx hanging = Vertx.vertx(new VertxOptions().setBlockedThreadCheckInterval(60_000));
    hanging
        .getOrCreateContext()
        .runOnContext(
            now -> {
              health.watch(hanging, standing::get, downMs::get);
              awaitQuietly(hang);
            });
    await().atMost(2L * Health.SILENT_MS_MAX, TimeUnit.MILLISECONDS).until(() -> !health.isLive());
    assertThat(health.whyNotReady()).isEmpty();
    hang.countDown();
    await().until(health::isLive);
    done(hanging.close());
  }

  @Test
  void itIsToldInJson() {
    WebClient client = deploy();
    assertThat(get(client, "/health/live").bodyAsString())
        .isEqualTo("{\"live\":true,\"detail\":\"Every event loop runs.\"}");
    HttpResponse<Buffer> notReady = get(client, "/health/ready");
    assertThat(notReady.statusCode()).isEqualTo(503);
    assertThat(notReady.getHeader("content-type")).isEqualTo("application/json");
    assertThat(notReady.bodyAsString())
        .startsWith("{\"ready\":false,\"reasons\":[{\"code\":\"STARTING\",\"detail\":\"");
    begin();
    HttpResponse<Buffer> ready = get(client, "/health/ready");
    assertThat(ready.statusCode()).isEqualTo(200);
    assertThat(ready.bodyAsString()).isEqualTo("{\"ready\":true,\"reasons\":[]}");
  }

  /** Process-wide "a connection is up" does not say it: one event loop may be without. */
  @Test
  void theMetricsSayWhatTheProbeSays() {
    WebClient client = deploy();
    assertThat(get(client, "/metrics").bodyAsString()).contains("\ngateway_ready 0.0\n");
    begin();
    meters.connectionsUp().increment();
    assertThat(get(client, "/metrics").bodyAsString()).contains("\ngateway_ready 1.0\n");
    standing.set(Standing.USED_UP);
    assertThat(get(client, "/metrics").bodyAsString())
        .contains("\ngateway_ready 0.0\n", "\ndb_up 1.0\n");
  }

  @Test
  void metricsAreInThePrometheusFormat() {
    HttpResponse<Buffer> metrics = get(deploy(), "/metrics");
    assertThat(metrics.statusCode()).isEqualTo(200);
    assertThat(metrics.getHeader("content-type")).startsWith("text/plain; version=0.0.4");
    assertThat(metrics.bodyAsString())
        .contains("# TYPE lease_renewal_latency_seconds histogram", "jvm_memory_used_bytes");
  }

  @Test
  void whatIsNotThereIsAProblemHereToo() {
    WebClient client = deploy();
    HttpResponse<Buffer> absent = get(client, "/v1/leases");
    assertThat(absent.statusCode()).isEqualTo(404);
    assertThat(absent.getHeader("content-type")).isEqualTo("application/problem+json");
    assertThat(absent.bodyAsJsonObject().getString("code")).isEqualTo("NO_SUCH_ROUTE");
    HttpResponse<Buffer> posted =
        done(client.post("/metrics").sendBuffer(Buffer.buffer(new byte[1 << 20])));
    assertThat(posted.statusCode()).isEqualTo(405);
    assertThat(posted.getHeader("allow")).isEqualTo("GET, HEAD");
    assertThat(done(client.head("/health/live").send()).statusCode()).isEqualTo(200);
  }

  private void begin() {
    standing.set(Standing.UP);
    health.watch(vertx, standing::get, downMs::get);
    health.started();
    migrated.tryComplete();
    assertThat(health.whyNotReady()).isEmpty();
  }

  private WebClient deploy() {
    ManagementVerticle management =
        new ManagementVerticle(new Config.Management("127.0.0.1", 0), health, meters);
    done(vertx.deployVerticle(management));
    return WebClient.create(
        vertx,
        new WebClientOptions().setDefaultHost("127.0.0.1").setDefaultPort(management.port()));
  }

  private static HttpResponse<Buffer> get(WebClient client, String path) {
    return done(client.get(path).send());
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static <T> T done(Future<T> future) {
    return future.toCompletionStage().toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join();
  }
}

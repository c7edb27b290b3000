package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.http.RawHttp.Answer;
import com.memoryendpoints.gateway.meter.Meters;
import com.memoryendpoints.gateway.tenant.Caller;
import com.memoryendpoints.gateway.tenant.Term;
import com.memoryendpoints.gateway.tenant.Terms;
import io.github.bucket4j.TimeMeter;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What each principal and each tenant may ask for, before the database is asked for anything. */
@Timeout(60)
class ThrottleTest {
  private static final int PER_SECOND = 7;
  private static final int BURST = 20;
  private static final int TENANT_BURST = 30;
  private static final int FACTOR = 10;

  @RegisterExtension
  static final LiveApi API =
      LiveApi.limiting(
          new Config.RateLimit(
              new Config.Rate(PER_SECOND, BURST),
              new Config.Rate(11, TENANT_BURST),
              FACTOR,
              Config.Rate.UNLIMITED,
              List.of()));

  private RawHttp http;

  @BeforeEach
  void everyBucketIsFull() throws Exception {
    API.clock.addAndGet(TimeUnit.HOURS.toNanos(1));
    http = API.connect();
  }

  @AfterEach
  void close() throws Exception {
    http.close();
  }

  @Test
  void aCallerHasItsBurstAtOnceAndAfterThatExactlyTheStatedRate() throws Exception {
    Random random = new Random(5);
    int letIn = 0;
    long begun = API.clock.get();
    while (API.clock.get() - begun < TimeUnit.SECONDS.toNanos(60)) {
      while (call(LiveApi.TOKEN).status() == 200) {
        letIn++;
      }
      // The bucket is empty, and what comes in the meantime fits into it.
      API.clock.addAndGet(random.nextLong(TimeUnit.SECONDS.toNanos(2)));
    }
    while (call(LiveApi.TOKEN).status() == 200) {
      letIn++;
    }
    long elapsed = API.clock.get() - begun;
    assertThat(letIn).isEqualTo(BURST + PER_SECOND * elapsed / TimeUnit.SECONDS.toNanos(1));
  }

  @Test
  void whoWaitsExactlyAsLongAsToldIsLetInAndHardlySooner() throws Exception {
    for (long seed = 0; seed < 40; seed++) {
      Random random = new Random(seed);
      API.clock.addAndGet(random.nextLong(TimeUnit.SECONDS.toNanos(3)));
      String token = random.nextBoolean() ? LiveApi.TOKEN : LiveApi.OTHER;
      int items = 1 + random.nextInt(3 * BURST);
      Answer answer = batch(token, items);
      if (answer.status() == 200) {
        continue;
      }
      assertThat(answer.code()).isEqualTo("RATE_LIMITED");
      long ms = answer.json().path("retry_after_ms").asLong();
      assertThat(ms).as("seed %d", seed).isPositive();
      assertThat(answer.headers())
          .containsEntry("retry-after", Long.toString(Math.max(1, (ms + 999) / 1000)));
      if (ms > 2) {
        API.clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(ms - 2));
        assertThat(batch(token, items).status()).as("seed %d, too early", seed).isEqualTo(429);
        API.clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(2));
      } else {
        API.clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(ms));
      }
      assertThat(batch(token, items).status()).as("seed %d, on time", seed).isEqualTo(200);
    }
  }

  @Test
  void aBatchCostsATokenForEachItemAndOneThatIsRefusedCostsNone() throws Exception {
    assertThat(batch(LiveApi.TOKEN, 15).status()).isEqualTo(200);
    assertThat(batch(LiveApi.TOKEN, 6).status()).isEqualTo(429);
    assertThat(batch(LiveApi.TOKEN, 5).status()).isEqualTo(200);
    assertThat(batch(LiveApi.TOKEN, 1).status()).isEqualTo(429);
  }

  @Test
  void aBatchLargerThanTheBucketIsLetInByAFullOneAndPaidForAfterwards() throws Exception {
    assertThat(batch(LiveApi.TOKEN, 2 * BURST).status()).isEqualTo(200);
    Answer refused = call(LiveApi.TOKEN);
    assertThat(refused.status()).isEqualTo(429);
    // It owes 20 and needs 1 more, at 7 a second; of the tenant it owes 10 and needs 1, at 11.
    assertThat(refused.json().path("retry_after_ms").asLong()).isEqualTo(3_001);
    API.clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(3_001));
    assertThat(call(LiveApi.TOKEN).status()).isEqualTo(200);
  }

  @Test
  void aBodyThatCannotBeReadCostsOneToken() throws Exception {
    for (int i = 0; i < BURST; i++) {
      Answer answer = send(LiveApi.TOKEN, "/v1/leases/verify/batch", "{");
      assertThat(answer.code()).isEqualTo("MALFORMED_BODY");
    }
    assertThat(send(LiveApi.TOKEN, "/v1/leases/verify/batch", "{").code())
        .isEqualTo("RATE_LIMITED");
  }

  @Test
  void aStormOfClaimsLeavesRenewalsAndReleasesAlone() throws Exception {
    while (call(LiveApi.TOKEN).status() == 200) {
      assertThat(call(LiveApi.STRANGER).status()).isIn(200, 429);
    }
    for (String path :
        List.of(
            "/v1/leases/renew", "/v1/leases/release", "/v1/pools/p/renew", "/v1/pools/p/release")) {
      // Let in: what is wrong is what it says.
      Answer answer = send(LiveApi.TOKEN, path, "{}");
      assertThat(answer.code()).as(path).isEqualTo("INVALID_REQUEST");
      assertThat(answer.headers().get("ratelimit")).startsWith("\"upkeep\";r=");
    }
    String items = items(BURST * FACTOR - 4);
    assertThat(send(LiveApi.TOKEN, "/v1/leases/renew/batch", items).status()).isEqualTo(200);
    assertThat(send(LiveApi.TOKEN, "/v1/leases/release/batch", items(1)).status()).isEqualTo(429);
    assertThat(send(LiveApi.TOKEN, "/v1/leases/renew", "{}").code()).isEqualTo("RATE_LIMITED");
  }

  @Test
  void thePrincipalsOfATenantShareItsBucketAndOtherTenantsHaveTheirOwn() throws Exception {
    assertThat(batch(LiveApi.TOKEN, BURST).status()).isEqualTo(200);
    assertThat(batch(LiveApi.OTHER, TENANT_BURST - BURST + 1).status()).isEqualTo(429);
    assertThat(batch(LiveApi.OTHER, TENANT_BURST - BURST).status()).isEqualTo(200);
    assertThat(batch(LiveApi.OTHER, 1).status()).isEqualTo(429);
    assertThat(batch(LiveApi.STRANGER, BURST).status()).isEqualTo(200);
    // What the tenant refused was not taken from the principal.
    API.clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
    assertThat(batch(LiveApi.OTHER, 11).status()).isEqualTo(200);
  }

  @Test
  void everyAnswerTellsThePolicyAndWhatIsLeft() throws Exception {
    Answer answer = call(LiveApi.TOKEN);
    assertThat(answer.headers())
        .containsEntry("ratelimit-policy", "\"default\";q=21;w=3, \"tenant\";q=33;w=3")
        .containsEntry("ratelimit", "\"default\";r=19;t=1, \"tenant\";r=29;t=1");
    assertThat(batch(LiveApi.TOKEN, 16).headers())
        .containsEntry("ratelimit", "\"default\";r=3;t=3, \"tenant\";r=13;t=2");
    Answer refused = batch(LiveApi.TOKEN, 4);
    assertThat(refused.headers())
        .containsEntry("ratelimit", "\"default\";r=3;t=3, \"tenant\";r=13;t=2")
        .containsEntry("retry-after", "1");
    assertThat(http.send("GET", "/version", List.of(), "").answer().headers())
        .doesNotContainKeys("ratelimit", "ratelimit-policy");
  }

  @Test
  void aTokenIsLookedAtBeforeTheLimitAndItsScopeAfterwards() throws Exception {
    assertThat(call("unknown").headers()).doesNotContainKey("ratelimit");
    assertThat(call(LiveApi.READER).code()).isEqualTo("INSUFFICIENT_SCOPE");
    while (call(LiveApi.TOKEN).status() == 200) {
      assertThat(call("unknown").code()).isEqualTo("UNAUTHENTICATED");
    }
    assertThat(call(LiveApi.READER).code()).isEqualTo("RATE_LIMITED");
  }

  @Test
  void whatIsRefusedIsCountedByTheLimitThatRefused() throws Exception {
    batch(LiveApi.TOKEN, BURST);
    double before = limited("default");
    double ofTenants = limited("tenant");
    batch(LiveApi.TOKEN, 1);
    batch(LiveApi.OTHER, BURST);
    assertThat(limited("default")).isEqualTo(before + 1);
    assertThat(limited("tenant")).isEqualTo(ofTenants + 1);
  }

  /** Tenant of the tokens, and what was agreed with it until the next test. */
  private void agreed(Map<Term, Long> terms) {
    API.tenants.learnt(new UUID(7, 7), new Terms(terms), System.nanoTime());
  }

  private int letIn() throws Exception {
    int letIn = 0;
    while (call(LiveApi.TOKEN).status() == 200) {
      letIn++;
    }
    return letIn;
  }

  @Test
  void anAgreedRateHoldsForALivingBucketWithoutAnotherBurst() throws Exception {
    assertThat(letIn()).isEqualTo(BURST);
    agreed(Map.of(Term.REQUESTS_PER_SECOND, 2L, Term.BURST, 50L));
    try {
      Answer refused = call(LiveApi.TOKEN);
      assertThat(refused.code()).isEqualTo("RATE_LIMITED");
      assertThat(refused.headers().get("ratelimit-policy")).startsWith("\"default\";q=50;w=25, ");
      API.clock.addAndGet(TimeUnit.SECONDS.toNanos(3));
      assertThat(letIn()).isEqualTo(6);
      agreed(Map.of());
      assertThat(letIn()).isZero();
      API.clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
      assertThat(letIn()).isEqualTo(PER_SECOND);
    } finally {
      agreed(Map.of());
      call(LiveApi.TOKEN); // Its buckets are as configured again before the hour passes.
    }
  }

  @Test
  void aTenantCanBeLimitedMoreOrNotAtAll() throws Exception {
    agreed(Map.of(Term.TENANT_REQUESTS_PER_SECOND, 3L));
    try {
      assertThat(letIn()).isEqualTo(3);
      agreed(Map.of(Term.TENANT_REQUESTS_PER_SECOND, 0L, Term.REQUESTS_PER_SECOND, 0L));
      for (int i = 0; i < 100; i++) {
        Answer answer = call(LiveApi.TOKEN);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.headers()).doesNotContainKeys("ratelimit", "ratelimit-policy");
      }
    } finally {
      agreed(Map.of());
      call(LiveApi.TOKEN); // Its buckets are as configured again before the hour passes.
    }
  }

  /** A clock at which no bucket fills. */
  private static final TimeMeter STOPPED =
      new TimeMeter() {
        @Override
        public long currentTimeNanos() {
          return 0;
        }

        @Override
        public boolean isWallClockBased() {
          return false;
        }
      };

  @Test
  void aMillionPrincipalsHaveBucketsInBoundedMemory() {
    Allowances<Caller> allowances =
        new Allowances<>(
            Meters.Limit.DEFAULT, caller -> caller, any -> new Config.Rate(1, 1), STOPPED);
    UUID tenant = new UUID(9, 9);
    Caller busy = new Caller(tenant, "busy");
    int letIn = 0;
    for (int i = 0; i < 1_000_000; i++) {
      allowances.of(new Caller(tenant, "principal " + i)).take(1);
      if (i % 1_000 == 0 && allowances.of(busy).take(1)) {
        letIn++;
      }
    }
    // A million others do not fill the bucket of one who calls on.
    assertThat(letIn).isOne();
    assertThat(allowances.size()).isBetween(1_000L, (long) Limits.RATE_LIMIT_CALLERS_MAX);
  }

  private Answer call(String token) throws Exception {
    return send(token, "/v1/names/canonicalize", "{\"display_name\":\"A\"}");
  }

  /** A batch none of whose items gets as far as the database. */
  private Answer batch(String token, int items) throws Exception {
    return send(token, "/v1/leases/verify/batch", items(items));
  }

  private static String items(int items) {
    return "{\"items\":[{}" + ",{}".repeat(items - 1) + "]}";
  }

  private Answer send(String token, String path, String body) throws Exception {
    List<String> headers =
        List.of("Authorization: Bearer " + token, "Content-Type: application/json");
    return http.send("POST", path, headers, body).answer();
  }

  private static double limited(String limit) {
    return API.meters.registry().get("requests.limited").tag("limit", limit).counter().count();
  }
}

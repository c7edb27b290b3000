package com.memoryendpoints.gateway.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.memoryendpoints.gateway.meter.Meters;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class InFlightTest {
  private static final UUID TENANT = new UUID(1, 1);
  private static final IdempotencyKey KEY =
      IdempotencyKey.parse("019a2f4e-8a00-7b11-8c22-d3e4f5061728");

  private final Meters meters = new Meters();
  private final InFlight inFlight = new InFlight(meters);
  private final Promise<String> first = Promise.promise();

  @AfterEach
  void close() {
    meters.close();
  }

  @Test
  void aKeyInUseIsRefusedUntilItsRequestIsAnswered() {
    Future<String> served = start(TENANT, Operation.CLAIM, KEY, "a", first.future());
    Refusal refusal = refusal(start(TENANT, Operation.CLAIM, KEY, "a", Future.succeededFuture()));
    assertThat(refusal.problem()).isEqualTo(Problem.REQUEST_IN_PROGRESS);
    assertThat(refusal.members()).containsKey("retry_after_ms");
    first.complete("done");
    assertThat(served.result()).isEqualTo("done");
    assertThat(start(TENANT, Operation.CLAIM, KEY, "a", Future.succeededFuture("b")).result())
        .isEqualTo("b");
  }

  @Test
  void anotherRequestUnderAKeyInUseIsToldSo() {
    start(TENANT, Operation.CLAIM, KEY, "a", first.future());
    Future<String> other = start(TENANT, Operation.CLAIM, KEY, "b", Future.succeededFuture());
    assertThat(refusal(other).problem()).isEqualTo(Problem.IDEMPOTENCY_KEY_REUSED);
  }

  @Test
  void anotherTenantOrOperationIsAnotherKeySpace() {
    start(TENANT, Operation.CLAIM, KEY, "a", first.future());
    Future<String> done = Future.succeededFuture("c");
    assertThat(start(new UUID(1, 2), Operation.CLAIM, KEY, "a", done).succeeded()).isTrue();
    assertThat(start(TENANT, Operation.COMMIT, KEY, "a", done).succeeded()).isTrue();
    assertThat(start(TENANT, Operation.CLAIM, null, "a", done).succeeded()).isTrue();
  }

  @Test
  void aKeyOfAnotherPoolIsAnotherKey() {
    inPool("one", first.future());
    assertThat(refusal(inPool("one", first.future())).problem())
        .isEqualTo(Problem.REQUEST_IN_PROGRESS);
    assertThat(inPool("two", Future.succeededFuture("e")).result()).isEqualTo("e");
  }

  private Future<String> inPool(String pool, Future<String> answer) {
    return inFlight.once(
        TENANT, Operation.POOL_CLAIM, pool, KEY, () -> fingerprint("a"), () -> answer);
  }

  @Test
  void aRequestThatFailsOrThrowsFreesItsKey() {
    start(TENANT, Operation.CLAIM, KEY, "a", Future.failedFuture("no"));
    assertThatThrownBy(
            () ->
                inFlight.once(
                    TENANT,
                    Operation.CLAIM,
                    KEY,
                    () -> fingerprint("a"),
                    () -> {
                      throw new IllegalStateException("a defect");
                    }))
        .hasMessage("a defect");
    Future<String> later = Future.succeededFuture("d");
    assertThat(start(TENANT, Operation.CLAIM, KEY, "a", later).succeeded()).isTrue();
  }

  private Future<String> start(
      UUID tenant, Operation operation, IdempotencyKey key, String request, Future<String> answer) {
    return inFlight.once(tenant, operation, key, () -> fingerprint(request), () -> answer);
  }

  private static Refusal refusal(Future<String> refused) {
    assertThat(refused.cause()).isInstanceOf(Refusal.class);
    return (Refusal) refused.cause();
  }

  private static Fingerprint fingerprint(String request) {
    return Fingerprint.of(Operation.CLAIM, request);
  }
}

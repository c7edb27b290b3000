package com.memoryendpoints.gateway.lease;

import static com.memoryendpoints.gateway.lease.Answers.answer;
import static com.memoryendpoints.gateway.lease.Answers.problem;
import static com.memoryendpoints.gateway.lease.Answers.refusal;
import static com.memoryendpoints.gateway.lease.TestGateway.digest;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.idempotency.IdempotencyKey;
import com.memoryendpoints.gateway.problem.Problem;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What one key stands for: one request of one tenant and one operation, once it has an effect. */
class KeyLawsTest {
  @RegisterExtension static final TestGateway GATEWAY = TestGateway.ofPods(2);

  private final Actor alice = GATEWAY.alice();
  private final Actor mallory = GATEWAY.mallory();

  /** Scenario 21: another request under the key is refused, whatever differs. */
  @Test
  void anotherRequestUnderAUsedKeyIsRefused() {
    IdempotencyKey key = alice.key();
    UUID memory = alice.memory();
    Lease lease = answer(alice.claims(alice.claim(key, "Key Holder", memory, 30))).lease();
    List<?> before = GATEWAY.everything();
    assertThat(
            List.of(
                problem(alice.claims(alice.claim(key, "Other Name", memory, 30))),
                problem(alice.claims(alice.claim(key, "key holder", memory, 30))),
                problem(alice.claims(alice.claim(key, "Key Holder", alice.memory(), 30))),
                problem(alice.claims(alice.claim(key, "Key Holder", key.value(), 30))),
                problem(alice.claims(alice.claim(key, "Key Holder", memory, 31))),
                problem(alice.as("w").claims(alice.as("w").claim(key, "Key Holder", memory, 30))),
                problem(
                    alice
                        .under("bob")
                        .claims(alice.under("bob").claim(key, "Key Holder", memory, 30)))))
        .containsOnly(Problem.IDEMPOTENCY_KEY_REUSED);
    assertThat(refusal(alice.claims(alice.claim(key, "Else", memory, 30))).members()).isEmpty();
    assertThat(GATEWAY.everything()).hasSize(before.size() + 4);
    assertThat(answer(alice.claims(alice.claim(key, "Key Holder", memory, 30))))
        .isEqualTo(new Claimed(lease, true));
  }

  /** Scenario 20: a tenant that sends another's key and body gets its own result. */
  @Test
  void aKeyOfAnotherTenantMeansNothing() {
    IdempotencyKey key = alice.key();
    UUID memory = alice.memory();
    Lease lease = answer(alice.claims(alice.claim(key, "Shared Key", memory, 30))).lease();
    assertThat(problem(mallory.claims(mallory.claim(key, "Shared Key", memory, 30))))
        .isEqualTo(Problem.MEMORY_NOT_FOUND);
    UUID own = mallory.memory();
    assertThat(problem(mallory.claims(mallory.claim(key, "Shared Key", own, 30))))
        .isEqualTo(Problem.NAME_HELD);
    Claimed theirs = answer(mallory.claims(mallory.claim(key, "Own Name", own, 30)));
    assertThat(theirs.replayed()).isFalse();
    assertThat(theirs.lease().leaseId()).isNotEqualTo(lease.leaseId());
    assertThat(answer(alice.claims(alice.claim(key, "Shared Key", memory, 30))).lease())
        .isEqualTo(lease);
  }

  @Test
  void eachOperationHasAKeySpaceOfItsOwn() {
    IdempotencyKey key = alice.key();
    Registered memory = answer(alice.registers(key, null));
    Lease lease =
        answer(alice.claims(alice.claim(key, "Four Ways", memory.memory().memoryId(), 30))).lease();
    Committed committed = answer(alice.commits(key, lease, digest(1), null));
    Registered child = answer(alice.branches(key, lease.memoryId(), lease.fencingToken()));
    assertThat(List.of(memory.replayed(), committed.replayed(), child.replayed()))
        .containsOnly(false);
    assertThat(answer(alice.registers(key, null)).memory()).isEqualTo(memory.memory());
    assertThat(answer(alice.commits(key, lease, digest(1), null)).replayed()).isTrue();
    assertThat(answer(alice.branches(key, lease.memoryId(), lease.fencingToken())).memory())
        .isEqualTo(child.memory());
  }

  /** Scenario 24: only effects are recorded, so a refused key works later. */
  @Test
  void aRefusedKeyWorksLater() {
    IdempotencyKey key = alice.key();
    UUID unknown = alice.key().value();
    Claim claim = alice.claim(key, "Patient", unknown, 30);
    assertThat(problem(alice.claims(claim))).isEqualTo(Problem.MEMORY_NOT_FOUND);
    answer(alice.registers(null, unknown));
    Lease holder = alice.as("holder").granted("Patient", alice.memory());
    assertThat(problem(alice.claims(claim))).isEqualTo(Problem.NAME_HELD);
    answer(alice.as("holder").releases(holder));
    Lease taken = alice.as("holder").granted("Impatient", unknown);
    assertThat(problem(alice.claims(claim))).isEqualTo(Problem.MEMORY_HELD);
    answer(alice.as("holder").releases(taken));
    assertThat(records(key)).isZero();
    Claimed claimed = answer(alice.claims(claim));
    assertThat(claimed.replayed()).isFalse();
    assertThat(records(key)).isOne();
    assertThat(answer(alice.claims(claim))).isEqualTo(new Claimed(claimed.lease(), true));
  }

  /** A refused key is free for any request, too: nothing remembers the first. */
  @Test
  void aRefusedKeyIsFreeForAnotherRequest() {
    IdempotencyKey key = alice.key();
    assertThat(problem(alice.claims(alice.claim(key, "Nowhere", key.value(), 30))))
        .isEqualTo(Problem.MEMORY_NOT_FOUND);
    answer(alice.claims(alice.claim(key, "Somewhere", alice.memory(), 60)));
  }

  /** Keys of the day before and the day after lie in other partitions, and are as good. */
  @Test
  void keysOfTheNeighbouringDaysAreRemembered() {
    long day = 24L * 60 * 60 * 1000;
    for (long offset : new long[] {-day + 60_000, 0, day - 60_000}) {
      IdempotencyKey now = alice.key();
      IdempotencyKey key =
          new IdempotencyKey(
              new UUID(
                  now.value().getMostSignificantBits() + (offset << 16),
                  now.value().getLeastSignificantBits()));
      Claim claim = alice.claim(key, "Day " + Math.abs(offset - day), alice.memory(), 30);
      Lease lease = answer(alice.claims(claim)).lease();
      assertThat(answer(alice.claims(claim))).isEqualTo(new Claimed(lease, true));
    }
  }

  private static long records(IdempotencyKey key) {
    return (Long)
        GATEWAY
            .database()
            .value("SELECT count(*) FROM idempotency_records WHERE key = ?", key.value());
  }
}

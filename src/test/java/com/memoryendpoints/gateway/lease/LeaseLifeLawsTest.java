package com.memoryendpoints.gateway.lease;

import static com.memoryendpoints.gateway.lease.Answers.answer;
import static com.memoryendpoints.gateway.lease.Answers.each;
import static com.memoryendpoints.gateway.lease.Answers.problem;
import static com.memoryendpoints.gateway.lease.Answers.refusal;
import static com.memoryendpoints.gateway.lease.TestGateway.digest;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.problem.Problem;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A lease from its claim to its release, while it is live. */
class LeaseLifeLawsTest {
  @RegisterExtension static final TestGateway GATEWAY = TestGateway.ofPods(1);

  private final Actor alice = GATEWAY.alice();

  private Lease granted(String name, int ttlSeconds) {
    return answer(alice.claims(alice.claim(alice.key(), name, alice.memory(), ttlSeconds))).lease();
  }

  private static Instant databaseNow() {
    return ((Timestamp) GATEWAY.database().value("SELECT clock_timestamp()")).toInstant();
  }

  @Test
  void aGrantLastsItsTtlByTheDatabasesClock() {
    Instant before = databaseNow();
    Lease lease = granted("Timed", 77);
    assertThat(lease.grantedAt()).isBetween(before, databaseNow());
    assertThat(lease.expiresAt()).isEqualTo(lease.grantedAt().plusSeconds(77));
    assertThat(lease.ttlSeconds()).isEqualTo(77);
    assertThat(lease.fencingToken().value()).isBetween(1L, FencingToken.MAX);
    assertThat(lease.canonicalName()).isEqualTo("timed");
  }

  @Test
  void aRenewalLastsItsTtlFromNow() {
    Lease lease = granted("Renewed", 10);
    Instant before = databaseNow();
    Renewed renewed = answer(alice.renews(lease, 100));
    assertThat(renewed.ttlSeconds()).isEqualTo(100);
    assertThat(renewed.expiresAt())
        .isBetween(before.plusSeconds(100), databaseNow().plusSeconds(100));
    assertThat(answer(alice.verifies(lease)).expiresAt()).isEqualTo(renewed.expiresAt());
  }

  @Test
  void aRenewalNeverShortens() {
    Lease lease = granted("Long", 300);
    Renewed renewed = answer(alice.renews(lease, 1));
    assertThat(renewed.expiresAt()).isEqualTo(lease.expiresAt());
    assertThat(answer(alice.finds(lease)).lease().expiresAt()).isEqualTo(lease.expiresAt());
  }

  @Test
  void aRenewalWithoutATtlKeepsTheGrantedOne() {
    Lease lease = granted("Keeper", 50);
    answer(alice.renews(lease, 60));
    Renewed renewed = answer(alice.renews(lease, null));
    assertThat(renewed.ttlSeconds()).isEqualTo(50);
    assertThat(answer(alice.finds(lease)).lease().ttlSeconds()).isEqualTo(50);
  }

  /** The clock may step back; a lease never lasts longer than 300 seconds from now for that. */
  @Test
  void aRenewalIsBoundedEvenWhereTheClockWasSetBack() {
    Lease lease = granted("Stepped", 300);
    GATEWAY
        .database()
        .run(
            "UPDATE leases SET expires_at = clock_timestamp() + interval '1 day' WHERE lease_id = '"
                + lease.leaseId()
                + "'");
    assertThat(answer(alice.renews(lease, 30)).expiresAt())
        .isBetween(databaseNow().plusSeconds(200), databaseNow().plusSeconds(300));
  }

  @Test
  void twoRenewalsInOneStatementTellTheSameEnd() {
    Lease lease = granted("Twice", 30);
    List<Renewed> renewed =
        each(
            alice.together(
                n -> alice.pod().leases.renew(TestPod.renewal(lease, n == 0 ? 200 : 100)), 2),
            answer -> answer);
    Instant end = answer(alice.finds(lease)).lease().expiresAt();
    assertThat(renewed).extracting(Renewed::expiresAt).containsOnly(end);
  }

  @Test
  void aVerifiedTokenTellsWhatIsLeftOfIt() {
    Lease lease = granted("Verified", 300);
    Verified verified = answer(alice.verifies(lease));
    assertThat(verified.canonicalName()).isEqualTo("verified");
    assertThat(verified.expiresAt()).isEqualTo(lease.expiresAt());
    assertThat(Duration.ofMillis(verified.ttlRemainingMs()))
        .isBetween(Duration.ofSeconds(200), Duration.ofSeconds(300));
  }

  @Test
  void aReleaseEndsTheLeaseAndIsTheSameTwice() {
    Lease lease = granted("Released", 30);
    assertThat(answer(alice.releases(lease))).isEqualTo(lease.fencingToken());
    List<?> after = GATEWAY.everything();
    assertThat(answer(alice.releases(lease))).isEqualTo(lease.fencingToken());
    assertThat(GATEWAY.everything()).isEqualTo(after);
    assertThat(answer(alice.finds(lease)).state()).isEqualTo(LeaseView.State.RELEASED);
    assertThat(answer(alice.finds(lease)).ttlRemainingMs()).isZero();
  }

  @Test
  void twoReleasesInOneStatementAreOneRelease() {
    Lease lease = granted("Double", 30);
    assertThat(
            each(
                alice.together(n -> alice.pod().leases.release(TestPod.release(lease)), 2),
                token -> token))
        .containsExactly(lease.fencingToken(), lease.fencingToken());
  }

  @Test
  void aReleasedLeaseIsGoneForItsOwner() {
    Lease lease = granted("Gone", 30);
    answer(alice.releases(lease));
    List<?> after = GATEWAY.everything();
    assertThat(
            List.of(
                problem(alice.renews(lease, null)),
                problem(alice.verifies(lease)),
                problem(alice.commits(lease, digest(1))),
                problem(alice.branches(lease))))
        .containsOnly(Problem.LEASE_RELEASED);
    assertThat(GATEWAY.everything()).isEqualTo(after);
  }

  @Test
  void whatWasReleasedIsClaimedAtOnceWithAHigherToken() {
    Lease first = granted("Passed On", 300);
    answer(alice.releases(first));
    Lease second = alice.as("successor").granted("Passed On", first.memoryId());
    assertThat(second.fencingToken().value()).isGreaterThan(first.fencingToken().value());
    assertThat(problem(alice.releases(first))).isEqualTo(Problem.STALE_FENCING_TOKEN);
  }

  /** Scenario 3: a release whose answer was lost is sent again, after the lease was claimed. */
  @Test
  void aLateReleaseEndsNoLaterLease() {
    Lease first = granted("Late", 30);
    answer(alice.releases(first));
    Lease second = alice.granted("Late", first.memoryId());
    assertThat(problem(alice.releases(first))).isEqualTo(Problem.STALE_FENCING_TOKEN);
    assertThat(answer(alice.finds(second)).state()).isEqualTo(LeaseView.State.HELD);
    answer(alice.renews(second, null));
  }

  @Test
  void aNameThatIsNotTheLeasesFindsNoLease() {
    Lease lease = granted("Right Name", 30);
    Lease other = granted("Other Name", 30);
    for (String wrong : List.of("othername", "nobody", "RightName", "")) {
      assertThat(problem(alice.renews(wrong, lease.memoryId(), lease.fencingToken(), null)))
          .isEqualTo(Problem.LEASE_NOT_FOUND);
      assertThat(problem(alice.releases(wrong, lease.memoryId(), lease.fencingToken())))
          .isEqualTo(Problem.LEASE_NOT_FOUND);
    }
    assertThat(answer(alice.finds(other)).state()).isEqualTo(LeaseView.State.HELD);
    assertThat(answer(alice.finds(lease)).state()).isEqualTo(LeaseView.State.HELD);
  }

  @Test
  void aMemoryThatWasNeverLeasedHasNoLeaseToRenew() {
    UUID memory = alice.memory();
    FencingToken token = new FencingToken(1);
    assertThat(problem(alice.renews("nobody", memory, token, null)))
        .isEqualTo(Problem.LEASE_NOT_FOUND);
    assertThat(problem(alice.releases("nobody", memory, token))).isEqualTo(Problem.LEASE_NOT_FOUND);
    assertThat(refusal(alice.verifies(memory, token)).problem())
        .isEqualTo(Problem.STALE_FENCING_TOKEN);
    assertThat(problem(alice.branches(null, memory, token))).isEqualTo(Problem.STALE_FENCING_TOKEN);
  }

  @Test
  void aTokenThatWasNeverIssuedIsStaleAndTheCurrentOneIsTold() {
    Lease lease = granted("Guessed", 30);
    long current = lease.fencingToken().value();
    for (long wrong : new long[] {1, current - 1, current + 1, FencingToken.MAX}) {
      FencingToken token = new FencingToken(wrong);
      var calls =
          List.of(
              alice.renews(lease.canonicalName(), lease.memoryId(), token, null),
              alice.releases(lease.canonicalName(), lease.memoryId(), token),
              alice.verifies(lease.memoryId(), token),
              alice.branches(null, lease.memoryId(), token));
      assertThat(calls)
          .allSatisfy(
              call -> {
                assertThat(problem(call)).isEqualTo(Problem.STALE_FENCING_TOKEN);
                assertThat(refusal(call).members()).containsEntry("current_token", current);
              });
    }
  }

  /** Scenario 9: each reason has a problem of its own. */
  @Test
  void aRenewalsRefusalTellsWhichReasonItWas() {
    Lease wrongOwner = granted("Reason One", 30);
    Lease lapsed = granted("Reason Two", 30);
    GATEWAY.lapse(lapsed.memoryId());
    Lease taken = granted("Reason Three", 30);
    answer(alice.releases(taken));
    alice.as("successor").granted("Reason Three", taken.memoryId());
    Lease released = granted("Reason Four", 30);
    answer(alice.releases(released));
    assertThat(
            List.of(
                problem(alice.as("stranger").renews(wrongOwner, null)),
                problem(alice.renews(lapsed, null)),
                problem(alice.renews(taken, null)),
                problem(alice.renews(released, null)),
                problem(alice.renews("reasonone", taken.memoryId(), currentToken(taken), null)),
                problem(alice.renews("reasonone", alice.key().value(), currentToken(taken), null))))
        .containsExactly(
            Problem.OWNER_MISMATCH,
            Problem.LEASE_LAPSED,
            Problem.STALE_FENCING_TOKEN,
            Problem.LEASE_RELEASED,
            Problem.LEASE_NOT_FOUND,
            Problem.MEMORY_NOT_FOUND);
  }

  /** The memory's current token, whoever has it. */
  private FencingToken currentToken(Lease lease) {
    return new FencingToken(answer(alice.finds(lease.memoryId())).fencingToken());
  }

  /** Scenario 13: a short claim takes nothing from a long lease, however often it is tried. */
  @Test
  void aLiveLeaseStandsUntilItsOwnEnd() {
    Lease lease = granted("Standing", 60);
    Actor bob = alice.as("bob");
    UUID other = bob.memory();
    for (int i = 0; i < 20; i++) {
      var refusal = refusal(bob.claims(bob.claim(bob.key(), "Standing", other, 1)));
      assertThat(refusal.problem()).isEqualTo(Problem.NAME_HELD);
      assertThat(refusal.members()).containsEntry("held_until", lease.expiresAt());
      assertThat(problem(bob.claims(bob.claim(bob.key(), "Bob " + i, lease.memoryId(), 1))))
          .isEqualTo(Problem.MEMORY_HELD);
    }
    assertThat(answer(alice.verifies(lease)).expiresAt()).isEqualTo(lease.expiresAt());
  }
}

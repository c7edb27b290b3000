package com.memoryendpoints.gateway.lease;

import static com.memoryendpoints.gateway.lease.Answers.answer;
import static com.memoryendpoints.gateway.lease.Answers.problem;
import static com.memoryendpoints.gateway.lease.Answers.refusal;
import static com.memoryendpoints.gateway.lease.TestGateway.digest;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An owner is tenant, principal and owner_client_id together; a tenant is a wall. */
class OwnerLawsTest {
  @RegisterExtension static final TestGateway GATEWAY = TestGateway.ofPods(1);

  private final Actor alice = GATEWAY.alice();
  private final Actor mallory = GATEWAY.mallory();

  private Actor other(boolean tenant, boolean principal, boolean client) {
    Actor actor = alice;
    actor = tenant ? actor : actor.in(TestPod.STRANGER.tenantId());
    actor = principal ? actor : actor.under("bob");
    return client ? actor : actor.as("worker-2");
  }

  @ParameterizedTest
  @CsvSource({
    "true, true, true, ",
    "true, true, false, OWNER_MISMATCH",
    "true, false, true, OWNER_MISMATCH",
    "true, false, false, OWNER_MISMATCH",
    "false, true, true, MEMORY_NOT_FOUND",
    "false, true, false, MEMORY_NOT_FOUND",
    "false, false, true, MEMORY_NOT_FOUND",
    "false, false, false, MEMORY_NOT_FOUND"
  })
  void onlyTheWholeOwnerRenewsAndReleases(
      boolean tenant, boolean principal, boolean client, Problem refused) {
    Lease lease = alice.granted("Owned", alice.memory());
    Actor actor = other(tenant, principal, client);
    if (refused == null) {
      answer(actor.renews(lease, null));
      answer(actor.releases(lease));
    } else {
      List<?> before = GATEWAY.everything();
      assertThat(problem(actor.renews(lease, null))).isEqualTo(refused);
      assertThat(problem(actor.releases(lease))).isEqualTo(refused);
      assertThat(GATEWAY.everything()).isEqualTo(before);
      answer(alice.releases(lease));
      // Released is no reason to tell another owner more, or less.
      assertThat(problem(actor.releases(lease))).isEqualTo(refused);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "true, true, true, ",
    "true, true, false, MEMORY_HELD",
    "true, false, true, MEMORY_HELD",
    "true, false, false, MEMORY_HELD",
    "false, true, true, MEMORY_NOT_FOUND",
    "false, true, false, MEMORY_NOT_FOUND",
    "false, false, true, MEMORY_NOT_FOUND",
    "false, false, false, MEMORY_NOT_FOUND"
  })
  void onlyTheWholeOwnerClaimsItsLivePairAgain(
      boolean tenant, boolean principal, boolean client, Problem refused) {
    Lease lease = alice.granted("Pair", alice.memory());
    Future<Claimed> again = other(tenant, principal, client).claims("Pair", lease.memoryId());
    if (refused == null) {
      Lease next = answer(again).lease();
      assertThat(next.fencingToken().value()).isGreaterThan(lease.fencingToken().value());
      answer(alice.releases(next));
    } else {
      assertThat(problem(again)).isEqualTo(refused);
      answer(alice.releases(lease));
    }
  }

  /** Seed 1's upsert let a tenant take a live name by using its holder's owner_client_id. */
  @Test
  void theSameClientIdOfAnotherTenantTakesNothing() {
    Lease lease = alice.granted("Coveted", alice.memory());
    assertThat(mallory.owner().clientId()).isEqualTo(alice.owner().clientId());
    assertThat(problem(mallory.claims("Coveted", mallory.memory()))).isEqualTo(Problem.NAME_HELD);
    answer(alice.renews(lease, null));
  }

  @Test
  void aHolderIsShownToItsOwnTenantOnly() {
    Lease lease = alice.granted("Shown", alice.memory());
    Map<String, Object> holder = Map.of("owner_client_id", "worker-1", "since", lease.grantedAt());
    for (Refusal own :
        List.of(
            refusal(alice.under("bob").as("worker-2").claims("Shown", alice.memory())),
            refusal(alice.under("bob").claims("Unshown", lease.memoryId())))) {
      assertThat(own.members())
          .containsEntry("holder", holder)
          .containsEntry("held_until", lease.expiresAt())
          .containsKey("retry_after_ms");
    }
    assertThat(refusal(mallory.claims("Shown", mallory.memory())).members())
        .containsOnlyKeys("held_until", "retry_after_ms");
  }

  @Test
  void anotherTenantsMemoryAnswersLikeNone() {
    Lease lease = alice.granted("Walled", alice.memory());
    answer(alice.commits(lease, digest(1)));
    List<?> before = GATEWAY.everything();
    UUID none = alice.key().value();
    FencingToken token = lease.fencingToken();
    assertSame(
        mallory.claims("Wall Climber", lease.memoryId()), mallory.claims("Wall Climber", none));
    assertSame(
        mallory.renews("walled", lease.memoryId(), token, null),
        mallory.renews("walled", none, token, null));
    assertSame(
        mallory.releases("walled", lease.memoryId(), token),
        mallory.releases("walled", none, token));
    assertSame(mallory.verifies(lease.memoryId(), token), mallory.verifies(none, token));
    assertSame(
        mallory.branches(null, lease.memoryId(), token), mallory.branches(null, none, token));
    assertSame(mallory.commits(lease, digest(2)), mallory.commits(at(lease, none), digest(2)));
    assertSame(mallory.finds(lease.memoryId()), mallory.finds(none));
    assertSame(mallory.traces(lease.memoryId()), mallory.traces(none));
    assertSame(mallory.revokesMemory(lease.memoryId(), token), mallory.revokesMemory(none, token));
    assertThat(GATEWAY.everything()).isEqualTo(before);
  }

  @Test
  void anotherTenantsLeaseAnswersLikeNone() {
    Lease lease = alice.granted("Unseen", alice.memory());
    List<?> before = GATEWAY.everything();
    UUID none = alice.key().value();
    assertThat(problem(mallory.finds(lease))).isEqualTo(Problem.LEASE_NOT_FOUND);
    assertSame(mallory.finds(lease), mallory.finds(at(lease, none)));
    assertSame(mallory.revokesName("unseen", null), mallory.revokesName("neverclaimed", null));
    assertThat(problem(mallory.revokesName("unseen", lease.fencingToken())))
        .isEqualTo(Problem.LEASE_NOT_FOUND);
    assertThat(listed(mallory, new LeaseFilter(null, "unseen"))).isEmpty();
    assertThat(listed(mallory, new LeaseFilter("worker-1", null))).isEmpty();
    assertThat(listed(alice, new LeaseFilter(null, "unseen"))).hasSize(1);
    assertThat(
            answer(
                    mallory
                        .pod()
                        .start(() -> mallory.pod().memories.list(mallory.caller(), null, 100)))
                .items())
        .noneMatch(view -> view.memory().memoryId().equals(lease.memoryId()));
    assertThat(GATEWAY.everything()).isEqualTo(before);
  }

  private static List<LeaseView> listed(Actor actor, LeaseFilter filter) {
    return answer(
            actor.pod().start(() -> actor.pod().leases.list(actor.caller(), filter, null, 100)))
        .items();
  }

  private static Lease at(Lease lease, UUID id) {
    return new Lease(
        id,
        lease.canonicalName(),
        id,
        lease.fencingToken(),
        lease.grantedAt(),
        lease.expiresAt(),
        lease.ttlSeconds());
  }

  private static void assertSame(Future<?> theirs, Future<?> nobodys) {
    Refusal one = refusal(theirs);
    Refusal two = refusal(nobodys);
    assertThat(one.problem().status()).isEqualTo(404);
    assertThat(one.problem()).isEqualTo(two.problem());
    assertThat(one.members()).isEqualTo(two.members());
    assertThat(one.getMessage()).isEqualTo(two.getMessage());
  }
}

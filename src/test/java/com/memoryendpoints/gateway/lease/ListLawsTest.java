package com.memoryendpoints.gateway.lease;

import static com.memoryendpoints.gateway.lease.Answers.answer;
import static com.memoryendpoints.gateway.lease.Answers.each;
import static com.memoryendpoints.gateway.lease.TestGateway.digest;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists show a tenant all that is its own, once, page by page. */
class ListLawsTest {
  @RegisterExtension static final TestGateway GATEWAY = TestGateway.ofPods(1);

  private static final int MEMORIES = 240;
  private static final int LEASES = 160;

  private static List<UUID> memories;
  private static List<Lease> leases;

  private final Actor alice = GATEWAY.alice();
  private final Actor mallory = GATEWAY.mallory();

  /** Leases of two owners among memories of two tenants that were made in turn. */
  @BeforeAll
  static void populate() {
    Actor alice = GATEWAY.alice();
    Actor mallory = GATEWAY.mallory();
    List<UUID> own = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      own.addAll(alice.memories(MEMORIES / 4));
      mallory.memories(MEMORIES / 4);
    }
    memories = List.copyOf(own);
    leases =
        each(
            alice.claimsTogether(
                IntStream.range(0, LEASES)
                    .mapToObj(n -> alice.as("w" + n % 4).claim("Listed " + n, own.get(n)))
                    .toList()),
            Claimed::lease);
    GATEWAY.lapse(own.get(0));
    GATEWAY.lapseAndReap(own.get(1));
    answer(alice.as("w2").releases(leases.get(2)));
    answer(alice.revokesMemory(own.get(3), null));
  }

  private static <T> List<T> pages(Function<UUID, Page<T>> page, int limit) {
    List<T> all = new ArrayList<>();
    UUID after = null;
    do {
      Page<T> next = page.apply(after);
      assertThat(next.items().size()).isLessThanOrEqualTo(limit);
      assertThat(next.next()).isNotEqualTo(after == null ? UUID.randomUUID() : after);
      all.addAll(next.items());
      after = next.next();
    } while (after != null);
    return all;
  }

  private List<LeaseView> leases(Actor actor, LeaseFilter filter, int limit) {
    TestPod pod = actor.pod();
    return pages(
        after -> answer(pod.start(() -> pod.leases.list(actor.caller(), filter, after, limit))),
        limit);
  }

  private List<MemoryView> memories(Actor actor, int limit) {
    TestPod pod = actor.pod();
    return pages(
        after -> answer(pod.start(() -> pod.memories.list(actor.caller(), after, limit))), limit);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 60, 240, 241, 1_000})
  void everyMemoryIsListedOnce(int limit) {
    assertThat(memories(alice, limit))
        .extracting(view -> view.memory().memoryId())
        .containsExactlyElementsOf(memories.stream().sorted().toList());
    assertThat(memories(mallory, limit))
        .extracting(view -> view.memory().memoryId())
        .hasSize(MEMORIES)
        .doesNotContainAnyElementsOf(memories);
  }

  @Test
  void aPageThatHoldsAllIsTheLast() {
    TestPod pod = alice.pod();
    assertThat(answer(pod.start(() -> pod.memories.list(alice.caller(), null, MEMORIES))).next())
        .isNull();
    assertThat(
            answer(
                    pod.start(
                        () ->
                            pod.leases.list(
                                alice.caller(), new LeaseFilter(null, null), null, LEASES - 1)))
                .next())
        .isNull();
  }

  /** A revoked lease is not one any more; lapsed and released ones are shown as such. */
  @ParameterizedTest
  @ValueSource(ints = {1, 9, 159, 1_000})
  void everyLeaseIsListedOnce(int limit) {
    List<LeaseView> listed = leases(alice, new LeaseFilter(null, null), limit);
    List<Lease> expected = new ArrayList<>(leases);
    expected.remove(3);
    assertThat(listed)
        .extracting(view -> view.lease().leaseId())
        .containsExactlyInAnyOrderElementsOf(expected.stream().map(Lease::leaseId).toList());
    assertThat(listed)
        .extracting(view -> view.lease().memoryId())
        .isSortedAccordingTo((a, b) -> a.toString().compareTo(b.toString()));
    assertThat(state(listed, 0)).isEqualTo(LeaseView.State.LAPSED);
    assertThat(state(listed, 1)).isEqualTo(LeaseView.State.LAPSED);
    assertThat(state(listed, 2)).isEqualTo(LeaseView.State.RELEASED);
    assertThat(state(listed, 4)).isEqualTo(LeaseView.State.HELD);
    assertThat(leases(mallory, new LeaseFilter(null, null), limit)).isEmpty();
  }

  private static LeaseView.State state(List<LeaseView> listed, int place) {
    return listed.stream()
        .filter(view -> view.lease().leaseId().equals(leases.get(place).leaseId()))
        .findFirst()
        .orElseThrow()
        .state();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 9, 39, 1_000})
  void anOwnersLeasesAreListedAlone(int limit) {
    assertThat(leases(alice, new LeaseFilter("w1", null), limit))
        .hasSize(LEASES / 4)
        .allMatch(view -> view.ownerClientId().equals("w1"));
    assertThat(leases(alice, new LeaseFilter("W1", null), limit)).isEmpty();
    assertThat(leases(alice, new LeaseFilter("nobody", null), limit)).isEmpty();
  }

  @Test
  void aNamesLeaseIsListedAlone() {
    assertThat(leases(alice, new LeaseFilter(null, "listed7"), 10))
        .extracting(view -> view.lease())
        .containsExactly(leases.get(7));
    assertThat(leases(alice, new LeaseFilter("w3", "listed7"), 10)).hasSize(1);
    assertThat(leases(alice, new LeaseFilter("w0", "listed7"), 10)).isEmpty();
    assertThat(leases(alice, new LeaseFilter(null, "Listed 7"), 10)).isEmpty();
    assertThat(leases(alice, new LeaseFilter(null, "listed3"), 10)).isEmpty();
    assertThat(leases(mallory, new LeaseFilter(null, "listed7"), 10)).isEmpty();
  }

  @Test
  void aMemoryIsListedWithItsLeaseAndItsHead() {
    Lease lease = leases.get(20);
    Committed committed = answer(alice.commits(lease, digest(20)));
    MemoryView view =
        memories(alice, 1_000).stream()
            .filter(each -> each.memory().memoryId().equals(lease.memoryId()))
            .findFirst()
            .orElseThrow();
    assertThat(view.fencingToken()).isEqualTo(lease.fencingToken().value());
    assertThat(view.lease()).isNotNull().extracting(LeaseView::lease).isEqualTo(lease);
    assertThat(view.head()).isEqualTo(new Head(1, digest(20), committed.committedAt()));
  }

  /** What is made while somebody pages shows at the end, and nothing shows twice. */
  @Test
  void whatIsMadeMeanwhileDisturbsNoPage() {
    Actor carol = alice.in(alice.key().value());
    List<UUID> first = carol.memories(30);
    TestPod pod = carol.pod();
    List<UUID> seen = new ArrayList<>();
    seen.addAll(
        pages(
                after -> {
                  if (after != null && seen.isEmpty()) {
                    seen.add(carol.memory());
                  }
                  return answer(pod.start(() -> pod.memories.list(carol.caller(), after, 7)));
                },
                7)
            .stream()
            .map(view -> view.memory().memoryId())
            .toList());
    UUID made = seen.remove(0);
    assertThat(seen)
        .startsWith(first.stream().sorted().toArray(UUID[]::new))
        .doesNotHaveDuplicates();
    assertThat(seen).endsWith(made);
  }

  /** A page looks at so many memories at most, and says where the next one starts. */
  @Test
  void aNarrowFilterFindsItsLeaseBehindManyMemories() {
    Actor dave = alice.in(alice.key().value());
    Lease lease = dave.granted("Far Away", dave.memory());
    GATEWAY
        .database()
        .run(
            """
            WITH made AS (
              INSERT INTO memory_instances (memory_id, tenant_id, created_at)
              SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '%1$s',
                clock_timestamp()
              FROM generate_series(1, %2$d) n RETURNING memory_id),
            headed AS (INSERT INTO memory_heads (memory_id) SELECT memory_id FROM made)
            INSERT INTO leases (memory_id, tenant_id) SELECT memory_id, '%1$s' FROM made
            """
                .formatted(dave.caller().tenantId(), ListLeases.LOOKED_AT_MAX + 5));
    for (LeaseFilter filter :
        List.of(new LeaseFilter(null, null), new LeaseFilter("worker-1", null))) {
      assertThat(leases(dave, filter, 10)).extracting(LeaseView::lease).containsExactly(lease);
    }
  }
}

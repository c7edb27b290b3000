package com.memoryendpoints.gateway.lease;

import static com.memoryendpoints.gateway.lease.Answers.GRANTED;
import static com.memoryendpoints.gateway.lease.Answers.answer;
import static com.memoryendpoints.gateway.lease.Answers.each;
import static com.memoryendpoints.gateway.lease.Answers.outcomes;
import static com.memoryendpoints.gateway.lease.Answers.problem;
import static com.memoryendpoints.gateway.lease.TestGateway.digest;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.problem.Problem;
import io.vertx.core.Future;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The eleven invariants of ownership, each at its shortest; the other laws go into the corners. */
class InvariantLawsTest {
  @RegisterExtension static final TestGateway GATEWAY = TestGateway.ofPods(2);

  private final Actor alice = GATEWAY.alice();
  private final Actor mallory = GATEWAY.mallory();

  /** Invariant 1: a name is one across tenants, principals and pods. */
  @Test
  void aNameIsHeldOnceInTheWholeService() {
    alice.granted("Global Name", alice.memory());
    Actor elsewhere = mallory.on(GATEWAY.pod(1));
    assertThat(problem(elsewhere.claims("Global Name", mallory.memory())))
        .isEqualTo(Problem.NAME_HELD);
    assertThat(problem(elsewhere.claims("GLOBALNAME", mallory.memory())))
        .isEqualTo(Problem.NAME_HELD);
    assertThat(problem(alice.under("bob").claims("Global Name", alice.memory())))
        .isEqualTo(Problem.NAME_HELD);
  }

  /** Invariant 1, and its second wall: no row can be made that breaks it. */
  @Test
  void theSchemaItselfRefusesASecondHolderOfAName() {
    UUID first = alice.memory();
    alice.granted("Walled", first);
    assertThat(
            GATEWAY
                .database()
                .rows(
                    """
                    SELECT indexdef FROM pg_indexes
                    WHERE tablename = 'leases' AND indexdef LIKE 'CREATE UNIQUE INDEX%(name_key)%'
                    """))
        .hasSize(1);
    assertThat(GATEWAY.lease(first).get("name_key")).isEqualTo("walled");
  }

  /** Invariant 2: a memory is held once, whatever the names. */
  @Test
  void aMemoryIsHeldOnceUnderWhateverName() {
    UUID memory = alice.memory();
    alice.granted("First Holder", memory);
    assertThat(problem(alice.claims("Second Holder", memory))).isEqualTo(Problem.MEMORY_HELD);
    assertThat(problem(alice.on(GATEWAY.pod(1)).as("worker-2").claims("Third", memory)))
        .isEqualTo(Problem.MEMORY_HELD);
  }

  /** Invariant 3: nothing that happens to a memory changes its identity. */
  @Test
  void aMemorysIdentityOutlivesItsNamesAndCommits() {
    UUID memory = alice.memory();
    List<Map<String, Object>> born = identity(memory);
    Lease lease = alice.granted("Early Name", memory);
    answer(alice.commits(lease, digest(1)));
    answer(alice.branches(lease));
    answer(alice.releases(lease));
    alice.granted("Late Name", memory);
    assertThat(answer(alice.registers(null, memory)).created()).isFalse();
    assertThat(problem(mallory.registers(null, memory))).isEqualTo(Problem.MEMORY_ID_TAKEN);
    assertThat(identity(memory)).isEqualTo(born);
  }

  private static List<Map<String, Object>> identity(UUID memory) {
    return GATEWAY.database().rows("SELECT * FROM memory_instances WHERE memory_id = ?", memory);
  }

  /** Invariant 4: a branch is a new memory that knows its parent and the parent's token. */
  @Test
  void aBranchRecordsWhereItCameFrom() {
    UUID root = alice.memory();
    Lease lease = alice.granted("Root", root);
    Memory child = answer(alice.branches(lease)).memory();
    assertThat(child.memoryId()).isNotEqualTo(root);
    assertThat(child.parentId()).isEqualTo(root);
    assertThat(child.branchedAtToken()).isEqualTo(lease.fencingToken().value());
    assertThat(answer(alice.traces(child.memoryId())))
        .containsExactly(answer(alice.finds(root)).memory(), child);
  }

  /** Invariant 4: a copied file carries its original's id, and is the original to everybody. */
  @Test
  void aCopiedFileIsNoBranch() {
    UUID original = alice.memory();
    alice.granted("Original", original);
    Actor copier = alice.as("copier").on(GATEWAY.pod(1));
    assertThat(problem(copier.claims("Copy", original))).isEqualTo(Problem.MEMORY_HELD);
  }

  /** Invariant 5: a memory and its branch run at the same time. */
  @Test
  void aMemoryAndItsBranchAreLeasedSideBySide() {
    Lease parent = alice.granted("Parent", alice.memory());
    UUID branch = answer(alice.branches(parent)).memory().memoryId();
    Lease child = alice.as("worker-2").granted("Child", branch);
    assertThat(answer(alice.commits(parent, digest(1))).revision()).isEqualTo(1);
    assertThat(answer(alice.commits(child, digest(2))).revision()).isEqualTo(1);
    answer(alice.renews(parent, null));
    answer(alice.as("worker-2").renews(child, null));
  }

  /** Invariant 6: of name and memory a claim gets both or neither. */
  @Test
  void aRefusedClaimTakesNeitherNameNorMemory() {
    UUID held = alice.memory();
    UUID free = alice.memory();
    alice.granted("Held Name", held);
    List<Map<String, Object>> before = GATEWAY.everything();
    assertThat(problem(alice.claims("Free Name", held))).isEqualTo(Problem.MEMORY_HELD);
    assertThat(problem(alice.claims("Held Name", free))).isEqualTo(Problem.NAME_HELD);
    assertThat(GATEWAY.everything()).isEqualTo(before);
    alice.granted("Free Name", free);
  }

  /** Invariant 7: who shares nothing waits for nobody, whatever is locked elsewhere. */
  @Test
  void distinctNamesAndMemoriesAreGrantedBesideALockedLease() throws SQLException {
    UUID locked = alice.memory();
    alice.granted("Locked", locked);
    List<UUID> memories = alice.memories(20);
    try (Connection other = GATEWAY.database().connect()) {
      other.setAutoCommit(false);
      try (var lock = other.prepareStatement("SELECT FROM leases WHERE memory_id = ? FOR UPDATE")) {
        lock.setObject(1, locked);
        lock.executeQuery();
      }
      List<Future<Claimed>> claims = new ArrayList<>();
      for (int i = 0; i < memories.size(); i++) {
        claims.add(alice.on(GATEWAY.pod(i % 2)).claims("Free " + i, memories.get(i)));
      }
      assertThat(outcomes(claims)).isEqualTo(Map.of(GRANTED, 20L));
      other.rollback();
    }
  }

  /** Invariant 8: a silent owner loses its lease by time alone, before any reaper. */
  @Test
  void aCrashedOwnerLosesItsLeaseWithoutAnybodysHelp() {
    UUID memory = alice.memory();
    alice.granted("Crashed", memory);
    GATEWAY.lapse(memory);
    Lease next = alice.as("successor").granted("Crashed", memory);
    assertThat(next.memoryId()).isEqualTo(memory);
  }

  /** Invariant 9: a stale owner whose lease has lapsed is fenced from every later mutation. */
  @Test
  void aStaleOwnerIsFencedAfterTakeover() {
    UUID memory = alice.memory();
    Lease stale = alice.granted("Fenced", memory);
    answer(alice.commits(stale, digest(1)));
    GATEWAY.lapse(memory);
    alice.as("successor").granted("Fenced", memory);
    List<Map<String, Object>> before = GATEWAY.everything();
    assertThat(
            List.of(
                problem(alice.commits(stale, digest(2))),
                problem(alice.branches(stale)),
                problem(alice.renews(stale, null)),
                problem(alice.releases(stale)),
                problem(alice.verifies(stale))))
        .containsOnly(Problem.STALE_FENCING_TOKEN);
    assertThat(GATEWAY.everything()).isEqualTo(before);
  }

  /** Invariant 10: every conflict is decided, at once, and nothing is left for a human. */
  @Test
  void everyConflictIsDecidedByTheTransactionItself() {
    List<UUID> memories = alice.memories(40);
    List<Future<Claimed>> claims = new ArrayList<>();
    for (int i = 0; i < memories.size(); i++) {
      claims.add(alice.on(GATEWAY.pod(i % 2)).claims("Contested " + i % 4, memories.get(i)));
    }
    assertThat(outcomes(claims)).isEqualTo(Map.of(GRANTED, 4L, "NAME_HELD", 36L));
    assertThat(
            GATEWAY
                .database()
                .value("SELECT count(DISTINCT name_key) FROM leases WHERE name_key LIKE 'contes%'"))
        .isEqualTo(4L);
  }

  /** Invariant 11: there is nowhere to put content; a commit brings a digest. */
  @Test
  void theSystemOfRecordHasNoPlaceForContent() {
    List<Map<String, Object>> columns =
        GATEWAY
            .database()
            .rows(
                """
                SELECT DISTINCT column_name AS name FROM information_schema.columns
                WHERE table_schema = 'public' AND data_type IN ('text', 'bytea', 'json', 'jsonb')
                  AND table_name IN ('memory_instances', 'leases', 'agent_names', 'memory_heads',
                    'idempotency_records', 'audit_events')
                """);
    assertThat(columns.stream().map(row -> (String) row.get("name")))
        .allMatch(
            Set.of(
                    "name_key",
                    "canonical_name",
                    "display_name",
                    "owner_principal",
                    "owner_client_id",
                    "revoke_reason",
                    "content_digest",
                    "fingerprint",
                    "event_type",
                    "actor",
                    "redacted_name_hash",
                    "redacted_memory_hash")
                ::contains);
    assertThat(each(List.of(alice.registers(null, null)), Registered::created))
        .containsExactly(true);
  }
}

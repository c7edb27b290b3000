package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.audit.Redactor;
import com.memoryendpoints.gateway.db.Batcher;
import com.memoryendpoints.gateway.db.Database;
import com.memoryendpoints.gateway.db.DatabaseClock;
import com.memoryendpoints.gateway.db.Lane;
import com.memoryendpoints.gateway.db.UuidV7;
import com.memoryendpoints.gateway.db.Verdicts;
import com.memoryendpoints.gateway.meter.Meters;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.quota.Quotas;
import com.memoryendpoints.gateway.tenant.Caller;
import com.memoryendpoints.gateway.tenant.Term;
import io.vertx.core.Future;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Memories: identity, lineage, and the fenced head. Confined to the event loop of its database;
 * every failure is a {@link com.memoryendpoints.gateway.problem.Refusal} unless it is a defect.
 */
public final class Memories {
  private static final UUID BEFORE_ALL = new UUID(0, 0);

  private final Quotas quotas;
  private final UuidV7 ids;
  private final DatabaseClock clock;
  private final Batcher<FindNewMemories.Asked, Integer> newMemories;
  private final Batcher<RegisterMemories.Newborn, Registered> registrations;
  private final Batcher<BranchMemories.Child, Registered> branches;
  private final Batcher<Commit, Committed> commits;
  private final Batcher<FindMemories.ById, MemoryView> byId;
  private final Batcher<ListMemories.Wanted, Page<MemoryView>> pages;
  private final Batcher<FindMemories.ById, List<Memory>> lineages;

  /** The memories of one event loop, over its own connections. */
  public Memories(Database database, Quotas quotas, Redactor redactor, Meters meters) {
    this.quotas = quotas;
    this.clock = database.clock();
    this.ids = new UuidV7(clock);
    Verdicts verdicts = new Verdicts(meters);
    this.newMemories = database.batcher(Lane.READ, new FindNewMemories());
    this.registrations = database.batcher(Lane.READ, new RegisterMemories(redactor, ids, meters));
    this.branches = database.batcher(Lane.READ, new BranchMemories(redactor, ids, meters));
    this.commits = database.batcher(Lane.READ, new CommitMemories(redactor, ids, meters));
    this.byId = database.batcher(Lane.READ, new FindMemories(verdicts));
    this.pages = database.reader(new ListMemories());
    this.lineages = database.reader(new ReadLineage());
  }

  /**
   * Makes a memory without a parent, or finds that the tenant has it already (Invariant 3).
   *
   * @return {@link Problem#MEMORY_ID_TAKEN} when another tenant has it; {@link
   *     Problem#IDEMPOTENCY_KEY_REUSED}, {@link Problem#QUOTA_EXCEEDED}
   */
  public Future<Registered> register(Registration registration) {
    UUID asked = registration.memoryId();
    if (asked == null && !clock.known()) {
      return notYet();
    }
    UUID memoryId = asked == null ? ids.next() : asked;
    UUID tenantId = registration.caller().tenantId();
    var newborn = new RegisterMemories.Newborn(registration, memoryId);
    return within(FindNewMemories.of(newborn), () -> registrations.submit(tenantId, newborn));
  }

  /**
   * Makes a memory with a parent (Invariants 4 and 5).
   *
   * @return the child; {@link Problem#IDEMPOTENCY_KEY_REUSED}, {@link Problem#MEMORY_NOT_FOUND} for
   *     the parent, {@link Problem#STALE_FENCING_TOKEN}, {@link Problem#LEASE_LAPSED}, {@link
   *     Problem#LEASE_RELEASED}, {@link Problem#QUOTA_EXCEEDED}
   */
  public Future<Registered> branch(Branch branch) {
    if (!clock.known()) {
      return notYet();
    }
    var child = new BranchMemories.Child(branch, ids.next());
    return within(
        FindNewMemories.of(child), () -> branches.submit(branch.caller().tenantId(), child));
  }

  private Future<Registered> within(
      FindNewMemories.Asked asked, Supplier<Future<Registered>> request) {
    return quotas.within(
        asked.tenantId(),
        Term.MEMORIES,
        new Quotas.Making<>(
            1,
            () -> newMemories.submit(asked.tenantId(), asked),
            registered -> registered.created() ? 1 : 0),
        request);
  }

  /**
   * Writes a memory's head, fenced (Invariant 9).
   *
   * @return the revision written; {@link Problem#IDEMPOTENCY_KEY_REUSED}, {@link
   *     Problem#MEMORY_NOT_FOUND}, {@link Problem#STALE_FENCING_TOKEN}, {@link
   *     Problem#LEASE_LAPSED}, {@link Problem#LEASE_RELEASED}, {@link Problem#REVISION_CONFLICT}
   */
  public Future<Committed> commit(Commit commit) {
    return commits.submit(commit.caller().tenantId(), commit);
  }

  /**
   * One of the tenant's own memories.
   *
   * @return {@link Problem#MEMORY_NOT_FOUND} also for another tenant's
   */
  public Future<MemoryView> find(Caller caller, UUID memoryId) {
    return byId.submit(caller.tenantId(), new FindMemories.ById(caller.tenantId(), memoryId));
  }

  /**
   * One page of the tenant's own memories, in id order.
   *
   * @param after the memory after which the page starts; null for the first page
   * @param limit 1 to 1,000
   */
  public Future<Page<MemoryView>> list(Caller caller, @Nullable UUID after, int limit) {
    UUID start = after == null ? BEFORE_ALL : after;
    return pages.submit(
        caller.tenantId(), new ListMemories.Wanted(caller.tenantId(), start, limit));
  }

  /**
   * A memory and everything that it was branched from, the root first (Invariant 4).
   *
   * @return {@link Problem#MEMORY_NOT_FOUND} also for another tenant's
   */
  public Future<List<Memory>> lineage(Caller caller, UUID memoryId) {
    return lineages.submit(caller.tenantId(), new FindMemories.ById(caller.tenantId(), memoryId));
  }

  // Ids are minted by the database's clock, which nobody has read yet.
  private static <T> Future<T> notYet() {
    return Future.failedFuture(
        Problem.UNAVAILABLE.because("the database was never reached").retryAfterMs(1_000));
  }
}

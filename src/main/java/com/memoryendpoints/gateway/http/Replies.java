package com.memoryendpoints.gateway.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.memoryendpoints.gateway.audit.AuditPage;
import com.memoryendpoints.gateway.audit.AuditRecord;
import com.memoryendpoints.gateway.lease.Claimed;
import com.memoryendpoints.gateway.lease.Committed;
import com.memoryendpoints.gateway.lease.FencingToken;
import com.memoryendpoints.gateway.lease.Lease;
import com.memoryendpoints.gateway.lease.LeaseView;
import com.memoryendpoints.gateway.lease.Memory;
import com.memoryendpoints.gateway.lease.MemoryView;
import com.memoryendpoints.gateway.lease.Page;
import com.memoryendpoints.gateway.lease.Registered;
import com.memoryendpoints.gateway.lease.Renewed;
import com.memoryendpoints.gateway.lease.Verified;
import com.memoryendpoints.gateway.name.AgentName;
import com.memoryendpoints.gateway.pool.Held;
import com.memoryendpoints.gateway.pool.IdentifierView;
import com.memoryendpoints.gateway.pool.Pool;
import com.memoryendpoints.gateway.pool.PoolCounts;
import com.memoryendpoints.gateway.pool.PoolPage;
import com.memoryendpoints.gateway.pool.PoolPut;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the domain answers, as JSON. A record's components are the members, in this order, in snake
 * case; the same grant has the same bytes whenever it is written.
 */
final class Replies {
  private Replies() {}

  record Grant(
      UUID leaseId,
      String canonicalName,
      UUID memoryInstanceId,
      long fencingToken,
      Instant grantedAt,
      Instant expiresAt,
      int ttlSeconds,
      int renewAfterMs) {}

  record Renewal(Instant expiresAt, int ttlSeconds, int renewAfterMs) {}

  record Verification(String canonicalName, Instant expiresAt, long ttlRemainingMs) {}

  record LeaseState(
      UUID leaseId,
      String canonicalName,
      UUID memoryInstanceId,
      long fencingToken,
      Instant grantedAt,
      Instant expiresAt,
      int ttlSeconds,
      int renewAfterMs,
      String state,
      String ownerClientId,
      long ttlRemainingMs) {}

  record Token(long fencingToken) {}

  record Canonical(String canonicalName) {}

  record MemoryIdentity(
      UUID memoryInstanceId,
      @Nullable UUID parentMemoryInstanceId,
      @Nullable Long branchedAtToken,
      Instant createdAt) {}

  record MemoryState(
      UUID memoryInstanceId,
      @Nullable UUID parentMemoryInstanceId,
      @Nullable Long branchedAtToken,
      Instant createdAt,
      long fencingToken,
      @Nullable LeaseState lease,
      @Nullable Head head) {}

  record Head(long revision, String contentDigest, Instant committedAt) {}

  record Commit(long revision, Instant committedAt) {}

  record Lineage(List<MemoryIdentity> items) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Listing(List<?> items, @Nullable String nextCursor) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record PoolState(
      String pool,
      int defaultTtlSeconds,
      @Nullable Integer maxAttempts,
      int reclaimGraceMs,
      PoolCounts counts,
      @Nullable Instant oldestHoldAt) {}

  record Load(long inserted, long duplicates) {}

  record Holds(List<HoldGrant> holds) {}

  record HoldGrant(
      UUID identifierId, String identifier, long fencingToken, Instant leasedUntil, int attempt) {}

  record HoldRenewed(Instant leasedUntil) {}

  record HoldReleased(Instant availableAt) {}

  record HoldConsumed(Instant consumedAt) {}

  record Redriven(long redriven) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record IdentifierState(
      UUID identifierId,
      String identifier,
      String state,
      long fencingToken,
      int attempts,
      Instant availableAt,
      @Nullable Instant claimedAt,
      @Nullable Instant leasedUntil,
      @Nullable String ownerClientId,
      @Nullable Instant consumedAt,
      @Nullable String reference) {}

  record AuditItem(
      UUID eventId,
      String eventType,
      @Nullable String redactedNameHash,
      @Nullable String redactedMemoryHash,
      int keyId,
      @Nullable Long fencingToken,
      String actor,
      String outcome,
      Instant createdAt) {}

  static Reply claimed(Claimed claimed) {
    Lease lease = claimed.lease();
    return new Reply(
        claimed.replayed() ? 200 : 201,
        grant(lease),
        claimed.replayed() ? null : "/v1/leases/" + lease.leaseId(),
        claimed.replayed());
  }

  static Reply renewed(Renewed renewed) {
    int ttlSeconds = renewed.ttlSeconds();
    return Reply.ok(new Renewal(renewed.expiresAt(), ttlSeconds, renewAfterMs(ttlSeconds)));
  }

  static Reply verified(Verified verified) {
    return Reply.ok(
        new Verification(
            verified.canonicalName(), verified.expiresAt(), verified.ttlRemainingMs()));
  }

  static Reply revoked(FencingToken raised) {
    return Reply.ok(new Token(raised.value()));
  }

  static Reply canonicalized(AgentName name) {
    return Reply.ok(new Canonical(name.canonical()));
  }

  static Reply lease(LeaseView view) {
    return Reply.ok(state(view));
  }

  static Reply leases(Page<LeaseView> page) {
    return listing(page, Replies::state);
  }

  static Reply registered(Registered registered) {
    Memory memory = registered.memory();
    boolean made = registered.created() && !registered.replayed();
    return new Reply(
        made ? 201 : 200,
        identity(memory),
        made ? "/v1/memories/" + memory.memoryId() : null,
        registered.replayed());
  }

  static Reply committed(Committed committed) {
    Commit body = new Commit(committed.revision(), committed.committedAt());
    return new Reply(200, body, null, committed.replayed());
  }

  static Reply memory(MemoryView view) {
    return Reply.ok(state(view));
  }

  static Reply memories(Page<MemoryView> page) {
    return listing(page, Replies::state);
  }

  static Reply lineage(List<Memory> rootFirst) {
    return Reply.ok(new Lineage(rootFirst.stream().map(Replies::identity).toList()));
  }

  static Reply put(PoolPut put) {
    String name = put.pool().name().text();
    return new Reply(
        put.created() ? 201 : 200,
        state(put.pool()),
        put.created() ? "/v1/pools/" + name : null,
        false);
  }

  static Reply pool(Pool pool) {
    return Reply.ok(state(pool));
  }

  static Reply pools(PoolPage page) {
    String next = page.next() == null ? null : Paging.cursor(page.next());
    return Reply.ok(new Listing(page.items().stream().map(Replies::state).toList(), next));
  }

  static Reply loaded(long inserted, long duplicates) {
    return Reply.ok(new Load(inserted, duplicates));
  }

  static Reply held(Held held) {
    List<HoldGrant> holds =
        held.holds().stream()
            .map(
                hold ->
                    new HoldGrant(
                        hold.identifierId(),
                        hold.identifier(),
                        hold.token().value(),
                        hold.leasedUntil(),
                        hold.attempt()))
            .toList();
    return new Reply(held.replayed() ? 200 : 201, new Holds(holds), null, held.replayed());
  }

  static Reply identifier(IdentifierView view) {
    return Reply.ok(
        new IdentifierState(
            view.identifierId(),
            view.identifier(),
            view.state().name(),
            view.token(),
            view.attempts(),
            view.availableAt(),
            view.claimedAt(),
            view.leasedUntil(),
            view.ownerClientId(),
            view.consumedAt(),
            view.reference()));
  }

  static Reply audit(AuditPage page) {
    String next = Paging.cursor(page.next());
    return Reply.ok(new Listing(page.records().stream().map(Replies::item).toList(), next));
  }

  private static AuditItem item(AuditRecord event) {
    return new AuditItem(
        event.position().eventId(),
        event.type(),
        hex(event.nameHash()),
        hex(event.memoryHash()),
        event.keyId(),
        event.fencingToken(),
        event.actor(),
        event.outcome().wire(),
        event.createdAt());
  }

  private static @Nullable String hex(@Nullable Buffer hash) {
    return hash == null ? null : HexFormat.of().formatHex(hash.getBytes());
  }

  private static PoolState state(Pool pool) {
    return new PoolState(
        pool.name().text(),
        pool.settings().defaultTtlSeconds(),
        pool.settings().maxAttempts(),
        pool.settings().reclaimGraceMs(),
        pool.counts(),
        pool.oldestHoldAt());
  }

  /** A member of a problem as it goes on the wire. */
  static Object wire(Object member) {
    return member instanceof Lease lease ? grant(lease) : member;
  }

  private static <T> Reply listing(Page<T> page, Function<T, ?> body) {
    String next = page.next() == null ? null : Paging.cursor(page.next());
    return Reply.ok(new Listing(page.items().stream().map(body).toList(), next));
  }

  private static Grant grant(Lease lease) {
    return new Grant(
        lease.leaseId(),
        lease.canonicalName(),
        lease.memoryId(),
        lease.fencingToken().value(),
        lease.grantedAt(),
        lease.expiresAt(),
        lease.ttlSeconds(),
        renewAfterMs(lease.ttlSeconds()));
  }

  private static LeaseState state(LeaseView view) {
    Lease lease = view.lease();
    return new LeaseState(
        lease.leaseId(),
        lease.canonicalName(),
        lease.memoryId(),
        lease.fencingToken().value(),
        lease.grantedAt(),
        lease.expiresAt(),
        lease.ttlSeconds(),
        renewAfterMs(lease.ttlSeconds()),
        view.state().wire(),
        view.ownerClientId(),
        view.ttlRemainingMs());
  }

  private static MemoryIdentity identity(Memory memory) {
    return new MemoryIdentity(
        memory.memoryId(), memory.parentId(), memory.branchedAtToken(), memory.createdAt());
  }

  private static MemoryState state(MemoryView view) {
    Memory memory = view.memory();
    com.memoryendpoints.gateway.lease.Head head = view.head();
    return new MemoryState(
        memory.memoryId(),
        memory.parentId(),
        memory.branchedAtToken(),
        memory.createdAt(),
        view.fencingToken(),
        view.lease() == null ? null : state(view.lease()),
        head == null ? null : new Head(head.revision(), head.digest(), head.committedAt()));
  }

  /** A third of the ttl: two renewals may be lost before the lease lapses. */
  private static int renewAfterMs(int ttlSeconds) {
    return ttlSeconds * 1000 / 3;
  }
}

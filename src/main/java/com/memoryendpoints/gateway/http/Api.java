package com.memoryendpoints.gateway.http;

import static com.memoryendpoints.gateway.http.Endpoint.Key.HONOURED;
import static com.memoryendpoints.gateway.http.Endpoint.Key.REQUIRED;
import static com.memoryendpoints.gateway.http.Endpoint.get;
import static com.memoryendpoints.gateway.http.Endpoint.post;
import static com.memoryendpoints.gateway.problem.Problem.LEASE_NOT_FOUND;
import static com.memoryendpoints.gateway.problem.Problem.MEMORY_NOT_FOUND;
import static com.memoryendpoints.gateway.tenant.Scope.ADMIN;
import static com.memoryendpoints.gateway.tenant.Scope.LEASES;
import static com.memoryendpoints.gateway.tenant.Scope.MEMORIES;

import com.memoryendpoints.gateway.idempotency.InFlight;
import com.memoryendpoints.gateway.idempotency.Operation;
import com.memoryendpoints.gateway.lease.Branch;
import com.memoryendpoints.gateway.lease.Claim;
import com.memoryendpoints.gateway.lease.Commit;
import com.memoryendpoints.gateway.lease.Leases;
import com.memoryendpoints.gateway.lease.Memories;
import com.memoryendpoints.gateway.lease.Registration;
import com.memoryendpoints.gateway.name.Names;
import com.memoryendpoints.gateway.tenant.Caller;
import io.vertx.core.Future;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/** The whole API: every call, and what it does. */
final class Api {
  private final Names names;
  private final Leases leases;
  private final Memories memories;
  private final PoolApi pools;
  private final AuditApi audit;
  private final InFlight inFlight;
  private final Keys keys;
  private final Batch batch;
  private final AboutApi about;

  Api(
      Names names,
      Leases leases,
      Memories memories,
      PoolApi pools,
      AuditApi audit,
      InFlight inFlight,
      Keys keys,
      Batch batch,
      AboutApi about) {
    this.names = names;
    this.leases = leases;
    this.memories = memories;
    this.pools = pools;
    this.audit = audit;
    this.inFlight = inFlight;
    this.keys = keys;
    this.batch = batch;
    this.about = about;
  }

  /** Every call; the busiest first, because a router looks from the top. */
  List<Endpoint> endpoints() {
    return Stream.of(leasesAndMemories(), pools.endpoints(), audit.endpoints(), about.endpoints())
        .flatMap(List::stream)
        .toList();
  }

  private List<Endpoint> leasesAndMemories() {
    return List.of(
        post("/v1/leases", LEASES).key(REQUIRED).takes(Requests.CLAIM).by(this::claim),
        post("/v1/leases/renew", LEASES).takes(Requests.RENEW).asUpkeep().by(one(this::renew)),
        post("/v1/leases/verify", LEASES).takes(Requests.VERIFY).by(one(this::verify)),
        post("/v1/leases/release", LEASES)
            .takes(Requests.RELEASE)
            .asUpkeep()
            .by(one(this::release)),
        post("/v1/leases/batch", LEASES).takesEach(Requests.CLAIM_ITEM).by(batch.each(this::claim)),
        post("/v1/leases/renew/batch", LEASES)
            .takesEach(Requests.RENEW)
            .asUpkeep()
            .by(batch.each(this::renew)),
        post("/v1/leases/verify/batch", LEASES)
            .takesEach(Requests.VERIFY)
            .by(batch.each(this::verify)),
        post("/v1/leases/release/batch", LEASES)
            .takesEach(Requests.RELEASE)
            .asUpkeep()
            .by(batch.each(this::release)),
        post("/v1/leases/revoke", ADMIN).takes(Requests.REVOKE).by(this::revoke),
        get("/v1/leases", LEASES).query(Requests.LIST_LEASES).by(this::listLeases),
        get("/v1/leases/:lease_id", LEASES).by(this::findLease),
        post("/v1/names/canonicalize", LEASES).takes(Requests.CANONICALIZE).by(this::canonicalize),
        post("/v1/memories", MEMORIES).key(HONOURED).takes(Requests.REGISTER).by(this::register),
        post("/v1/memories/batch", MEMORIES)
            .takesEach(Requests.REGISTER_ITEM)
            .by(batch.each(this::register)),
        post("/v1/memories/branch", MEMORIES).key(HONOURED).takes(Requests.BRANCH).by(this::branch),
        post("/v1/memories/commit", MEMORIES).key(HONOURED).takes(Requests.COMMIT).by(this::commit),
        get("/v1/memories", MEMORIES).query(Requests.LIST).by(this::listMemories),
        get("/v1/memories/:memory_instance_id", MEMORIES).by(this::findMemory),
        get("/v1/memories/:memory_instance_id/lineage", MEMORIES).by(this::lineage));
  }

  private static Function<Call, Future<Reply>> one(BiFunction<Call, Fields, Future<Reply>> item) {
    return call -> item.apply(call, call.fields());
  }

  private Future<Reply> claim(Call call) {
    return claim(Requests.claim(names, call.caller(), call.requiredKey(), call.fields()));
  }

  private Future<Reply> claim(Call call, Fields item) {
    return claim(Requests.claim(names, call.caller(), keys.requiredOf(item), item));
  }

  private Future<Reply> claim(Claim claim) {
    Caller caller = claim.owner().caller();
    return inFlight
        .once(
            caller.tenantId(),
            Operation.CLAIM,
            claim.key(),
            claim::fingerprint,
            () -> leases.claim(claim))
        .map(Replies::claimed);
  }

  private Future<Reply> renew(Call call, Fields fields) {
    return leases.renew(Requests.renewal(call.caller(), fields)).map(Replies::renewed);
  }

  private Future<Reply> release(Call call, Fields fields) {
    return leases.release(Requests.release(call.caller(), fields)).map(Reply.NO_CONTENT);
  }

  private Future<Reply> verify(Call call, Fields fields) {
    return leases.verify(Requests.verification(call.caller(), fields)).map(Replies::verified);
  }

  private Future<Reply> revoke(Call call) {
    return leases.revoke(Requests.revocation(call.caller(), call.fields())).map(Replies::revoked);
  }

  private Future<Reply> findLease(Call call) {
    return leases.find(call.caller(), call.id("lease_id", LEASE_NOT_FOUND)).map(Replies::lease);
  }

  private Future<Reply> listLeases(Call call) {
    Paging page = call.paging();
    return leases
        .list(call.caller(), Requests.filter(call.query()), page.after(), page.limit())
        .map(Replies::leases);
  }

  private Future<Reply> canonicalize(Call call) {
    return Future.succeededFuture(Replies.canonicalized(Requests.agentName(names, call.fields())));
  }

  private Future<Reply> register(Call call) {
    return register(Requests.registration(call.caller(), call.key(), call.fields()));
  }

  private Future<Reply> register(Call call, Fields item) {
    return register(Requests.registration(call.caller(), keys.of(item), item));
  }

  private Future<Reply> register(Registration registration) {
    return inFlight
        .once(
            registration.caller().tenantId(),
            Operation.REGISTER,
            registration.key(),
            registration::fingerprint,
            () -> memories.register(registration))
        .map(Replies::registered);
  }

  private Future<Reply> branch(Call call) {
    Branch branch = Requests.branch(call.caller(), call.key(), call.fields());
    return inFlight
        .once(
            call.caller().tenantId(),
            Operation.BRANCH,
            branch.key(),
            branch::fingerprint,
            () -> memories.branch(branch))
        .map(Replies::registered);
  }

  private Future<Reply> commit(Call call) {
    Commit commit = Requests.commit(call.caller(), call.key(), call.fields());
    return inFlight
        .once(
            call.caller().tenantId(),
            Operation.COMMIT,
            commit.key(),
            commit::fingerprint,
            () -> memories.commit(commit))
        .map(Replies::committed);
  }

  private Future<Reply> findMemory(Call call) {
    return memories.find(call.caller(), memory(call)).map(Replies::memory);
  }

  private Future<Reply> listMemories(Call call) {
    Paging page = call.paging();
    return memories.list(call.caller(), page.after(), page.limit()).map(Replies::memories);
  }

  private Future<Reply> lineage(Call call) {
    return memories.lineage(call.caller(), memory(call)).map(Replies::lineage);
  }

  private static UUID memory(Call call) {
    return call.id("memory_instance_id", MEMORY_NOT_FOUND);
  }
}

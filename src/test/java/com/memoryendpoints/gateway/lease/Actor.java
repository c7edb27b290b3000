package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.idempotency.IdempotencyKey;
import com.memoryendpoints.gateway.name.Names;
import com.memoryendpoints.gateway.tenant.Caller;
import io.vertx.core.Future;
import java.util.List;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An owner at work on a pod, in words short enough for laws: every verb starts a call and gives
 * what will come of it; {@link Answers} waits for it.
 */
record Actor(TestPod pod, Owner owner) {

  Caller caller() {
    return owner.caller();
  }

  /** The same owner on another pod. */
  Actor on(TestPod other) {
    return new Actor(other, owner);
  }

  /** The same tenant and principal under another {@code owner_client_id}. */
  Actor as(String clientId) {
    return new Actor(pod, new Owner(caller(), clientId));
  }

  /** The same tenant and {@code owner_client_id} under another principal. */
  Actor under(String principal) {
    return new Actor(pod, new Owner(new Caller(caller().tenantId(), principal), owner.clientId()));
  }

  /** The same principal and {@code owner_client_id} in another tenant. */
  Actor in(UUID tenantId) {
    return new Actor(pod, new Owner(new Caller(tenantId, caller().principal()), owner.clientId()));
  }

  /** A fresh key, later than the ones before on this pod. */
  IdempotencyKey key() {
    return pod.key();
  }

  /** A fresh memory of the tenant. */
  UUID memory() {
    return pod.memory(caller());
  }

  /** Fresh memories of the tenant, registered together. */
  List<UUID> memories(int count) {
    Registration fresh = new Registration(null, caller(), null);
    return Answers.each(
        together(n -> pod.memories.register(fresh), count), made -> made.memory().memoryId());
  }

  /** For 30 seconds, under a fresh key. */
  Claim claim(String name, UUID memoryId) {
    return claim(key(), name, memoryId, 30);
  }

  Claim claim(IdempotencyKey key, String name, UUID memoryId, int ttlSeconds) {
    return new Claim(key, owner, Names.strict().claimed(name), memoryId, ttlSeconds);
  }

  Future<Claimed> claims(Claim claim) {
    return pod.start(() -> pod.leases.claim(claim));
  }

  Future<Claimed> claims(String name, UUID memoryId) {
    return claims(claim(name, memoryId));
  }

  /** In one statement, as far as one holds so many. */
  List<Future<Claimed>> claimsTogether(List<Claim> claims) {
    return together(n -> pod.leases.claim(claims.get(n)), claims.size());
  }

  /** Claims, and must be granted. */
  Lease granted(String name, UUID memoryId) {
    return Answers.answer(claims(name, memoryId)).lease();
  }

  Future<Renewed> renews(Lease lease, @Nullable Integer ttlSeconds) {
    return renews(lease.canonicalName(), lease.memoryId(), lease.fencingToken(), ttlSeconds);
  }

  Future<Renewed> renews(
      String canonicalName, UUID memoryId, FencingToken token, @Nullable Integer ttlSeconds) {
    return pod.start(
        () -> pod.leases.renew(new Renewal(owner, canonicalName, memoryId, token, ttlSeconds)));
  }

  Future<FencingToken> releases(Lease lease) {
    return releases(lease.canonicalName(), lease.memoryId(), lease.fencingToken());
  }

  Future<FencingToken> releases(String canonicalName, UUID memoryId, FencingToken token) {
    return pod.start(() -> pod.leases.release(new Release(owner, canonicalName, memoryId, token)));
  }

  Future<Verified> verifies(Lease lease) {
    return verifies(lease.memoryId(), lease.fencingToken());
  }

  Future<Verified> verifies(UUID memoryId, FencingToken token) {
    return pod.start(() -> pod.leases.verify(new Verification(caller(), memoryId, token)));
  }

  Future<Committed> commits(Lease lease, String digest) {
    return commits(null, lease, digest, null);
  }

  Future<Committed> commits(
      @Nullable IdempotencyKey key, Lease lease, String digest, @Nullable Long expectedRevision) {
    Commit commit =
        new Commit(key, caller(), lease.memoryId(), lease.fencingToken(), digest, expectedRevision);
    return pod.start(() -> pod.memories.commit(commit));
  }

  Future<Registered> branches(Lease lease) {
    return branches(null, lease.memoryId(), lease.fencingToken());
  }

  Future<Registered> branches(@Nullable IdempotencyKey key, UUID parentId, FencingToken token) {
    return pod.start(() -> pod.memories.branch(new Branch(key, caller(), parentId, token)));
  }

  Future<Registered> registers(@Nullable IdempotencyKey key, @Nullable UUID memoryId) {
    return pod.start(() -> pod.memories.register(new Registration(key, caller(), memoryId)));
  }

  Future<FencingToken> revokesName(String canonicalName, @Nullable FencingToken token) {
    return revokes(new Revocation(caller(), canonicalName, null, token, "misbehaves"));
  }

  Future<FencingToken> revokesMemory(UUID memoryId, @Nullable FencingToken token) {
    return revokes(new Revocation(caller(), null, memoryId, token, "misbehaves"));
  }

  private Future<FencingToken> revokes(Revocation revocation) {
    return pod.start(() -> pod.leases.revoke(revocation));
  }

  Future<LeaseView> finds(Lease lease) {
    return pod.start(() -> pod.leases.find(caller(), lease.leaseId()));
  }

  Future<MemoryView> finds(UUID memoryId) {
    return pod.start(() -> pod.memories.find(caller(), memoryId));
  }

  Future<List<Memory>> traces(UUID memoryId) {
    return pod.start(() -> pod.memories.lineage(caller(), memoryId));
  }

  /** Calls submitted in one round of the event loop, so that they leave together. */
  <T> List<Future<T>> together(IntFunction<Future<T>> call, int count) {
    return pod.run(() -> IntStream.range(0, count).mapToObj(call).toList());
  }
}

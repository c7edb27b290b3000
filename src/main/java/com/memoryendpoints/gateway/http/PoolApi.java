package com.memoryendpoints.gateway.http;

import static com.memoryendpoints.gateway.http.Endpoint.Key.REQUIRED;
import static com.memoryendpoints.gateway.http.Endpoint.delete;
import static com.memoryendpoints.gateway.http.Endpoint.get;
import static com.memoryendpoints.gateway.http.Endpoint.post;
import static com.memoryendpoints.gateway.http.Endpoint.put;
import static com.memoryendpoints.gateway.problem.Problem.IDENTIFIER_NOT_FOUND;
import static com.memoryendpoints.gateway.problem.Problem.OVERLOADED;
import static com.memoryendpoints.gateway.tenant.Scope.POOLS;

import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.idempotency.InFlight;
import com.memoryendpoints.gateway.idempotency.Operation;
import com.memoryendpoints.gateway.pool.PoolClaim;
import com.memoryendpoints.gateway.pool.PoolName;
import com.memoryendpoints.gateway.pool.Pools;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The calls for pools of identifiers, and what each does. */
final class PoolApi {
  private final Pools pools;
  private final InFlight inFlight;
  private final Batch batch;

  /** Bodies of identifiers that are being loaded on this event loop. */
  private final Map<UUID, Integer> loadsOf = new HashMap<>();

  private int loads;

  PoolApi(Pools pools, InFlight inFlight, Batch batch) {
    this.pools = pools;
    this.inFlight = inFlight;
    this.batch = batch;
  }

  /** Every call; the busiest first. */
  List<Endpoint> endpoints() {
    return List.of(
        post("/v1/pools/:pool/claim", POOLS)
            .key(REQUIRED)
            .takes(Requests.CLAIM_IDENTIFIERS)
            .by(this::claim),
        post("/v1/pools/:pool/consume", POOLS)
            .takesOneOrEach(Requests.CONSUME)
            .by(batch.oneOrEach(this::consume)),
        post("/v1/pools/:pool/renew", POOLS)
            .takesOneOrEach(Requests.RENEW_HOLD)
            .asUpkeep()
            .by(batch.oneOrEach(this::renew)),
        post("/v1/pools/:pool/release", POOLS)
            .takesOneOrEach(Requests.RELEASE_HOLD)
            .asUpkeep()
            .by(batch.oneOrEach(this::release)),
        post("/v1/pools/:pool/identifiers", POOLS).streams().by(this::load),
        get("/v1/pools/:pool/identifiers/:identifier_id", POOLS).by(this::findIdentifier),
        post("/v1/pools/:pool/redrive", POOLS).takesLong(Requests.REDRIVE).by(this::redrive),
        put("/v1/pools/:pool", POOLS).takes(Requests.PUT_POOL).by(this::putPool),
        get("/v1/pools/:pool", POOLS).by(this::findPool),
        delete("/v1/pools/:pool", POOLS).query(Requests.DELETE_POOL).by(this::deletePool),
        get("/v1/pools", POOLS).query(Requests.LIST_POOLS).by(this::listPools));
  }

  private Future<Reply> claim(Call call) {
    PoolName pool = call.pool();
    PoolClaim claim = Requests.poolClaim(call.caller(), pool, call.requiredKey(), call.fields());
    return inFlight
        .once(
            call.caller().tenantId(),
            Operation.POOL_CLAIM,
            pool.text(),
            claim.key(),
            claim::fingerprint,
            () -> pools.claim(claim))
        .map(Replies::held);
  }

  private Future<Reply> consume(Call call, Fields item) {
    return pools
        .consume(Requests.consumption(call.caller(), call.pool(), item))
        .map(at -> Reply.ok(new Replies.HoldConsumed(at)));
  }

  private Future<Reply> renew(Call call, Fields item) {
    return pools
        .renew(Requests.holdRenewal(call.caller(), call.pool(), item))
        .map(until -> Reply.ok(new Replies.HoldRenewed(until)));
  }

  private Future<Reply> release(Call call, Fields item) {
    return pools
        .release(Requests.holdRelease(call.caller(), call.pool(), item))
        .map(from -> Reply.ok(new Replies.HoldReleased(from)));
  }

  private Future<Reply> load(Call call) {
    PoolName pool = call.pool();
    UUID tenant = call.caller().tenantId();
    if (loads == Limits.POOL_LOADS_MAX
        || loadsOf.getOrDefault(tenant, 0) == Limits.POOL_LOADS_PER_TENANT_MAX) {
      return OVERLOADED.refuse(loads + " bodies are being loaded");
    }
    loads++;
    loadsOf.merge(tenant, 1, Integer::sum);
    return IdentifierLoad.of(call, pool, pools)
        .onComplete(
            done -> {
              loads--;
              loadsOf.computeIfPresent(tenant, (key, count) -> count == 1 ? null : count - 1);
            });
  }

  private Future<Reply> findIdentifier(Call call) {
    return pools
        .findIdentifier(call.caller(), call.pool(), call.id("identifier_id", IDENTIFIER_NOT_FOUND))
        .map(Replies::identifier);
  }

  private Future<Reply> redrive(Call call) {
    return pools
        .redrive(Requests.redrive(call.caller(), call.pool(), call.fields()))
        .map(redriven -> Reply.ok(new Replies.Redriven(redriven)));
  }

  private Future<Reply> putPool(Call call) {
    return pools.put(Requests.putPool(call.caller(), call.pool(), call.fields())).map(Replies::put);
  }

  private Future<Reply> findPool(Call call) {
    return pools.find(call.caller(), call.pool()).map(Replies::pool);
  }

  private Future<Reply> deletePool(Call call) {
    boolean drain = Boolean.TRUE.equals(call.query().find(Requests.DRAIN));
    return pools.delete(call.caller(), call.pool(), drain).map(Reply.NO_CONTENT);
  }

  private Future<Reply> listPools(Call call) {
    return pools
        .list(call.caller(), call.query().find(Paging.POOL_CURSOR), Paging.limit(call.query()))
        .map(Replies::pools);
  }
}

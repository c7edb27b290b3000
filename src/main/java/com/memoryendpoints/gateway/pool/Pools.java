package com.memoryendpoints.gateway.pool;

import com.memoryendpoints.gateway.audit.Redactor;
import com.memoryendpoints.gateway.db.Batcher;
import com.memoryendpoints.gateway.db.Database;
import com.memoryendpoints.gateway.db.Lane;
import com.memoryendpoints.gateway.db.UuidV7;
import com.memoryendpoints.gateway.db.Verdicts;
import com.memoryendpoints.gateway.meter.Meters;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import com.memoryendpoints.gateway.quota.Quotas;
import com.memoryendpoints.gateway.tenant.Caller;
import com.memoryendpoints.gateway.tenant.Term;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Pools of identifiers. Confined to the event loop of its database; every failure is a {@link
 * com.memoryendpoints.gateway.problem.Refusal} unless it is a defect.
 */
public final class Pools {
  private final Quotas quotas;
  private final Batcher<PutPool, Boolean> puts;
  private final Batcher<FindPools.ByName, Pool> byName;
  private final Batcher<ListPools.Wanted, PoolPage> pages;
  private final Batcher<DeletePools.Deletion, PoolName> deletions;
  private final Batcher<Load, Loaded> loads;
  private final Batcher<Load, Integer> newIdentifiers;
  private final Batcher<PoolClaim, Held> claims;
  private final Batcher<HoldRenewal, Instant> renewals;
  private final Batcher<HoldRelease, Instant> releases;
  private final Batcher<Consumption, Instant> consumptions;
  private final Batcher<FindIdentifiers.ById, IdentifierView> byId;
  private final Batcher<Redrive, Integer> redrives;

  /**
   * The pools of one event loop, over its own connections.
   *
   * @param epochBase the configured part of the fencing epoch
   * @param renewalsAudited whether a renewal is an audit event too
   */
  public Pools(
      Database database,
      Quotas quotas,
      Redactor redactor,
      Meters meters,
      int epochBase,
      boolean renewalsAudited) {
    this.quotas = quotas;
    UuidV7 ids = new UuidV7(database.clock());
    Verdicts verdicts = new Verdicts(meters);
    this.puts = database.batcher(Lane.READ, new PutPools(redactor, ids), 1);
    this.byName = database.batcher(Lane.READ, new FindPools(verdicts));
    this.pages = database.reader(new ListPools());
    this.deletions = database.batcher(Lane.READ, new DeletePools(redactor, ids, verdicts));
    this.loads = database.batcher(Lane.CLAIM, new LoadIdentifiers(redactor, ids, verdicts), 1);
    this.newIdentifiers = database.batcher(Lane.READ, new FindNewIdentifiers(), 1);
    this.claims =
        database.batcher(
            Lane.CLAIM,
            new ClaimIdentifiers(epochBase, redactor, ids, database.clock(), meters),
            ClaimIdentifiers.STATEMENT_WEIGHT_MAX);
    this.renewals =
        database.batcher(Lane.RENEW, new RenewHolds(renewalsAudited, redactor, ids, verdicts));
    this.releases = database.batcher(Lane.RENEW, new ReleaseHolds(redactor, ids, verdicts));
    this.consumptions =
        database.batcher(Lane.READ, new ConsumeIdentifiers(redactor, ids, verdicts));
    this.byId = database.batcher(Lane.READ, new FindIdentifiers(verdicts));
    this.redrives =
        database.batcher(Lane.CLAIM, new RedriveIdentifiers(redactor, ids, verdicts), 1);
  }

  /**
   * Makes a pool, or replaces the settings of the one that is there.
   *
   * @return the pool; {@link Problem#QUOTA_EXCEEDED}; {@link Problem#BUSY} when it is deleted again
   *     all the time
   */
  public Future<PoolPut> put(PutPool put) {
    return put(put, 1);
  }

  private Future<PoolPut> put(PutPool put, int attempt) {
    UUID tenantId = put.caller().tenantId();
    return quotas
        .within(
            tenantId,
            Term.POOLS,
            new Quotas.Making<>(
                1, () -> isNew(put.caller(), put.pool()), created -> created ? 1 : 0),
            () -> puts.submit(tenantId, put))
        .compose(created -> find(put.caller(), put.pool()).map(pool -> new PoolPut(pool, created)))
        .recover(failure -> putAgain(put, attempt, failure));
  }

  private Future<Integer> isNew(Caller caller, PoolName pool) {
    return find(caller, pool)
        .map(0)
        .recover(
            failure ->
                isNotFound(failure) ? Future.succeededFuture(1) : Future.failedFuture(failure));
  }

  private static boolean isNotFound(Throwable failure) {
    return failure instanceof Refusal refusal && refusal.problem() == Problem.POOL_NOT_FOUND;
  }

  /** Somebody deleted it before it was read. */
  private Future<PoolPut> putAgain(PutPool put, int attempt, Throwable failure) {
    if (!isNotFound(failure)) {
      return Future.failedFuture(failure);
    }
    return attempt < 3
        ? put(put, attempt + 1)
        : Problem.BUSY.refuse("the pool was deleted " + attempt + " times");
  }

  /**
   * One of the tenant's own pools.
   *
   * @return {@link Problem#POOL_NOT_FOUND} also for another tenant's
   */
  public Future<Pool> find(Caller caller, PoolName pool) {
    return byName.submit(caller.tenantId(), new FindPools.ByName(caller.tenantId(), pool));
  }

  /**
   * One page of the tenant's own pools, in the order of their names.
   *
   * @param after the name after which the page starts; null for the first page
   * @param limit 1 to 1,000
   */
  public Future<PoolPage> list(Caller caller, @Nullable PoolName after, int limit) {
    return pages.submit(
        caller.tenantId(),
        new ListPools.Wanted(caller.tenantId(), after == null ? "" : after.text(), limit));
  }

  /**
   * Deletes a pool and everything that it holds, with the ledger of what was consumed from it.
   *
   * @param drain whether also while identifiers are UNUSED or PENDING
   * @return the name, free again; {@link Problem#POOL_NOT_FOUND}, {@link Problem#POOL_NOT_EMPTY}
   */
  public Future<PoolName> delete(Caller caller, PoolName pool, boolean drain) {
    return deletions.submit(caller.tenantId(), new DeletePools.Deletion(caller, pool, drain));
  }

  /**
   * Loads identifiers, all or none.
   *
   * @return how many were new; {@link Problem#POOL_NOT_FOUND}, {@link Problem#BUSY} while another
   *     load of the same identifiers is under way, {@link Problem#QUOTA_EXCEEDED} when all that are
   *     new would go beyond it
   */
  public Future<Loaded> load(Load load) {
    UUID tenantId = load.caller().tenantId();
    return quotas.within(
        tenantId,
        Term.IDENTIFIERS,
        new Quotas.Making<>(
            load.identifiers().size(),
            () -> newIdentifiers.submit(tenantId, load),
            Loaded::inserted),
        () -> loads.submit(tenantId, load));
  }

  /**
   * Borrows identifiers, the oldest available first (Law 5).
   *
   * @return the holds, or those of the key's earlier use; {@link Problem#IDEMPOTENCY_KEY_REUSED},
   *     {@link Problem#POOL_NOT_FOUND}, {@link Problem#POOL_EXHAUSTED}, which says when to come
   *     again
   */
  public Future<Held> claim(PoolClaim claim) {
    return claims.submit(claim.caller().tenantId(), claim);
  }

  /**
   * Goes on holding. Never shortens, never resurrects (Law 6.3).
   *
   * @return the new end; {@link Problem#POOL_NOT_FOUND}, {@link Problem#IDENTIFIER_NOT_FOUND},
   *     {@link Problem#STALE_FENCING_TOKEN}, {@link Problem#HOLD_LAPSED}, {@link
   *     Problem#IDENTIFIER_CONSUMED}
   */
  public Future<Instant> renew(HoldRenewal renewal) {
    return renewals.submit(renewal.hold().caller().tenantId(), renewal);
  }

  /**
   * Gives an identifier back; once more with the same token is the same answer.
   *
   * @return from when it can be claimed; fails as {@link #renew} does
   */
  public Future<Instant> release(HoldRelease release) {
    return releases.submit(release.hold().caller().tenantId(), release);
  }

  /**
   * Finishes an identifier for ever, fenced (Law 6.2), and notes it in the ledger; once more with
   * the same token is the same answer.
   *
   * @return when it was consumed; fails as {@link #renew} does, but not because it is consumed
   */
  public Future<Instant> consume(Consumption consumption) {
    return consumptions.submit(consumption.hold().caller().tenantId(), consumption);
  }

  /**
   * One identifier of one of the tenant's own pools.
   *
   * @return {@link Problem#POOL_NOT_FOUND}, {@link Problem#IDENTIFIER_NOT_FOUND}
   */
  public Future<IdentifierView> findIdentifier(Caller caller, PoolName pool, UUID identifierId) {
    return byId.submit(
        caller.tenantId(), new FindIdentifiers.ById(caller.tenantId(), pool, identifierId));
  }

  /**
   * Puts DEAD identifiers back to UNUSED, {@link RedriveIdentifiers#REDRIVEN_ROWS_MAX} at a time.
   *
   * @return how many; {@link Problem#POOL_NOT_FOUND}
   */
  public Future<Integer> redrive(Redrive redrive) {
    return redrive(redrive, 0);
  }

  private Future<Integer> redrive(Redrive redrive, int before) {
    return redrives
        .submit(redrive.caller().tenantId(), redrive)
        .compose(
            some ->
                redrive.identifierIds() == null && some == RedriveIdentifiers.REDRIVEN_ROWS_MAX
                    ? redrive(redrive, before + some)
                    : Future.succeededFuture(before + some));
  }
}

package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.audit.Redactor;
import com.memoryendpoints.gateway.db.Batcher;
import com.memoryendpoints.gateway.db.Database;
import com.memoryendpoints.gateway.db.Lane;
import com.memoryendpoints.gateway.db.UuidV7;
import com.memoryendpoints.gateway.db.Verdicts;
import com.memoryendpoints.gateway.meter.Meters;
import com.memoryendpoints.gateway.name.NameKey;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import com.memoryendpoints.gateway.quota.Quotas;
import com.memoryendpoints.gateway.tenant.Caller;
import com.memoryendpoints.gateway.tenant.Term;
import io.vertx.core.Future;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Names and memories leased together. Confined to the event loop of its database; every failure is
 * a {@link Refusal} unless it is a defect.
 */
public final class Leases {
  private static final UUID BEFORE_ALL = new UUID(0, 0);

  private final Quotas quotas;
  private final Meters meters;
  private final Batcher<Claim, Claimed> claims;
  private final Batcher<Claim, Integer> newClaims;
  private final Batcher<Renewal, Renewed> renewals;
  private final Batcher<Release, FencingToken> releases;
  private final Batcher<Verification, Verified> verifications;
  private final Batcher<RevokeLeases.Target, FencingToken> revocations;
  private final Batcher<FindLeases.ById, LeaseView> byId;
  private final Batcher<FindNamedLeases.ByName, LeaseView> byName;
  private final Batcher<FindMemories.ById, MemoryView> memories;
  private final Batcher<ListLeases.Wanted, Page<LeaseView>> pages;

  /** The leases of one event loop, over its own connections. */
  public Leases(
      Database database, Quotas quotas, Redactor redactor, Meters meters, LeaseSettings settings) {
    UuidV7 ids = new UuidV7(database.clock());
    Verdicts verdicts = new Verdicts(meters);
    int epochBase = settings.epochBase();
    this.quotas = quotas;
    this.meters = meters;
    this.claims =
        database.batcher(
            Lane.CLAIM, new ClaimLeases(epochBase, redactor, ids, database.clock(), meters));
    this.newClaims = database.batcher(Lane.READ, new FindNewClaims());
    this.renewals =
        database.batcher(
            Lane.RENEW, new RenewLeases(settings.renewalsAudited(), redactor, ids, verdicts));
    this.releases = database.batcher(Lane.RENEW, new ReleaseLeases(redactor, ids, verdicts));
    this.verifications = database.batcher(Lane.READ, new VerifyLeases(verdicts));
    this.revocations =
        database.batcher(Lane.READ, new RevokeLeases(epochBase, redactor, ids, verdicts));
    this.byId = database.batcher(Lane.READ, new FindLeases(verdicts));
    this.byName = database.batcher(Lane.READ, new FindNamedLeases(verdicts));
    this.memories = database.batcher(Lane.READ, new FindMemories(verdicts));
    this.pages = database.reader(new ListLeases());
  }

  /**
   * Claims a name and a memory together (Invariants 1, 2, 6).
   *
   * @return the grant, or that of the key's earlier use while it stands; {@link
   *     Problem#IDEMPOTENCY_KEY_REUSED}, {@link Problem#MEMORY_NOT_FOUND}, {@link
   *     Problem#MEMORY_HELD}, {@link Problem#NAME_HELD}; for the replay of a grant that has ended
   *     {@link Problem#STALE_FENCING_TOKEN}, {@link Problem#LEASE_LAPSED} or {@link
   *     Problem#LEASE_RELEASED}; {@link Problem#QUOTA_EXCEEDED} for what would be granted anew
   */
  public Future<Claimed> claim(Claim claim) {
    UUID tenantId = claim.owner().caller().tenantId();
    return quotas
        .within(
            tenantId,
            Term.LEASES,
            new Quotas.Making<>(
                1, () -> newClaims.submit(tenantId, claim), claimed -> claimed.replayed() ? 0 : 1),
            () -> claims.submit(tenantId, claim))
        // Here, not where rows are read: what never came to a row is what an alert is about.
        .onComplete(claimed -> meters.claimed(outcome(claimed)), meters::claimRefused);
  }

  private static Meters.Claim outcome(Claimed claimed) {
    if (claimed.replayed()) {
      return Meters.Claim.REPLAYED;
    }
    return claimed.tookOver() ? Meters.Claim.TAKEN_OVER : Meters.Claim.GRANTED;
  }

  /**
   * Goes on holding. Never shortens, never resurrects.
   *
   * @return the new end; {@link Problem#MEMORY_NOT_FOUND}, {@link Problem#LEASE_NOT_FOUND}, {@link
   *     Problem#STALE_FENCING_TOKEN}, {@link Problem#OWNER_MISMATCH}, {@link Problem#LEASE_LAPSED},
   *     {@link Problem#LEASE_RELEASED}
   */
  public Future<Renewed> renew(Renewal renewal) {
    long submitted = System.nanoTime();
    return renewals
        .submit(renewal.owner().caller().tenantId(), renewal)
        .onComplete(answer -> meters.renewalAnswered(System.nanoTime() - submitted));
  }

  /**
   * Stops holding; once more with the same token is the same answer.
   *
   * @return the token released; fails as {@link #renew} does, but not because it was released
   */
  public Future<FencingToken> release(Release release) {
    return releases.submit(release.owner().caller().tenantId(), release);
  }

  /**
   * Tells whether a token is current and its lease live, by the database's clock.
   *
   * @return the lease's end; {@link Problem#MEMORY_NOT_FOUND}, {@link Problem#STALE_FENCING_TOKEN},
   *     {@link Problem#LEASE_LAPSED}, {@link Problem#LEASE_RELEASED}
   */
  public Future<Verified> verify(Verification verification) {
    return verifications.submit(verification.caller().tenantId(), verification);
  }

  /**
   * Ends one of the tenant's own live leases at once and raises its token, so that its holder is
   * stale (Invariant 9).
   *
   * @return the raised token; {@link Problem#LEASE_NOT_FOUND} when nothing is live, {@link
   *     Problem#STALE_FENCING_TOKEN} when it is not the lease that was meant, {@link Problem#BUSY}
   *     when it changes hands all the time
   */
  public Future<FencingToken> revoke(Revocation revocation) {
    return revoke(revocation, 1);
  }

  private Future<FencingToken> revoke(Revocation revocation, int attempt) {
    Caller caller = revocation.caller();
    return target(revocation)
        .compose(
            lease -> {
              FencingToken meant = revocation.token();
              if (meant != null && !meant.equals(lease.fencingToken())) {
                meters.fencingRejected();
                return Future.failedFuture(
                    Problem.STALE_FENCING_TOKEN
                        .because("another lease than the one meant")
                        .with("current_token", lease.fencingToken().value()));
              }
              return revocations.submit(
                  caller.tenantId(), new RevokeLeases.Target(caller, lease, revocation.reason()));
            })
        .recover(failure -> again(revocation, attempt, failure));
  }

  // Between the look-up and the statement the lease changed hands: without a token, whoever holds
  // it
  // now is meant.
  private Future<FencingToken> again(Revocation revocation, int attempt, Throwable failure) {
    boolean moved =
        failure instanceof Refusal refusal
            && refusal.problem() == Problem.STALE_FENCING_TOKEN
            && revocation.token() == null;
    if (!moved) {
      return Future.failedFuture(failure);
    }
    return attempt < 3
        ? revoke(revocation, attempt + 1)
        : Problem.BUSY.refuse("the lease changed hands " + attempt + " times");
  }

  private Future<Lease> target(Revocation revocation) {
    UUID tenantId = revocation.caller().tenantId();
    Future<@Nullable LeaseView> named =
        revocation.memoryId() == null
            ? named(tenantId, String.valueOf(revocation.canonicalName()))
            : memories
                .submit(tenantId, new FindMemories.ById(tenantId, revocation.memoryId()))
                .map(MemoryView::lease);
    return named.compose(
        view ->
            view == null || view.state() != LeaseView.State.HELD
                ? Problem.LEASE_NOT_FOUND.refuse("nothing live to revoke")
                : Future.succeededFuture(view.lease()));
  }

  /**
   * One of the tenant's own leases.
   *
   * @return {@link Problem#LEASE_NOT_FOUND} also for another tenant's and for one overwritten by a
   *     later claim
   */
  public Future<LeaseView> find(Caller caller, UUID leaseId) {
    return byId.submit(caller.tenantId(), new FindLeases.ById(caller.tenantId(), leaseId));
  }

  /**
   * One page of the tenant's own leases, in memory order.
   *
   * @param after the memory after which the page starts; null for the first page
   * @param limit 1 to 1,000
   */
  public Future<Page<LeaseView>> list(
      Caller caller, LeaseFilter filter, @Nullable UUID after, int limit) {
    UUID tenantId = caller.tenantId();
    if (filter.canonicalName() == null) {
      return pages.submit(
          tenantId,
          new ListLeases.Wanted(
              tenantId, after == null ? BEFORE_ALL : after, limit, filter.ownerClientId()));
    }
    // A name is on one lease at most: no page follows.
    return named(tenantId, filter.canonicalName())
        .map(
            view -> {
              boolean shown =
                  filter.ownerClientId() == null
                      || filter.ownerClientId().equals(view.ownerClientId());
              return new Page<>(shown && after == null ? List.of(view) : List.of(), null);
            })
        .recover(Leases::noneNamed);
  }

  private static Future<Page<LeaseView>> noneNamed(Throwable failure) {
    return failure instanceof Refusal refusal && refusal.problem() == Problem.LEASE_NOT_FOUND
        ? Future.succeededFuture(new Page<>(List.of(), null))
        : Future.failedFuture(failure);
  }

  private Future<LeaseView> named(UUID tenantId, String canonicalName) {
    String nameKey = NameKey.of(canonicalName);
    return byName.submit(tenantId, new FindNamedLeases.ByName(tenantId, nameKey, canonicalName));
  }
}

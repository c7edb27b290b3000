package com.memoryendpoints.gateway.http;

import static com.memoryendpoints.gateway.http.Member.optional;
import static com.memoryendpoints.gateway.http.Member.required;

import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.idempotency.IdempotencyKey;
import com.memoryendpoints.gateway.lease.Branch;
import com.memoryendpoints.gateway.lease.Claim;
import com.memoryendpoints.gateway.lease.Commit;
import com.memoryendpoints.gateway.lease.FencingToken;
import com.memoryendpoints.gateway.lease.LeaseFilter;
import com.memoryendpoints.gateway.lease.Owner;
import com.memoryendpoints.gateway.lease.Registration;
import com.memoryendpoints.gateway.lease.Release;
import com.memoryendpoints.gateway.lease.Renewal;
import com.memoryendpoints.gateway.lease.Revocation;
import com.memoryendpoints.gateway.lease.Verification;
import com.memoryendpoints.gateway.name.AgentName;
import com.memoryendpoints.gateway.name.Names;
import com.memoryendpoints.gateway.pool.Consumption;
import com.memoryendpoints.gateway.pool.HoldRef;
import com.memoryendpoints.gateway.pool.HoldRelease;
import com.memoryendpoints.gateway.pool.HoldRenewal;
import com.memoryendpoints.gateway.pool.HoldToken;
import com.memoryendpoints.gateway.pool.PoolClaim;
import com.memoryendpoints.gateway.pool.PoolName;
import com.memoryendpoints.gateway.pool.PoolSettings;
import com.memoryendpoints.gateway.pool.PutPool;
import com.memoryendpoints.gateway.pool.Redrive;
import com.memoryendpoints.gateway.tenant.Caller;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Every member that a request may have, once, and how members become what the domain asks for. */
final class Requests {
  private static final Form.Text CHOSEN = new Form.Text(1, Limits.OWNER_CODE_POINTS_MAX, false);
  private static final Form.Text CANONICAL =
      new Form.Text(1, AgentName.MINTED_CODE_POINTS_MAX, false);
  static final String DIGEST_PATTERN = "sha-256:[0-9a-f]{64}";

  private static final Form.Id ID = new Form.Id(false);
  private static final Form.Whole TOKEN = new Form.Whole(1, FencingToken.MAX);

  static final Member<String> DISPLAY_NAME = required("display_name", Form.Text.ANY);
  static final Member<String> CANONICAL_NAME = required("canonical_name", CANONICAL);
  static final Member<String> OWNER = required("owner_client_id", CHOSEN);
  static final Member<String> REASON = required("reason", CHOSEN);
  static final Member<UUID> MEMORY = required("memory_instance_id", ID);
  static final Member<UUID> PARENT = required("parent_memory_instance_id", ID);
  static final Member<Long> FENCING_TOKEN = required("fencing_token", TOKEN);
  static final Member<Long> PARENT_TOKEN = required("parent_fencing_token", TOKEN);
  static final Member<String> DIGEST = required("content_digest", new Form.Match(DIGEST_PATTERN));
  static final Member<Long> EXPECTED_REVISION =
      optional("expected_revision", new Form.Whole(0, FencingToken.MAX));
  static final Member<Long> TTL =
      optional(
          "ttl_seconds",
          new Form.Whole(Limits.LEASE_TTL_SECONDS_MIN, Limits.LEASE_TTL_SECONDS_MAX));
  static final Member<UUID> NEW_MEMORY = optional("memory_instance_id", new Form.Id(true));

  /** Of a batch item; judged as the header is, with the header's own problems. */
  static final Member<String> KEY = optional("idempotency_key", Form.Text.ANY);

  static final Member<String> REVOKED_NAME = optional("canonical_name", CANONICAL);
  static final Member<UUID> REVOKED_MEMORY = optional("memory_instance_id", ID);
  static final Member<Long> REVOKED_TOKEN = optional("fencing_token", TOKEN);

  static final Member<String> FILTER_OWNER = optional("owner_client_id", CHOSEN);
  static final Member<String> FILTER_NAME = optional("canonical_name", CANONICAL);

  static final Shape CLAIM = Shape.of(DISPLAY_NAME, MEMORY, OWNER, TTL);
  static final Shape CLAIM_ITEM = Shape.of(KEY, DISPLAY_NAME, MEMORY, OWNER, TTL);
  static final Shape RENEW = Shape.of(CANONICAL_NAME, MEMORY, FENCING_TOKEN, OWNER, TTL);
  static final Shape RELEASE = Shape.of(CANONICAL_NAME, MEMORY, FENCING_TOKEN, OWNER);
  static final Shape VERIFY = Shape.of(MEMORY, FENCING_TOKEN);
  static final Shape REVOKE = Shape.of(REVOKED_NAME, REVOKED_MEMORY, REVOKED_TOKEN, REASON);
  static final Shape CANONICALIZE = Shape.of(DISPLAY_NAME);
  static final Shape REGISTER = Shape.of(NEW_MEMORY);
  static final Shape REGISTER_ITEM = Shape.of(KEY, NEW_MEMORY);
  static final Shape BRANCH = Shape.of(PARENT, PARENT_TOKEN);
  static final Shape COMMIT = Shape.of(MEMORY, FENCING_TOKEN, DIGEST, EXPECTED_REVISION);
  static final Shape LIST = Shape.of(Paging.LIMIT, Paging.CURSOR);
  static final Shape LIST_LEASES = Shape.of(Paging.LIMIT, Paging.CURSOR, FILTER_OWNER, FILTER_NAME);

  // Pools.
  static final Member<Long> DEFAULT_TTL =
      optional(
          "default_ttl_seconds",
          new Form.Whole(Limits.LEASE_TTL_SECONDS_MIN, Limits.LEASE_TTL_SECONDS_MAX));
  static final Member<Long> MAX_ATTEMPTS =
      optional("max_attempts", new Form.Whole(1, Limits.POOL_ATTEMPTS_MAX));
  static final Member<Long> RECLAIM_GRACE =
      optional("reclaim_grace_ms", new Form.Whole(0, Limits.POOL_RECLAIM_GRACE_MS_MAX));
  static final Member<Long> COUNT =
      optional("count", new Form.Whole(1, Limits.POOL_CLAIM_COUNT_MAX));
  static final Member<UUID> IDENTIFIER = required("identifier_id", ID);
  static final Member<Long> DELAY =
      optional("delay_seconds", new Form.Whole(0, Limits.RELEASE_DELAY_SECONDS_MAX));
  static final Member<String> REFERENCE = optional("reference", CHOSEN);
  static final Member<List<UUID>> IDENTIFIERS =
      optional("identifier_ids", new Form.Ids(Limits.BATCH_ITEMS_MAX));
  static final Member<Boolean> DRAIN = optional("drain", new Form.Flag());

  static final Shape PUT_POOL = Shape.of(DEFAULT_TTL, MAX_ATTEMPTS, RECLAIM_GRACE);
  static final Shape LIST_POOLS = Shape.of(Paging.LIMIT, Paging.POOL_CURSOR);
  static final Shape DELETE_POOL = Shape.of(DRAIN);
  static final Shape CLAIM_IDENTIFIERS = Shape.of(OWNER, COUNT, TTL);
  static final Shape RENEW_HOLD = Shape.of(IDENTIFIER, FENCING_TOKEN, TTL);
  static final Shape RELEASE_HOLD = Shape.of(IDENTIFIER, FENCING_TOKEN, DELAY);
  static final Shape CONSUME = Shape.of(IDENTIFIER, FENCING_TOKEN, REFERENCE);
  static final Shape REDRIVE = Shape.of(IDENTIFIERS);

  static final Shape AUDIT = Shape.of(Paging.LIMIT, Paging.AUDIT_CURSOR);

  private Requests() {}

  static Claim claim(Names names, Caller caller, IdempotencyKey key, Fields in) {
    in.requireValid();
    Long ttl = in.find(TTL);
    return new Claim(
        key,
        owner(caller, in),
        names.claimed(in.get(DISPLAY_NAME)),
        in.get(MEMORY),
        ttl == null ? Limits.LEASE_TTL_SECONDS_DEFAULT : ttl.intValue());
  }

  static Renewal renewal(Caller caller, Fields in) {
    in.requireValid();
    Long ttl = in.find(TTL);
    return new Renewal(
        owner(caller, in),
        in.get(CANONICAL_NAME),
        in.get(MEMORY),
        new FencingToken(in.get(FENCING_TOKEN)),
        ttl == null ? null : ttl.intValue());
  }

  static Release release(Caller caller, Fields in) {
    in.requireValid();
    FencingToken token = new FencingToken(in.get(FENCING_TOKEN));
    return new Release(owner(caller, in), in.get(CANONICAL_NAME), in.get(MEMORY), token);
  }

  static Verification verification(Caller caller, Fields in) {
    in.requireValid();
    return new Verification(caller, in.get(MEMORY), new FencingToken(in.get(FENCING_TOKEN)));
  }

  static Revocation revocation(Caller caller, Fields in) {
    boolean named = in.find(REVOKED_NAME) != null || in.faulty(REVOKED_NAME);
    boolean pointed = in.find(REVOKED_MEMORY) != null || in.faulty(REVOKED_MEMORY);
    if (named == pointed) {
      in.fault("", Fault.NOT_EXACTLY_ONE);
    }
    in.requireValid();
    Long token = in.find(REVOKED_TOKEN);
    return new Revocation(
        caller,
        in.find(REVOKED_NAME),
        in.find(REVOKED_MEMORY),
        token == null ? null : new FencingToken(token),
        in.get(REASON));
  }

  static AgentName agentName(Names names, Fields in) {
    in.requireValid();
    return names.of(in.get(DISPLAY_NAME));
  }

  static Registration registration(Caller caller, @Nullable IdempotencyKey key, Fields in) {
    in.requireValid();
    return new Registration(key, caller, in.find(NEW_MEMORY));
  }

  static Branch branch(Caller caller, @Nullable IdempotencyKey key, Fields in) {
    in.requireValid();
    return new Branch(key, caller, in.get(PARENT), new FencingToken(in.get(PARENT_TOKEN)));
  }

  static Commit commit(Caller caller, @Nullable IdempotencyKey key, Fields in) {
    in.requireValid();
    return new Commit(
        key,
        caller,
        in.get(MEMORY),
        new FencingToken(in.get(FENCING_TOKEN)),
        in.get(DIGEST),
        in.find(EXPECTED_REVISION));
  }

  static LeaseFilter filter(Fields query) {
    return new LeaseFilter(query.find(FILTER_OWNER), query.find(FILTER_NAME));
  }

  static PutPool putPool(Caller caller, PoolName pool, Fields in) {
    in.requireValid();
    PoolSettings absent = PoolSettings.DEFAULT;
    Integer maxAttempts = integer(in.find(MAX_ATTEMPTS));
    return new PutPool(
        caller,
        pool,
        new PoolSettings(
            integer(in.find(DEFAULT_TTL), absent.defaultTtlSeconds()),
            maxAttempts,
            integer(in.find(RECLAIM_GRACE), absent.reclaimGraceMs())));
  }

  static PoolClaim poolClaim(Caller caller, PoolName pool, IdempotencyKey key, Fields in) {
    in.requireValid();
    return new PoolClaim(
        key, caller, pool, in.get(OWNER), integer(in.find(COUNT), 1), integer(in.find(TTL)));
  }

  static HoldRenewal holdRenewal(Caller caller, PoolName pool, Fields in) {
    return new HoldRenewal(hold(caller, pool, in), integer(in.find(TTL)));
  }

  static HoldRelease holdRelease(Caller caller, PoolName pool, Fields in) {
    return new HoldRelease(hold(caller, pool, in), integer(in.find(DELAY), 0));
  }

  static Consumption consumption(Caller caller, PoolName pool, Fields in) {
    return new Consumption(hold(caller, pool, in), in.find(REFERENCE));
  }

  static Redrive redrive(Caller caller, PoolName pool, Fields in) {
    in.requireValid();
    return new Redrive(caller, pool, in.find(IDENTIFIERS));
  }

  private static HoldRef hold(Caller caller, PoolName pool, Fields in) {
    in.requireValid();
    HoldToken token = new HoldToken(in.get(FENCING_TOKEN));
    return new HoldRef(caller, pool, in.get(IDENTIFIER), token);
  }

  private static @Nullable Integer integer(@Nullable Long value) {
    return value == null ? null : value.intValue();
  }

  private static int integer(@Nullable Long value, int absent) {
    return value == null ? absent : value.intValue();
  }

  private static Owner owner(Caller caller, Fields in) {
    return new Owner(caller, in.get(OWNER));
  }
}

package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.audit.Redactor;
import com.memoryendpoints.gateway.idempotency.IdempotencyKey;
import com.memoryendpoints.gateway.lease.History.Grant;
import com.memoryendpoints.gateway.name.AgentName;
import com.memoryendpoints.gateway.name.Names;
import com.memoryendpoints.gateway.tenant.Caller;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** A small world that many callers fight for: few names, few memories, two tenants. */
final class HistoryWorld {
  static final int NAMES = 24;
  static final int MEMORIES_PER_TENANT = 12;
  private static final int REMEMBERED = 300;
  private static final List<Caller> TENANTS = List.of(TestPod.CALLER, TestPod.STRANGER);

  final History history = new History();
  final Map<Caller, List<UUID>> memories = new ConcurrentHashMap<>();

  /** A grant and the lease as its owner got it. */
  record Held(Owner owner, Lease lease, Grant grant) {}

  /** A revocation as it was acknowledged. */
  record Revoked(Held held, long raised, Instant answered) {}

  /** One name in two spellings, and one that looks like it. */
  private static final List<String> SPELLINGS = List.of("Modern ", "modern", "rnodern");

  private static final Names RULES = Names.strict();

  final Queue<Revoked> revocations = new ConcurrentLinkedQueue<>();
  final AtomicInteger lapsesRecorded = new AtomicInteger();
  private final List<Held> held = new ArrayList<>();
  private final List<Claim> claimed = new ArrayList<>();

  HistoryWorld(TestPod pod) {
    for (Caller tenant : TENANTS) {
      memories.put(
          tenant,
          IntStream.range(0, MEMORIES_PER_TENANT).mapToObj(n -> pod.memory(tenant)).toList());
    }
  }

  /** The same few owner strings in every tenant: a string alone owns nothing. */
  Owner owner(Random random) {
    return new Owner(TENANTS.get(random.nextInt(2)), "owner-" + random.nextInt(3));
  }

  UUID memory(Owner owner, Random random) {
    return memories.get(owner.caller()).get(random.nextInt(MEMORIES_PER_TENANT));
  }

  AgentName name(Random random) {
    return RULES.claimed(SPELLINGS.get(random.nextInt(3)) + random.nextInt(NAMES));
  }

  /** A claim as it comes: mostly new, at times an earlier one again, or its key with another. */
  synchronized Claim claim(IdempotencyKey key, Random random) {
    int kind = claimed.isEmpty() ? 9 : random.nextInt(10);
    Claim claim;
    if (kind == 0) {
      return any(claimed, random);
    } else if (kind == 1) {
      Claim earlier = any(claimed, random);
      claim = claimBy(earlier.owner(), earlier.key(), random);
    } else if (kind <= 4 && !held.isEmpty()) {
      Held mine = any(held, random);
      claim =
          new Claim(
              key,
              mine.owner(),
              RULES.claimed(mine.lease().canonicalName()),
              mine.lease().memoryId(),
              ttlSeconds(random));
    } else {
      claim = claimBy(owner(random), key, random);
    }
    remember(claimed, claim);
    return claim;
  }

  private Claim claimBy(Owner owner, IdempotencyKey key, Random random) {
    return new Claim(key, owner, name(random), memory(owner, random), ttlSeconds(random));
  }

  private static int ttlSeconds(Random random) {
    return random.nextInt(4) == 0 ? 2 : 1;
  }

  /** What stands for a memory in the audit trail. */
  String hash(Redactor redactor, UUID memoryId) {
    Caller tenant =
        memories.entrySet().stream()
            .filter(tenantsOwn -> tenantsOwn.getValue().contains(memoryId))
            .findFirst()
            .orElseThrow()
            .getKey();
    return HistoryTrail.hex(redactor.memory(tenant.tenantId(), memoryId));
  }

  synchronized void granted(Held lease) {
    history.grants.add(lease.grant());
    remember(held, lease);
  }

  /** Leases that were granted lately, or longer ago: zombies. */
  synchronized List<Held> some(int count, Random random) {
    return held.isEmpty()
        ? List.of()
        : IntStream.range(0, count).mapToObj(n -> any(held, random)).toList();
  }

  private static <T> void remember(List<T> all, T one) {
    if (all.size() == REMEMBERED) {
      all.remove(0);
    }
    all.add(one);
  }

  /** The late ones more often. */
  private static <T> T any(List<T> all, Random random) {
    int back = Math.min(random.nextInt(all.size()), random.nextInt(all.size()));
    return all.get(all.size() - 1 - back);
  }
}

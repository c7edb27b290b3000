package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.db.BatchStatement;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.lease.History.Act;
import com.memoryendpoints.gateway.lease.History.Deed;
import com.memoryendpoints.gateway.lease.History.Ending;
import com.memoryendpoints.gateway.lease.History.Grant;
import com.memoryendpoints.gateway.lease.HistoryWorld.Held;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

/** One of many who do everything to the world at once, and write down what they are told. */
final class HistoryActor {
  private static final String AGE =
      """
      WITH locked AS MATERIALIZED (
        SELECT l.memory_id FROM leases l WHERE l.memory_id = ANY ($1::uuid[]) AND l.ended_as = 0
        ORDER BY l.memory_id FOR NO KEY UPDATE SKIP LOCKED),
      clock AS MATERIALIZED (SELECT clock_timestamp() AS now, count(*) FROM locked)
      UPDATE leases l SET expires_at = now FROM locked CROSS JOIN clock
      WHERE l.memory_id = locked.memory_id AND l.expires_at > now
      RETURNING l.memory_id, l.name_key, l.last_token, l.expires_at
      """;

  private final HistoryWorld world;
  private final History history;
  private final TestLink link;
  private final Random random;
  private Instant asked = Instant.MIN;

  HistoryActor(HistoryWorld world, TestLink link, Random random) {
    this.world = world;
    this.history = world.history;
    this.link = link;
    this.random = random;
  }

  /** Does one thing of everything that there is to do. */
  void act() {
    switch (random.nextInt(16)) {
      case 0, 1, 2, 3, 4 -> claim();
      case 5, 6, 7 -> renew();
      case 8 -> release();
      case 9 -> revoke();
      case 10 -> commit();
      case 11 -> branch();
      case 12 -> verify();
      case 13, 14 -> age();
      default -> reap();
    }
  }

  private int batchSize() {
    return random.nextBoolean() ? 1 + random.nextInt(4) : 1 + random.nextInt(100);
  }

  private <Q, R> List<Row> send(BatchStatement<Q, R> statement, List<Q> requests) {
    asked = link.now();
    return link.run(statement, requests);
  }

  private void claim() {
    List<Claim> claims =
        IntStream.range(0, batchSize()).mapToObj(n -> world.claim(link.key(), random)).toList();
    List<Row> rows = send(link.claims, claims);
    Instant answered = link.now();
    for (int i = 0; i < claims.size(); i++) {
      claimed(claims.get(i), rows.get(i), answered);
    }
  }

  private void claimed(Claim claim, Row row, Instant answered) {
    String verdict = row.getString("verdict");
    Owner owner = claim.owner();
    if (verdict.startsWith("replay")) {
      history.replays.add(new History.Replay(claim.key().value(), row.getLong("token")));
    } else if (Set.of("granted", "taken-over").contains(verdict)) {
      Lease lease = TestLink.lease(claim, row);
      Grant grant =
          new Grant(
              owner.toString(),
              claim.memoryId(),
              claim.name().key(),
              lease.fencingToken().value(),
              claim.key().value(),
              asked,
              answered,
              lease.grantedAt(),
              lease.expiresAt());
      world.granted(new Held(owner, lease, grant));
      effect(verdict.equals("granted") ? "LEASE_ACQUIRED" : "LEASE_TAKEN_OVER", grant);
    } else if (!Set.of("again", "memory-held", "name-held", "key-reused").contains(verdict)) {
      throw new AssertionError(verdict + " for " + claim);
    }
  }

  private void renew() {
    List<Held> leases = world.some(batchSize(), random);
    Integer ttlSeconds = random.nextBoolean() ? null : 1 + random.nextInt(2);
    List<Row> rows =
        send(
            link.renewals,
            leases.stream()
                .map(
                    h ->
                        new Renewal(
                            h.owner(),
                            h.lease().canonicalName(),
                            h.lease().memoryId(),
                            h.lease().fencingToken(),
                            ttlSeconds))
                .toList());
    note(Deed.RENEWED, "renewed", leases, rows);
  }

  private void release() {
    List<Held> leases = world.some(1 + random.nextInt(8), random);
    List<Row> rows =
        send(
            link.releases,
            leases.stream()
                .map(
                    h ->
                        new Release(
                            h.owner(),
                            h.lease().canonicalName(),
                            h.lease().memoryId(),
                            h.lease().fencingToken()))
                .toList());
    note(Deed.RELEASED, "released", leases, rows);
  }

  private void verify() {
    List<Held> leases = world.some(batchSize(), random);
    List<Row> rows =
        send(
            link.verifications,
            leases.stream()
                .map(
                    h ->
                        new Verification(
                            h.owner().caller(), h.lease().memoryId(), h.lease().fencingToken()))
                .toList());
    note(Deed.VERIFIED, "current", leases, rows);
  }

  private void commit() {
    List<Held> leases = world.some(batchSize(), random);
    String digest = "sha-256:" + "%064x".formatted(random.nextInt(1_000_000));
    List<Row> rows =
        send(
            link.commits,
            leases.stream()
                .map(
                    h ->
                        new Commit(
                            random.nextBoolean() ? link.key() : null,
                            h.owner().caller(),
                            h.lease().memoryId(),
                            h.lease().fencingToken(),
                            digest,
                            null))
                .toList());
    note(Deed.COMMITTED, "committed", leases, rows);
  }

  private void branch() {
    List<Held> parents = world.some(1 + random.nextInt(8), random);
    List<Row> rows =
        send(
            link.branches,
            parents.stream()
                .map(
                    h ->
                        new BranchMemories.Child(
                            new Branch(
                                link.key(),
                                h.owner().caller(),
                                h.lease().memoryId(),
                                h.lease().fencingToken()),
                            link.id()))
                .toList());
    note(Deed.BRANCHED, "branched", parents, rows);
  }

  private void note(Deed deed, String verdict, List<Held> leases, List<Row> rows) {
    Instant answered = link.now();
    for (int i = 0; i < leases.size(); i++) {
      Row row = rows.get(i);
      if (row.getString("verdict").equals(verdict)) {
        note(deed, leases.get(i), row, answered);
      }
    }
  }

  private void note(Deed deed, Held held, Row row, Instant answered) {
    Instant at =
        switch (deed) {
          case COMMITTED -> Rows.instant(row, "committed_at");
          case BRANCHED -> Rows.instant(row, "created_at");
          default -> null;
        };
    Instant until = deed == Deed.RENEWED ? Rows.instant(row, "expires_at") : null;
    long revision = deed == Deed.COMMITTED ? row.getLong("revision") : 0;
    history.acts.add(new Act(deed, held.grant(), asked, answered, at, until, revision));
    UUID tenantId = held.owner().caller().tenantId();
    if (deed == Deed.COMMITTED) {
      effect("MEMORY_COMMITTED", held.grant());
    } else if (deed == Deed.BRANCHED) {
      String child = HistoryTrail.hex(link.redactor.memory(tenantId, row.getUUID("memory_id")));
      history.effects.add(HistoryTrail.event("MEMORY_BRANCHED", child, held.grant().token()));
    }
  }

  private void revoke() {
    Held held = world.some(1, random).stream().findFirst().orElse(null);
    if (held == null) {
      return;
    }
    Row row =
        send(
                link.revocations,
                List.of(new RevokeLeases.Target(held.owner().caller(), held.lease(), "random")))
            .get(0);
    if (row.getString("verdict").equals("revoked")) {
      world.revocations.add(new HistoryWorld.Revoked(held, row.getLong("token"), link.now()));
    }
  }

  private void age() {
    UUID[] some =
        IntStream.range(0, 1 + random.nextInt(6))
            .mapToObj(n -> world.memory(world.owner(random), random))
            .toArray(UUID[]::new);
    List<Row> rows = link.run(AGE, Tuple.tuple().addArrayOfUUID(some));
    Instant answered = link.now();
    for (Row row : rows) {
      history.endings.add(
          new Ending(
              row.getUUID("memory_id"),
              row.getString("name_key"),
              row.getLong("last_token"),
              0,
              Rows.instant(row, "expires_at"),
              answered));
    }
  }

  private void reap() {
    List<Row> seen = link.run(Sql.FIND_LAPSED_LEASES.text(), Tuple.of(0L, 1_000L, 0, 300, 1_000));
    Buffer[] hashes =
        seen.stream()
            .map(r -> link.redactor.memory(r.getUUID("tenant_id"), r.getUUID("memory_id")))
            .toArray(Buffer[]::new);
    Tuple parameters =
        Tuple.tuple()
            .addArrayOfUUID(seen.stream().map(r -> r.getUUID("memory_id")).toArray(UUID[]::new))
            .addArrayOfLong(seen.stream().map(r -> r.getLong("last_token")).toArray(Long[]::new))
            .addArrayOfOffsetDateTime(
                seen.stream()
                    .map(r -> r.getOffsetDateTime("expires_at"))
                    .toArray(OffsetDateTime[]::new))
            .addArrayOfBuffer(hashes)
            .addArrayOfBuffer(hashes)
            .addArrayOfUUID(seen.stream().map(r -> link.id()).toArray(UUID[]::new))
            .addInteger(link.redactor.keyId())
            .addInteger(0)
            .addInteger(300);
    int recorded =
        link.run(Sql.RECORD_LAPSED_LEASES.text(), parameters).get(0).getInteger("recorded");
    world.lapsesRecorded.addAndGet(recorded);
  }

  private void effect(String type, Grant grant) {
    history.effects.add(
        HistoryTrail.event(type, world.hash(link.redactor, grant.memoryId()), grant.token()));
  }
}

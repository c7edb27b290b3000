package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.audit.Redactor;
import com.memoryendpoints.gateway.db.BatchStatement;
import com.memoryendpoints.gateway.db.Columns;
import com.memoryendpoints.gateway.db.DatabaseClock;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.db.UuidV7;
import com.memoryendpoints.gateway.db.Verdicts;
import com.memoryendpoints.gateway.idempotency.KeySpan;
import com.memoryendpoints.gateway.meter.Meters;
import com.memoryendpoints.gateway.name.KeyVersion;
import com.memoryendpoints.gateway.name.Names;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Many claims as one call of {@code claim_leases.sql}. */
final class ClaimLeases implements BatchStatement<Claim, Claimed> {
  private final int epochBase;
  private final Redactor redactor;
  private final UuidV7 ids;
  private final DatabaseClock clock;
  private final Meters meters;
  private final Verdicts verdicts;

  ClaimLeases(int epochBase, Redactor redactor, UuidV7 ids, DatabaseClock clock, Meters meters) {
    this.epochBase = epochBase;
    this.redactor = redactor;
    this.ids = ids;
    this.clock = clock;
    this.meters = meters;
    this.verdicts = new Verdicts(meters);
  }

  @Override
  public Sql sql() {
    return Sql.CLAIM_LEASES;
  }

  @Override
  public boolean repeatable() {
    return true; // A grant that was made is a replay the second time.
  }

  @Override
  public Tuple parameters(List<Claim> claims) {
    Columns<Claim> columns = new Columns<>(claims);
    KeySpan span = KeySpan.of(claims.stream().map(c -> c.key().value()));
    return Tuple.of(
        epochBase,
        redactor.keyId(),
        KeyVersion.CURRENT,
        span.first(),
        span.last(),
        columns.uuids(c -> c.key().value()),
        columns.bytes(c -> Buffer.buffer(c.fingerprint().bytes())),
        columns.uuids(c -> c.owner().caller().tenantId()),
        columns.texts(c -> c.owner().caller().principal()),
        columns.texts(c -> c.owner().clientId()),
        columns.texts(c -> c.name().key()),
        columns.texts(c -> c.name().canonical()),
        columns.texts(c -> c.name().display()),
        columns.uuids(Claim::memoryId),
        columns.ints(Claim::ttlSeconds),
        columns.uuids(c -> ids.nextBeside(c.memoryId())),
        columns.uuids(c -> ids.next()),
        columns.bytes(c -> redactor.name(c.owner().caller().tenantId(), c.name().canonical())),
        columns.bytes(c -> redactor.memory(c.owner().caller().tenantId(), c.memoryId())),
        columns.flags(c -> c.name().minted()));
  }

  @Override
  public Claimed answer(Claim claim, Row row) {
    return switch (row.getString("verdict")) {
      case "granted" -> granted(claim, row, false);
      case "taken-over" -> granted(claim, row, true);
      case "name-not-minted" -> throw Names.notMinted();
      case "replay" -> replayed(claim, row);
      case "replay-lapsed" -> throw history(claim, row, Problem.LEASE_LAPSED.because("replay"));
      case "replay-released" -> throw history(claim, row, Problem.LEASE_RELEASED.because("replay"));
      case "replay-stale" -> throw history(claim, row, verdicts.stale(row));
      case "memory-held" -> throw held(row, Problem.MEMORY_HELD);
      case "name-held" -> throw nameHeld(row);
      default -> throw verdicts.refusal(row);
    };
  }

  private Claimed granted(Claim claim, Row row, boolean tookOver) {
    meters.keyUsed(Meters.Key.NEW);
    return new Claimed(lease(claim, row), false, tookOver);
  }

  private Claimed replayed(Claim claim, Row row) {
    meters.keyUsed(Meters.Key.REPLAY);
    return new Claimed(lease(claim, row), true);
  }

  // A replay is history, not ownership: what was granted goes inside the refusal.
  private Refusal history(Claim claim, Row row, Refusal ended) {
    meters.keyUsed(Meters.Key.REPLAY);
    return ended.with("grant", lease(claim, row)).asReplay();
  }

  private Refusal nameHeld(Row row) {
    Refusal held = held(row, Problem.NAME_HELD);
    return row.getBoolean("confusable") ? held.with("confusable", true) : held;
  }

  private Refusal held(Row row, Problem problem) {
    Instant until = Rows.instant(row, "held_until");
    Refusal held =
        problem
            .because("a live lease stands")
            .with("held_until", until)
            .retryAfterMs(until.toEpochMilli() - clock.nowMs());
    String holder = row.getString("holder");
    if (holder == null) {
      return held; // Another tenant's: nothing of it shows.
    }
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("owner_client_id", holder);
    shown.put("since", Rows.instant(row, "holder_since"));
    return held.with("holder", shown);
  }

  private static Lease lease(Claim claim, Row row) {
    return new Lease(
        row.getUUID("lease_id"),
        row.getString("canonical_name"),
        claim.memoryId(),
        new FencingToken(row.getLong("token")),
        Rows.instant(row, "granted_at"),
        Rows.instant(row, "expires_at"),
        claim.ttlSeconds());
  }
}

package com.memoryendpoints.gateway.pool;

import com.memoryendpoints.gateway.audit.Redactor;
import com.memoryendpoints.gateway.db.BatchStatement;
import com.memoryendpoints.gateway.db.Columns;
import com.memoryendpoints.gateway.db.DatabaseClock;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.db.UuidV7;
import com.memoryendpoints.gateway.db.Verdicts;
import com.memoryendpoints.gateway.idempotency.KeySpan;
import com.memoryendpoints.gateway.meter.Meters;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Many claims as one call of {@code claim_identifiers.sql}. */
final class ClaimIdentifiers implements BatchStatement<PoolClaim, Held> {
  /**
   * What claims of one statement may weigh, but for the last of them; with that they are for fewer
   * than the 2,000 identifiers that the statement picks at most.
   */
  static final int STATEMENT_WEIGHT_MAX = 1_000;

  /** A claim beside its identifiers, in identifiers: some 120 claims of one make a statement. */
  static final int CLAIM_WEIGHT = 8;

  /** When to come again where nothing is held and nothing is on its way. */
  static final int EXHAUSTED_RETRY_MS = 10_000;

  /** The same where the head of the queue was not looked at. */
  static final int UNSURE_RETRY_MS = 1_000;

  private final int epochBase;
  private final Redactor redactor;
  private final UuidV7 ids;
  private final DatabaseClock clock;
  private final Meters meters;
  private final Verdicts verdicts;
  private final Places places = new Places();

  ClaimIdentifiers(
      int epochBase, Redactor redactor, UuidV7 ids, DatabaseClock clock, Meters meters) {
    this.epochBase = epochBase;
    this.redactor = redactor;
    this.ids = ids;
    this.clock = clock;
    this.meters = meters;
    this.verdicts = new Verdicts(meters);
  }

  @Override
  public Sql sql() {
    return Sql.CLAIM_IDENTIFIERS;
  }

  @Override
  public boolean repeatable() {
    return true; // A grant that was made is a replay the second time.
  }

  @Override
  public int weight(PoolClaim claim) {
    return CLAIM_WEIGHT + claim.count();
  }

  @Override
  public Tuple parameters(List<PoolClaim> claims) {
    Columns<PoolClaim> columns = new Columns<>(claims);
    KeySpan span = KeySpan.of(claims.stream().map(c -> c.key().value()));
    // One place for all claims of a pool.
    Map<Places.Queue, Places.Place> looks = new HashMap<>();
    Columns<Places.Place> from =
        new Columns<>(
            claims.stream()
                .map(c -> looks.computeIfAbsent(Places.Queue.of(c), places::next))
                .toList());
    return Tuple.tuple()
        .addInteger(epochBase)
        .addInteger(redactor.keyId())
        .addUUID(span.first())
        .addUUID(span.last())
        .addArrayOfUUID(columns.uuids(c -> c.key().value()))
        .addArrayOfBuffer(columns.bytes(c -> Buffer.buffer(c.fingerprint().bytes())))
        .addArrayOfUUID(columns.uuids(c -> c.caller().tenantId()))
        .addArrayOfString(columns.texts(c -> c.caller().principal()))
        .addArrayOfString(columns.texts(PoolClaim::ownerClientId))
        .addArrayOfString(columns.texts(c -> c.pool().text()))
        .addArrayOfInteger(columns.ints(PoolClaim::count))
        .addArrayOfInteger(columns.ints(PoolClaim::ttlSeconds))
        .addArrayOfOffsetDateTime(
            from.requests().stream().map(Places.Place::at).toArray(OffsetDateTime[]::new))
        .addArrayOfUUID(from.uuids(Places.Place::id))
        .addArrayOfBoolean(
            from.requests().stream().map(Places.Place::rescan).toArray(Boolean[]::new))
        .addArrayOfUUID(columns.uuids(c -> ids.next()))
        .addArrayOfUUID(columns.uuids(c -> ids.next()))
        .addArrayOfBuffer(
            columns.bytes(c -> redactor.name(c.caller().tenantId(), c.pool().text())));
  }

  @Override
  public Held answer(PoolClaim claim, Row row) {
    return switch (row.getString("verdict")) {
      case "granted" -> {
        reached(claim, row);
        meters.keyUsed(Meters.Key.NEW);
        yield new Held(holds(row), false);
      }
      case "replay" -> {
        meters.keyUsed(Meters.Key.REPLAY);
        yield new Held(holds(row), true);
      }
      case "pool-exhausted" -> {
        reached(claim, row);
        throw exhausted(row);
      }
      default -> throw verdicts.refusal(row);
    };
  }

  private void reached(PoolClaim claim, Row row) {
    places.reached(
        Places.Queue.of(claim),
        row.getOffsetDateTime("after_at"),
        row.getUUID("after_id"),
        row.getInteger("head_ms"));
  }

  private Refusal exhausted(Row row) {
    Instant next = Rows.maybeInstant(row, "next_at");
    long afterMs = next == null ? EXHAUSTED_RETRY_MS : next.toEpochMilli() - clock.nowMs();
    boolean sure = row.getInteger("head_ms") != null;
    return Problem.POOL_EXHAUSTED
        .because("nothing is free")
        .retryAfterMs(sure ? afterMs : Math.min(afterMs, UNSURE_RETRY_MS));
  }

  private static List<Hold> holds(Row row) {
    UUID[] identifierIds = row.getArrayOfUUIDs("identifier_ids");
    String[] identifiers = row.getArrayOfStrings("identifiers");
    Long[] tokens = row.getArrayOfLongs("tokens");
    Integer[] attempts = row.getArrayOfIntegers("attempts");
    Instant leasedUntil = Rows.instant(row, "leased_until");
    List<Hold> holds = new ArrayList<>(identifierIds.length);
    for (int i = 0; i < identifierIds.length; i++) {
      holds.add(
          new Hold(
              identifierIds[i],
              identifiers[i],
              new HoldToken(tokens[i]),
              leasedUntil,
              attempts[i]));
    }
    return holds;
  }
}

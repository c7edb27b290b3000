package com.memoryendpoints.gateway.reaper;

import com.memoryendpoints.gateway.db.Session;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.meter.ReaperMeter;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;

/**
 * Forgets names that nobody has been granted for long, so that names tried once do not stay for
 * ever. Their tokens still never go back: the floor has passed them (store.md, must 3).
 */
final class IdleNames {
  /** How many days a name must have been idle. */
  static final int IDLE_DAYS = 7;

  /** Blocks of one pass, half a mebibyte: names are in no hurry. */
  static final int PASS_BLOCKS = 64;

  /** Rows that one statement deletes. */
  static final int FORGOTTEN_ROWS_MAX = 256;

  private final Session session;
  private final int epochBase;
  private final ReaperMeter meter;
  private final Round round = new Round(PASS_BLOCKS, PASS_BLOCKS);

  IdleNames(Session session, int epochBase, ReaperMeter meter) {
    this.session = session;
    this.epochBase = epochBase;
    this.meter = meter;
  }

  /** Goes on round a table of so many blocks, for one statement. */
  Future<Void> pass(long nameBlocks) {
    round.begin(nameBlocks);
    if (round.isOver()) {
      return Future.succeededFuture();
    }
    Round.Blocks range = round.range();
    return session
        .run(
            Sql.FORGET_IDLE_NAMES,
            Tuple.of(range.from(), range.until(), epochBase, IDLE_DAYS, FORGOTTEN_ROWS_MAX),
            row -> row.getInteger("forgotten"))
        .onSuccess(rows -> rows.forEach(meter::namesForgotten))
        // What a full statement left behind is found on the next way round.
        .onSuccess(rows -> round.reached(range.until()))
        .mapEmpty();
  }
}

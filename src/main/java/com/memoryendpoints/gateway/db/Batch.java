package com.memoryendpoints.gateway.db;

import com.memoryendpoints.gateway.meter.StatementMeter;
import com.memoryendpoints.gateway.meter.StatementMeter.Again;
import com.memoryendpoints.gateway.problem.Problem;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests in flight as one statement, and the only place where anything is sent once more. What
 * the database promised to have rolled back is; what may have been committed is only if a second
 * time does no harm; anything else is an unknown outcome and said to be one.
 */
final class Batch<Q, R> {
  private static final Logger LOG = LoggerFactory.getLogger(Batch.class);
  private static final int ROLLBACKS_MAX = 3;
  private static final int ROLLBACK_JITTER_MS = 10;
  private static final int AGAIN_PAUSE_MS_MAX = 64;

  private final Batcher<Q, R> batcher;
  private final Exchange<Q, R> exchange;
  private final StatementMeter meter;
  private final List<Waiting<Q, R>> members;

  Batch(
      Batcher<Q, R> batcher,
      Exchange<Q, R> exchange,
      StatementMeter meter,
      List<Waiting<Q, R>> members) {
    this.batcher = batcher;
    this.exchange = exchange;
    this.meter = meter;
    this.members = members;
  }

  /** Sends the statement; fails or throws when it cannot be sent. */
  Future<RowSet<Row>> sendOn(Link link) {
    return link.execute(exchange, exchange.parameters(members));
  }

  /**
   * The rows are here. Members told {@code again} are sent again, the others are decided; they have
   * their answers by {@link #giveAnswers}, after the connection has gone on.
   */
  void answered(RowSet<Row> rows, long nanos, long nowMs) {
    meter.answered(members.size(), nanos);
    try {
      exchange.read(rows, members);
    } catch (RuntimeException e) {
      LOG.error("The rows of {} cannot be read: {}", exchange.label, Fault.describe(e));
    }
    for (Waiting<Q, R> member : members) {
      boolean again = member.takeAgain();
      if (again && !member.decided()) {
        again(member, nowMs);
      } else {
        // It may have taken effect: a second time would not tell.
        member.refuse(Problem.INTERNAL, exchange.label + " had no row for a request");
      }
    }
  }

  /** The statement failed as a whole. */
  void failed(Remedy remedy, Throwable cause) {
    meter.failed();
    String why = exchange.label + ": " + Fault.describe(cause);
    if (remedy == Remedy.DEFECT && members.size() == 1) {
      LOG.error("A statement failed: {}", why);
    }
    for (Waiting<Q, R> member : members) {
      if (!member.decided()) {
        failed(member, remedy, why);
      }
    }
    if (remedy == Remedy.ROLLED_BACK) {
      // Together, or a batch would come back as many.
      long jitterMs = 1 + ThreadLocalRandom.current().nextLong(ROLLBACK_JITTER_MS);
      batcher.sendLater(members.stream().filter(member -> !member.decided()).toList(), jitterMs);
    }
  }

  /** Gives every decided member its answer; runs the callers' own code. */
  void giveAnswers() {
    for (Waiting<Q, R> member : members) {
      if (member.decided()) {
        member.giveAnswer();
      }
    }
  }

  /** Answers members that have waited long enough, though the statement has not. */
  void answerLate(long nowMs) {
    for (Waiting<Q, R> member : members) {
      if (!member.decided() && member.tooLateToAnswer(nowMs)) {
        member.refuse(exchange.doubt, exchange.label + " took too long");
        member.giveAnswer();
      }
    }
  }

  private void failed(Waiting<Q, R> member, Remedy remedy, String why) {
    switch (remedy) {
      case ROLLED_BACK -> {
        if (member.rollbacks++ < ROLLBACKS_MAX) {
          meter.again(Again.ROLLED_BACK);
        } else {
          member.refuse(Problem.BUSY, why);
        }
      }
      case BUSY -> one(member, Problem.BUSY, why);
      case CANCELLED, LOST -> lost(member, why);
      case EXHAUSTED, UNAVAILABLE, UNANCHORED, USED_UP, REKEYED ->
          member.refuse(Problem.UNAVAILABLE, why);
      case STALE_PLAN -> {
        if (member.replanned) {
          member.refuse(Problem.INTERNAL, why);
        } else {
          member.replanned = true;
          meter.again(Again.STALE_PLAN);
          batcher.sendAgain(member);
        }
      }
      case DEFECT -> one(member, Problem.INTERNAL, why);
    }
  }

  /** A batch that one member spoilt is sent again member by member: the others are strangers. */
  private void one(Waiting<Q, R> member, Problem problem, String why) {
    if (members.size() == 1) {
      member.refuse(problem, why);
    } else {
      member.alone = true;
      meter.again(Again.ONE_BY_ONE);
      batcher.sendAgain(member);
    }
  }

  private void lost(Waiting<Q, R> member, String why) {
    boolean first = member.doubt == null;
    member.doubt = exchange.doubt;
    if (first && exchange.repeatable) {
      meter.again(Again.LOST);
      batcher.sendAgain(member);
    } else {
      member.refuse(exchange.doubt, why);
    }
  }

  /** At once, for most rows are free by then; then ever later. */
  private void again(Waiting<Q, R> member, long nowMs) {
    if (!member.mayGoAgain(nowMs)) {
      member.refuse(Problem.BUSY, exchange.label + " found the row busy for too long");
      return;
    }
    meter.again(Again.BUSY_ROW);
    if (member.agains == 1) {
      batcher.sendAgain(member);
    } else {
      batcher.sendLater(List.of(member), Math.min(AGAIN_PAUSE_MS_MAX, 1L << (member.agains - 1)));
    }
  }
}

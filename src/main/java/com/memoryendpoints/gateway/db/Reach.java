package com.memoryendpoints.gateway.db;

import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.meter.Meters;
import io.vertx.core.Handler;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether the database can be reached, since when not, and what the log was told about it. */
final class Reach {
  private static final Logger LOG = LoggerFactory.getLogger(Database.class);
  private static final Map<Standing, String> ADVICE =
      Map.of(
          Standing.STANDBY,
          "What answers as the database is a standby, or set read-only; a primary is waited for.",
          Standing.UNANCHORED,
          "The fencing epoch is anchored in another history than this database's: nothing is"
              + " granted. When this database is the right one, run the subcommand anchor-epoch.",
          Standing.USED_UP,
          "The fencing epochs are used up, nothing can be granted: fencing.epoch_base, anchored"
              + " moves and promotions come to 8192 together. Is fencing.epoch_base what it should"
              + " be?");
  private static final String UNCONFIRMED =
      "Commits have waited for a synchronous standby for seconds, and no further connection is"
          + " opened meanwhile. Bring a standby back. Leave the sessions that wait (SyncRep) alone:"
          + " one that is ended lets its commit take effect without a standby.";
  private static final long NEVER = -1;

  private final Meters meters;
  private final Handler<Throwable> fatal;
  private volatile Standing standing = Standing.DOWN;
  private volatile long downSinceMs = DatabaseClock.monotonicMs();
  private String reported = "";
  private int connections;
  private boolean unfit;

  Reach(Meters meters, Handler<Throwable> fatal) {
    this.meters = meters;
    this.fatal = fatal;
  }

  /** From any thread. */
  Standing standing() {
    return standing;
  }

  /** For how long no connection has been up; 0 while one is. From any thread. */
  long downMs() {
    long since = downSinceMs;
    return since == NEVER ? 0 : DatabaseClock.monotonicMs() - since;
  }

  /** How many connections are up. */
  int connections() {
    return connections;
  }

  /** Whether it has been out of reach for so long that nobody should wait for it. */
  boolean isOutage(long nowMs) {
    return connections == 0 && nowMs - downSinceMs > Limits.OUTAGE_RIDDEN_OUT_MS_MAX;
  }

  void connected() {
    connections++;
    meters.connectionsUp().increment();
    downSinceMs = NEVER;
    standing = Standing.UP;
    if (!reported.isEmpty()) {
      reported = "";
      LOG.info("The database is reached.");
    }
  }

  void disconnected() {
    connections--;
    meters.connectionsUp().decrement();
    if (connections == 0) {
      downSinceMs = DatabaseClock.monotonicMs();
      standing = Standing.DOWN;
    }
  }

  /** A statement failed; some have found out that nothing may be granted here. */
  void failed(Remedy remedy) {
    if (remedy == Remedy.UNANCHORED) {
      report(Standing.UNANCHORED);
    } else if (remedy == Remedy.USED_UP) {
      report(Standing.USED_UP);
    } else if (remedy == Remedy.REKEYED) {
      end(NameKeys.madeByAnotherVersion());
    }
  }

  /** A connection could not be had; answers whether to try again. */
  boolean failed(Throwable cause) {
    if (cause instanceof Link.Unprepared) {
      end(cause);
    } else if (cause instanceof Link.Unfit server) {
      report(server.standing);
    } else if (cause instanceof Link.Unconfirmed) {
      report(connections > 0 ? standing : Standing.DOWN, UNCONFIRMED);
    } else if (connections == 0) {
      report(Standing.DOWN, "The database cannot be reached, and is tried again: " + cause);
    }
    return !unfit;
  }

  private void end(Throwable why) {
    if (!unfit) {
      unfit = true;
      fatal.handle(why);
    }
  }

  private void report(Standing found) {
    report(found, ADVICE.getOrDefault(found, "The database is " + found));
  }

  /** One line for one state of affairs, however often it is found. */
  private void report(Standing found, String line) {
    standing = found;
    if (!line.equals(reported)) {
      reported = line;
      LOG.warn(line);
    }
  }
}

package com.memoryendpoints.gateway.http;

import com.memoryendpoints.gateway.db.Database;
import com.memoryendpoints.gateway.db.Standing;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Whether the process should be sent requests (ready) and whether it should be restarted (live).
 * Asked and told from any thread.
 *
 * <p>Ready: started, migrated, every event loop once connected, the fencing epoch anchored here and
 * not used up, not draining. A database that is lost later does not count for {@link
 * #DATABASE_DOWN_MS_MAX}: requests meanwhile get an honest 503, and all pods leaving at once would
 * help nobody. Live: every event loop that serves has run within {@link #SILENT_MS_MAX}; the
 * database plays no part, because restarting a gateway does not heal one.
 */
public final class Health {
  /** How long the database may be lost before the gateway is not ready, in milliseconds. */
  public static final int DATABASE_DOWN_MS_MAX = 30_000;

  /** How long an event loop may be silent before it counts as hung, in milliseconds. */
  public static final int SILENT_MS_MAX = 10_000;

  private static final int PULSE_MS = 1_000;
  private static final int READY_LOOK_MS = 20;

  /** Why the process is not ready. */
  enum Reason {
    STARTING("The gateway has not started to listen yet."),
    MIGRATING("The database has not been reached and migrated yet."),
    CONNECTING("The database has not been connected to since the start."),
    DATABASE_DOWN("The database has been unreachable for longer than 30 seconds."),
    STANDBY(
        "What answers as the database is a standby, or set read-only; a primary is waited for."),
    UNANCHORED("The fencing epoch is anchored in another history; see anchor-epoch."),
    EPOCHS_USED_UP("The fencing epochs are used up; see fencing.epoch_base."),
    DRAINING("The gateway stops and takes no new requests.");

    final String detail;

    Reason(String detail) {
      this.detail = detail;
    }
  }

  private static final class Loop {
    private final Supplier<Standing> standing;
    private final LongSupplier downMs;
    private volatile long beatNanos = System.nanoTime();
    private volatile boolean served;

    Loop(Supplier<Standing> standing, LongSupplier downMs) {
      this.standing = standing;
      this.downMs = downMs;
    }

    void beat() {
      beatNanos = System.nanoTime();
      look();
    }

    Standing look() {
      Standing seen = standing.get();
      if (seen == Standing.UP) {
        served = true;
      }
      return seen;
    }
  }

  private final Future<?> migrated;
  private final List<Loop> loops = new CopyOnWriteArrayList<>();
  private volatile boolean started;
  private volatile boolean draining;

  /**
   * The health of a process that has not started yet.
   *
   * @param migrated completes when the schema is there
   */
  public Health(Future<?> migrated) {
    this.migrated = migrated;
  }

  /** Watches the calling event loop and its database, which it gives back. */
  public Database watch(Vertx vertx, Database database) {
    watch(vertx, database::standing, database::downMs);
    return database;
  }

  void watch(Vertx vertx, Supplier<Standing> standing, LongSupplier downMs) {
    Loop loop = new Loop(standing, downMs);
    loops.add(loop);
    vertx.setPeriodic(PULSE_MS, pulse -> loop.beat());
  }

  /** Runs once, as soon as the process is ready; on the event loop that asks. */
  public void onceReady(Vertx vertx, Runnable action) {
    vertx.setPeriodic(
        READY_LOOK_MS,
        look -> {
          if (whyNotReady().isEmpty() && vertx.cancelTimer(look)) {
            action.run();
          }
        });
  }

  /** Everything listens. */
  public void started() {
    started = true;
  }

  /** The process has been told to stop: no new requests, please. */
  public void draining() {
    draining = true;
  }

  /** Nothing when the process is ready. */
  List<Reason> whyNotReady() {
    Set<Reason> reasons = EnumSet.noneOf(Reason.class);
    if (draining) {
      reasons.add(Reason.DRAINING);
    }
    if (!started) {
      reasons.add(Reason.STARTING);
    }
    if (!migrated.succeeded()) {
      reasons.add(Reason.MIGRATING);
    } else {
      loops.forEach(loop -> whyNotReady(loop, reasons));
    }
    return new ArrayList<>(reasons);
  }

  /** Whether every event loop that serves has run lately; one that drains may have ended. */
  boolean isLive() {
    long now = System.nanoTime();
    return draining
        || loops.stream()
            .allMatch(loop -> now - loop.beatNanos < TimeUnit.MILLISECONDS.toNanos(SILENT_MS_MAX));
  }

  private static void whyNotReady(Loop loop, Set<Reason> reasons) {
    Standing standing = loop.look();
    if (standing == Standing.UP) {
      return;
    }
    if (standing == Standing.UNANCHORED) {
      reasons.add(Reason.UNANCHORED);
    } else if (standing == Standing.USED_UP) {
      reasons.add(Reason.EPOCHS_USED_UP);
    } else if (!loop.served || loop.downMs.getAsLong() > DATABASE_DOWN_MS_MAX) {
      Reason lost = loop.served ? Reason.DATABASE_DOWN : Reason.CONNECTING;
      reasons.add(standing == Standing.STANDBY ? Reason.STANDBY : lost);
    }
  }
}

package com.memoryendpoints.gateway.db;

import com.memoryendpoints.gateway.config.Limits;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.sqlclient.ClosedConnectionException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The place of one connection: connected again for ever, at most one statement in flight, given up
 * when that takes too long. One at a time, because a slow statement would delay everything
 * pipelined behind it, and cutting the connection would make all of it unknown.
 */
final class Slot {
  private final Database database;
  private Duty duty = Duty.NONE;
  private @Nullable Link link;
  private @Nullable Batch<?, ?> inFlight;
  private boolean checking;
  private long sentNanos;
  private long usedMs;
  private int attempts;

  Slot(Database database) {
    this.database = database;
  }

  boolean isUp() {
    return link != null;
  }

  boolean isIdle() {
    return link != null && !isBusy();
  }

  boolean isBusy() {
    return inFlight != null || checking;
  }

  /** Serves these from now on. */
  void take(Duty assigned) {
    duty = assigned;
  }

  /** Sends what waits, if the connection is idle. */
  void drain() {
    while (isIdle()) {
      Batcher<?, ?> next = duty.next();
      if (next == null) {
        return;
      }
      next.sendOn(this);
    }
  }

  /** Opens the connection, and again until it stands. */
  void connect() {
    if (database.isClosing()) {
      return;
    }
    database
        .openLink()
        .onSuccess(this::connected)
        .onFailure(
            cause -> {
              if (database.mayRetry(cause)) {
                database.after(pauseMs(), this::connect);
              }
            });
  }

  /** Sends a batch; the slot must be idle. */
  void send(Batch<?, ?> batch) {
    Link current = link;
    if (current == null) {
      throw new IllegalStateException("sent on a slot without a connection");
    }
    inFlight = batch;
    sentNanos = System.nanoTime();
    database.meters().connectionsInUse().increment();
    Future<RowSet<Row>> rows;
    try {
      rows = batch.sendOn(current);
    } catch (RuntimeException e) {
      rows = Future.failedFuture(e);
    }
    boolean unsent = rows.failed();
    rows.onComplete(result -> returned(batch, current, unsent, result));
  }

  /** Looks at the deadlines of what is in flight, and at a connection that was idle for long. */
  void watch(long nowMs) {
    Link current = link;
    if (current == null) {
      return;
    }
    if (isBusy() && System.nanoTime() - sentNanos > Limits.STATEMENT_GIVEN_UP_MS * 1_000_000L) {
      lose(current);
    } else if (inFlight != null) {
      inFlight.answerLate(nowMs);
    } else if (!checking && nowMs - usedMs > Limits.IDLE_CHECK_MS) {
      check(current);
    }
  }

  /** Ends the connection; the slot must not be busy. */
  Future<Void> close() {
    Link current = link;
    link = null;
    if (current == null) {
      return Future.succeededFuture();
    }
    database.disconnected();
    return current.close();
  }

  private void connected(Link opened) {
    if (database.isClosing()) {
      opened.cut();
      return;
    }
    link = opened;
    attempts = 0;
    usedMs = DatabaseClock.monotonicMs();
    opened.onLoss(() -> lose(opened));
    database.connected();
  }

  private void returned(
      Batch<?, ?> batch, Link on, boolean unsent, AsyncResult<RowSet<Row>> result) {
    if (inFlight != batch) {
      return; // given up before
    }
    if (result.failed()) {
      fail(on, Remedy.of(result.cause(), unsent), result.cause());
      return;
    }
    long now = System.nanoTime();
    free();
    batch.answered(result.result(), now - sentNanos, usedMs);
    // The next statement leaves before these answers are written: the database works meanwhile.
    database.drain();
    batch.giveAnswers();
  }

  private void fail(Link on, Remedy remedy, Throwable cause) {
    Batch<?, ?> batch = inFlight;
    if (batch != null) {
      free();
    }
    checking = false;
    if (remedy.closes() && link == on) {
      link = null;
      on.cut();
      database.disconnected();
      database.after(pauseMs(), this::connect);
    }
    database.failed(remedy);
    if (batch != null) {
      batch.failed(remedy, cause);
      database.drain();
      batch.giveAnswers();
    }
  }

  private void lose(Link lost) {
    if (link == lost) {
      fail(lost, Remedy.LOST, ClosedConnectionException.INSTANCE);
    }
  }

  private void free() {
    inFlight = null;
    usedMs = DatabaseClock.monotonicMs();
    database.meters().connectionsInUse().decrement();
  }

  private void check(Link idle) {
    checking = true;
    sentNanos = System.nanoTime();
    idle.check()
        .onSuccess(
            fit -> {
              if (link == idle) {
                checking = false;
                usedMs = DatabaseClock.monotonicMs();
                database.drain();
              }
            })
        .onFailure(
            cause -> {
              if (link == idle) {
                fail(idle, Remedy.LOST, cause);
              }
            });
  }

  /** Doubling, with jitter, so that the connections of many gateways do not come all at once. */
  private long pauseMs() {
    long most = Math.min(Limits.RECONNECT_MS_MAX, (long) Limits.RECONNECT_MS_MIN << attempts);
    attempts = Math.min(attempts + 1, 10);
    return most / 2 + ThreadLocalRandom.current().nextLong(most / 2 + 1);
  }
}

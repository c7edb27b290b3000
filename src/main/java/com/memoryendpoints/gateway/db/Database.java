package com.memoryendpoints.gateway.db;

import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.meter.Meters;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An event loop's own few connections to the system of record, and what waits for them. Confined to
 * the event loop that opened it, except for {@link #standing} and {@link #downMs}.
 *
 * <p>Connections are opened in the background, and again for ever. While none is up requests wait
 * for one, which rides out a restart; after {@link Limits#OUTAGE_RIDDEN_OUT_MS_MAX} of that they
 * are refused at once until one is back.
 */
public final class Database {
  private final Vertx vertx;
  private final Context context;
  private final Thread thread = Thread.currentThread();
  private final PgConnectOptions options;
  private final Meters meters;
  private final Reach reach;
  private final DatabaseClock clock = new DatabaseClock();
  private final List<Slot> slots = new ArrayList<>();
  private final List<Batcher<?, ?>> batchers = new ArrayList<>();
  private final List<Exchange<?, ?>> exchanges = new ArrayList<>();
  private final Promise<Void> closed = Promise.promise();
  private final long watch;

  private long upSinceMs;
  private boolean drainComes;
  private boolean closing;

  private Database(
      Vertx vertx,
      PgConnectOptions options,
      int connections,
      Meters meters,
      Handler<Throwable> fatal) {
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    this.options = options;
    this.meters = meters;
    this.reach = new Reach(meters, fatal);
    for (int i = 0; i < connections; i++) {
      slots.add(new Slot(this));
    }
    this.watch = vertx.setPeriodic(Limits.WATCH_MS, tick -> watch(DatabaseClock.monotonicMs()));
  }

  /**
   * Begins to connect; never fails. Call it, and everything of it, on one event loop.
   *
   * @param options see {@link SessionOptions}
   * @param connections 1 to {@link Limits#CONNECTIONS_PER_EVENT_LOOP_MAX}
   * @param migrated completes, on any thread, when the schema is there; nothing connects before
   * @param fatal is told, at most once, that a statement of this jar does not fit the schema, which
   *     no reconnecting heals: the process should end
   */
  public static Database open(
      Vertx vertx,
      PgConnectOptions options,
      int connections,
      Meters meters,
      Future<?> migrated,
      Handler<Throwable> fatal) {
    if (!Context.isOnEventLoopThread()) {
      throw new IllegalStateException("a database is opened on the event loop that it serves");
    }
    Database database = new Database(vertx, options, connections, meters, fatal);
    migrated.onSuccess(
        done -> database.context.runOnContext(go -> database.slots.forEach(Slot::connect)));
    return database;
  }

  /**
   * A batcher of up to {@link Limits#STATEMENT_ROWS_MAX} requests a statement.
   *
   * @see #batcher(Lane, BatchStatement, int)
   */
  public <Q, R> Batcher<Q, R> batcher(Lane lane, BatchStatement<Q, R> statement) {
    return batcher(lane, statement, Limits.STATEMENT_ROWS_MAX);
  }

  /**
   * A batcher for a statement. Made once, right after {@link #open}, its statement is prepared on
   * every connection before that counts as up.
   *
   * @param weightMax what the requests of one statement may weigh, at least 1; see {@link
   *     BatchStatement#weight}
   */
  public <Q, R> Batcher<Q, R> batcher(Lane lane, BatchStatement<Q, R> statement, int weightMax) {
    return batcher(lane, Exchange.of(statement), weightMax);
  }

  /** The same queue, deadlines and fairness for a statement that reads for one request. */
  public <Q, R> Batcher<Q, R> reader(ReadStatement<Q, R> statement) {
    return batcher(Lane.READ, Exchange.of(statement), 1);
  }

  /** The database's time, estimated. */
  public DatabaseClock clock() {
    return clock;
  }

  /** How the connections stand. From any thread. */
  public Standing standing() {
    return reach.standing();
  }

  /** For how long no connection has been up, in milliseconds; 0 while one is. From any thread. */
  public long downMs() {
    return reach.downMs();
  }

  /**
   * Refuses what waits and what comes, lets finish what is in flight, and closes the connections.
   * Takes as long as a request may, at most.
   */
  public Future<Void> close() {
    if (!closing) {
      closing = true;
      batchers.forEach(Batcher::dropAll);
      closeWhenDone();
    }
    return closed.future();
  }

  <Q, R> Batcher<Q, R> batcher(Lane lane, Exchange<Q, R> exchange, int weightMax) {
    Batcher<Q, R> batcher =
        new Batcher<>(
            this,
            lane,
            exchange,
            weightMax,
            meters.statement(exchange.label),
            meters.waiting(lane.name().toLowerCase(Locale.ROOT)));
    batchers.add(batcher);
    exchanges.add(exchange);
    deal();
    return batcher;
  }

  /** Why no request is taken, or null when they are. */
  @Nullable String whyClosed(long nowMs) {
    if (Thread.currentThread() != thread) {
      throw new IllegalStateException("called from another thread than the event loop's");
    }
    if (closing) {
      return "the gateway stops";
    }
    return reach.isOutage(nowMs) ? "the database is " + reach.standing() : null;
  }

  boolean isUp() {
    return reach.connections() > 0;
  }

  boolean isClosing() {
    return closing;
  }

  Meters meters() {
    return meters;
  }

  /** Does something on this event loop after so many milliseconds, at least one. */
  public void after(long pauseMs, Runnable action) {
    vertx.setTimer(Math.max(1, pauseMs), timer -> action.run());
  }

  /** Every idle connection takes what waits, at the end of this round of the event loop. */
  void drainSoon() {
    if (!drainComes) {
      drainComes = true;
      context.runOnContext(
          now -> {
            drainComes = false;
            drain();
          });
    }
  }

  /** Every idle connection takes what waits. */
  void drain() {
    for (Slot slot : slots) {
      slot.drain();
    }
  }

  Future<Link> openLink() {
    return Link.open(vertx, context, options, exchanges, clock);
  }

  /** Since when there has been a connection, if there is one. */
  long upSinceMs() {
    return upSinceMs;
  }

  /** Whether it makes sense to connect again after this. */
  boolean mayRetry(Throwable cause) {
    return reach.failed(cause) && !closing;
  }

  /** A statement has found out that nothing may be granted here, if this is what it says. */
  void failed(Remedy remedy) {
    reach.failed(remedy);
  }

  void connected() {
    if (reach.connections() == 0) {
      upSinceMs = DatabaseClock.monotonicMs();
    }
    reach.connected();
    deal();
    drain();
  }

  void disconnected() {
    reach.disconnected();
    deal();
    drainSoon();
  }

  /** Shares the lanes out among the connections that are up. */
  private void deal() {
    int place = 0;
    for (Slot slot : slots) {
      if (slot.isUp()) {
        slot.take(new Duty(Lane.servedBy(place++, reach.connections()), batchers));
      }
    }
  }

  /** The one look at every deadline: there is no timer for a request. */
  void watch(long nowMs) {
    for (Slot slot : slots) {
      slot.watch(nowMs);
    }
    boolean outage = reach.isOutage(nowMs);
    for (Batcher<?, ?> batcher : batchers) {
      if (outage) {
        batcher.dropAll();
      } else {
        batcher.dropLate(nowMs);
      }
    }
    closeWhenDone();
  }

  private void closeWhenDone() {
    if (!closing
        || slots.stream().anyMatch(Slot::isBusy)
        || !batchers.stream().allMatch(Batcher::isEmpty)) {
      return;
    }
    if (vertx.cancelTimer(watch)) {
      Future.join(slots.stream().map(Slot::close).toList()).onComplete(all -> closed.complete());
    }
  }
}

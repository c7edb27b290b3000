package com.memoryendpoints.gateway.db;

import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.meter.StatementMeter;
import com.memoryendpoints.gateway.problem.Problem;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Requests of one kind, batched behind the slow resource without a timer: when a connection is idle
 * a request leaves at once; while all are busy requests pile up, and leave as one statement when
 * one comes back. Low load pays no delay, high load pays one commit for a hundred requests.
 *
 * <p>Fair between tenants, bounded, and confined to the event loop of its {@link Database}: there
 * is no lock. Every request is answered within {@link Limits#REQUEST_MS_MAX}, whatever the database
 * does.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
public final class Batcher<Q, R> {
  private final Database database;
  private final Lane lane;
  private final Exchange<Q, R> exchange;
  private final int weightMax;
  private final StatementMeter meter;
  private final LongAdder depth;

  private final FairQueue<Waiting<Q, R>> queue = new FairQueue<>(Limits.WAITING_PER_TENANT_MAX);
  // Sent before, and to be sent again: before everything that was never sent.
  private final Deque<Waiting<Q, R>> returned = new ArrayDeque<>();
  // As many again will be there after a pause.
  private int pausing;

  Batcher(
      Database database,
      Lane lane,
      Exchange<Q, R> exchange,
      int weightMax,
      StatementMeter meter,
      LongAdder depth) {
    this.database = database;
    this.lane = lane;
    this.exchange = exchange;
    this.weightMax = weightMax;
    this.meter = meter;
    this.depth = depth;
  }

  /**
   * Sends a request with the next batch.
   *
   * @param tenant whose turn it takes
   * @return the answer; or failed with the statement's own refusal, or with {@code OVERLOADED} (too
   *     many wait, or for too long), {@code BUSY}, {@code UNAVAILABLE}, {@code OUTCOME_UNKNOWN} (it
   *     may have taken effect) or {@code INTERNAL}. Completed on this event loop, in no particular
   *     Vert.x context
   */
  public Future<R> submit(UUID tenant, Q request) {
    long nowMs = DatabaseClock.monotonicMs();
    String closed = database.whyClosed(nowMs);
    if (closed != null) {
      return Future.failedFuture(Waiting.refusal(Problem.UNAVAILABLE, closed));
    }
    Waiting<Q, R> entry = new Waiting<>(request, nowMs);
    boolean slow = isSlow(tenant, nowMs);
    if (waiting() >= Limits.WAITING_MAX || slow || !queue.offer(tenant, entry)) {
      meter.shed(slow ? StatementMeter.Shed.SLOW : StatementMeter.Shed.FULL);
      String why = exchange.label + (slow ? " is slow" : " is full");
      return Future.failedFuture(Waiting.refusal(Problem.OVERLOADED, why));
    }
    depth.increment();
    // Not now: when many sockets were read in one round of the event loop, their requests shall
    // join one statement, not one each. The round's end is soon enough for a lone one.
    database.drainSoon();
    return entry.reply();
  }

  /**
   * Whether the tenant's requests wait for longer than is worth waiting, so that one more had
   * better be told at once: then the time that is waited stays short, however fast the database is.
   * While the database is away they wait for it to come back.
   */
  private boolean isSlow(UUID tenant, long nowMs) {
    Waiting<Q, R> oldest = queue.oldest(tenant);
    return oldest != null && database.isUp() && oldest.isLong(nowMs, database.upSinceMs());
  }

  Lane lane() {
    return lane;
  }

  /** How many requests wait to be sent. */
  int waiting() {
    return queue.size() + returned.size();
  }

  /** Whether nothing waits here, nor will by itself. */
  boolean isEmpty() {
    return waiting() == 0 && pausing == 0;
  }

  /** What waits leaves as one statement; or nothing does, when all of it has waited too long. */
  void sendOn(Slot slot) {
    List<Waiting<Q, R>> members = take(DatabaseClock.monotonicMs());
    if (!members.isEmpty()) {
      slot.send(new Batch<>(this, exchange, meter, members));
    }
  }

  /** Sends a request once more, before all that were never sent. */
  void sendAgain(Waiting<Q, R> entry) {
    returned.add(entry);
    depth.increment();
    database.drainSoon();
  }

  /** The same after a pause, together. */
  void sendLater(List<Waiting<Q, R>> entries, long pauseMs) {
    pausing += entries.size();
    database.after(
        pauseMs,
        () -> {
          pausing -= entries.size();
          entries.forEach(this::sendAgain);
        });
  }

  /** Refuses what has waited too long. */
  void dropLate(long nowMs) {
    drop(
        entry -> entry.tooLateToSend(nowMs),
        database.isUp() ? Problem.OVERLOADED : Problem.UNAVAILABLE,
        " waited too long");
  }

  /** Refuses all that wait. */
  void dropAll() {
    drop(entry -> true, Problem.UNAVAILABLE, " has no connection");
  }

  private List<Waiting<Q, R>> take(long nowMs) {
    List<Waiting<Q, R>> members = new ArrayList<>(Math.min(weightMax, waiting()));
    int weight = 0;
    while (weight < weightMax) {
      Waiting<Q, R> entry = next(members.isEmpty());
      if (entry == null) {
        break;
      }
      depth.decrement();
      if (entry.tooLateToSend(nowMs)) {
        meter.shed(StatementMeter.Shed.WAITED_TOO_LONG);
        entry.refuse(Problem.OVERLOADED, exchange.label + " waited too long");
        entry.giveAnswer();
        continue;
      }
      members.add(entry);
      weight += exchange.weight(entry.request);
      if (entry.alone) {
        break;
      }
    }
    return members;
  }

  private @Nullable Waiting<Q, R> next(boolean first) {
    Waiting<Q, R> back = returned.peek();
    if (back == null) {
      return queue.poll();
    }
    return back.alone && !first ? null : returned.poll();
  }

  private void drop(Predicate<Waiting<Q, R>> which, Problem problem, String why) {
    List<Waiting<Q, R>> dropped = queue.removeWhile(which);
    for (Waiting<Q, R> entry : returned) {
      if (which.test(entry)) {
        dropped.add(entry);
      }
    }
    returned.removeIf(which);
    depth.add(-dropped.size());
    for (Waiting<Q, R> entry : dropped) {
      if (problem == Problem.OVERLOADED) {
        meter.shed(StatementMeter.Shed.WAITED_TOO_LONG);
      }
      entry.refuse(problem, exchange.label + why);
      entry.giveAnswer();
    }
  }
}

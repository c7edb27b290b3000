package com.memoryendpoints.gateway.reaper;

import com.memoryendpoints.gateway.db.Session;
import com.memoryendpoints.gateway.meter.Meters;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The reaper on an event loop and a connection of its own: a short pass every second or so. It may
 * fail, stop, start and be doubled at any time.
 */
public final class ReaperVerticle extends VerticleBase {
  /** From the end of a pass to the next, give or take a fifth, so that reapers drift apart. */
  static final int INTERVAL_MS = 1_000;

  private final Function<Vertx, Session> sessions;
  private final ReaperOrders orders;
  private final Meters meters;
  private final Future<?> migrated;
  private @Nullable Session session;

  /**
   * A reaper that begins when the schema is there.
   *
   * @param sessions makes its session, on its own event loop
   */
  public ReaperVerticle(
      Function<Vertx, Session> sessions, ReaperOrders orders, Meters meters, Future<?> migrated) {
    this.sessions = sessions;
    this.orders = orders;
    this.meters = meters;
    this.migrated = migrated;
  }

  @Override
  public Future<?> start() {
    Session own = sessions.apply(vertx);
    session = own;
    Reaper reaper = new Reaper(own, orders, meters.reaper());
    migrated.onSuccess(ready -> context.runOnContext(begin -> go(reaper)));
    return Future.succeededFuture();
  }

  @Override
  public Future<?> stop() {
    if (session != null) {
      session.close();
      session = null;
    }
    return Future.succeededFuture();
  }

  private void go(Reaper reaper) {
    if (session != null) {
      reaper.pass().onComplete(done -> later(reaper));
    }
  }

  private void later(Reaper reaper) {
    int jitter = ThreadLocalRandom.current().nextInt(INTERVAL_MS * 2 / 5);
    vertx.setTimer(INTERVAL_MS * 4 / 5 + jitter, due -> go(reaper));
  }
}

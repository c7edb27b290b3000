package com.memoryendpoints.gateway.cli;

import com.memoryendpoints.gateway.config.CannotStart;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Vert.x, and the verticles on it, each a step that is undone in its turn. */
public final class Verticles {
  private static final int START_SECONDS_MAX = 30;

  /** What an end may take beyond the grace: what waits for the database is answered by then. */
  private static final int STOP_SECONDS_MAX = 4;

  private final Started started;
  private final Vertx vertx;
  private final int stopSecondsMax;

  private Verticles(Started started, Vertx vertx, int stopSecondsMax) {
    this.started = started;
    this.vertx = vertx;
    this.stopSecondsMax = stopSecondsMax;
  }

  /**
   * Starts Vert.x.
   *
   * @param eventLoops how many event loops all verticles share
   * @param graceSeconds how long a verticle may take to come to its end
   */
  public static Verticles on(Started started, int eventLoops, int graceSeconds) {
    Vertx vertx =
        Vertx.vertx(
            new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(eventLoops));
    started.start("Vert.x", () -> () -> finished(vertx.close(), STOP_SECONDS_MAX));
    return new Verticles(started, vertx, graceSeconds + STOP_SECONDS_MAX);
  }

  /** Waits, while everything that was deployed serves. */
  void pause(int seconds) {
    if (seconds > 0) {
      finished(vertx.timer(seconds, TimeUnit.SECONDS), seconds + STOP_SECONDS_MAX);
    }
  }

  /** What the verticles run on. */
  public Vertx vertx() {
    return vertx;
  }

  /**
   * Deploys and waits until it has started.
   *
   * @param name for what goes wrong
   * @throws CannotStart when it does not start
   */
  public void deploy(String name, int instances, Supplier<? extends Deployable> verticle) {
    deploy(name, new DeploymentOptions().setInstances(instances), verticle);
  }

  /** The same for a verticle that blocks: it has a thread of its own and no event loop. */
  public void deployApart(String name, Supplier<? extends Deployable> verticle) {
    deploy(
        name,
        new DeploymentOptions()
            .setThreadingModel(ThreadingModel.WORKER)
            .setWorkerPoolName(name)
            .setWorkerPoolSize(1),
        verticle);
  }

  private void deploy(
      String name, DeploymentOptions options, Supplier<? extends Deployable> verticle) {
    started.start(
        name,
        () -> {
          String id =
              finished(
                  vertx
                      .deployVerticle(verticle, options)
                      .recover(failure -> Future.failedFuture(notStarted(name, failure))),
                  START_SECONDS_MAX);
          return () -> finished(vertx.undeploy(id), stopSecondsMax);
        });
  }

  private static CannotStart notStarted(String name, Throwable failure) {
    return failure instanceof CannotStart told
        ? told
        : CannotStart.failed(name + " cannot start: " + failure.getMessage() + ".", failure);
  }

  private static <T> T finished(Future<T> future, int secondsMax) {
    try {
      return future.await(secondsMax, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw CannotStart.failed("Vert.x did not finish within " + secondsMax + " s.", e);
    }
  }
}

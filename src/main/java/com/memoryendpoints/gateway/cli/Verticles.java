package com.memoryendpoints.gateway.cli;

import com.memoryendpoints.gateway.config.CannotStart;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Vert.x, and the verticles on it, each a step that is undone in its turn. */
public final class Verticles {
  private static final int START_SECONDS_MAX = 30;
  private static final int STOP_SECONDS_MAX = 20;

  private final Started started;
  private final Vertx vertx;

  private Verticles(Started started, Vertx vertx) {
    this.started = started;
    this.vertx = vertx;
  }

  /**
   * Starts Vert.x.
   *
   * @param eventLoops how many event loops all verticles share
   */
  public static Verticles on(Started started, int eventLoops) {
    Vertx vertx =
        Vertx.vertx(
            new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(eventLoops));
    started.start("Vert.x", () -> () -> finished(vertx.close(), STOP_SECONDS_MAX));
    return new Verticles(started, vertx);
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
    started.start(
        name,
        () -> {
          DeploymentOptions options = new DeploymentOptions().setInstances(instances);
          String id =
              finished(
                  vertx
                      .deployVerticle(verticle, options)
                      .recover(failure -> Future.failedFuture(notStarted(name, failure))),
                  START_SECONDS_MAX);
          return () -> finished(vertx.undeploy(id), STOP_SECONDS_MAX);
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

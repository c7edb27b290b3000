package com.memoryendpoints.gateway.cli;

import ch.qos.logback.classic.LoggerContext;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.http.Drain;
import com.memoryendpoints.gateway.http.Health;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a gateway that has served, told in the log: its first word when it is told to stop,
 * its last when everything has been undone.
 */
public final class Farewell implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Farewell.class);

  private final Ending ending;
  private @Nullable Drain drain;
  private long begunNanos;
  private long inFlight;

  /** Of a gateway that may end for this reason. */
  public Farewell(Ending ending) {
    this.ending = ending;
  }

  /**
   * Makes the gateway unready, and lets it serve as before for {@code shutdown.delay_seconds}: who
   * sends it requests learns meanwhile that it should not.
   */
  public void begin(
      Config.Shutdown shutdown,
      Health health,
      LongAdder requestsInFlight,
      Drain served,
      Verticles verticles) {
    begunNanos = System.nanoTime();
    inFlight = requestsInFlight.sum();
    drain = served;
    health.draining();
    LOG.atInfo()
        .addKeyValue("reason", ending.told())
        .addKeyValue("in_flight", inFlight)
        .addKeyValue("delay_seconds", shutdown.delaySeconds())
        .addKeyValue("grace_seconds", shutdown.graceSeconds())
        .log("The gateway stops.");
    verticles.pause(shutdown.delaySeconds());
  }

  /** The last word, if there was a first. */
  @Override
  public void close() {
    if (drain != null) {
      LOG.atInfo()
          .addKeyValue("reason", ending.told())
          .addKeyValue("duration_ms", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos))
          .addKeyValue("in_flight", inFlight)
          .addKeyValue("cut", drain.cut().sum())
          .log("The gateway has stopped.");
    }
  }

  /** Writes what still waits to be written. Nothing is logged after it. */
  public static void closeLog() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext log) {
      log.stop();
    }
  }
}

package com.memoryendpoints.gateway.cli;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What has been started, to be stopped in reverse: by a signal, by a failure, by a start that is
 * not completed. A stop waits for the step that is under way, so that nothing is started and
 * forgotten.
 */
public final class Started implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Started.class);

  private final Deque<Step> steps = new ArrayDeque<>();
  private boolean closed;

  private record Step(String name, AutoCloseable undo) {}

  /**
   * Takes a step whose result is its own undoing.
   *
   * @throws IllegalStateException when everything is being stopped already
   */
  public synchronized <T extends AutoCloseable> T start(String name, Supplier<T> step) {
    if (closed) {
      throw new IllegalStateException("the gateway is stopping");
    }
    T started = step.get();
    steps.push(new Step(name, started));
    return started;
  }

  /** Stops everything, the last first. A step that does not stop does not keep the others. */
  @Override
  public synchronized void close() {
    closed = true;
    while (!steps.isEmpty()) {
      Step last = steps.pop();
      try {
        last.undo().close();
      } catch (Exception e) {
        LOG.warn("{} did not stop in order", last.name(), e);
      }
    }
  }
}

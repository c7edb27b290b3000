package com.memoryendpoints.gateway.http;

import java.util.concurrent.atomic.LongAdder;

/**
 * How what is open ends when the gateway stops, the same for every event loop; and what came of it.
 *
 * @param graceSeconds how long it may take
 * @param cut requests that took longer and got no answer
 */
public record Drain(int graceSeconds, LongAdder cut) {
  /** A drain that has cut nothing yet. */
  public Drain(int graceSeconds) {
    this(graceSeconds, new LongAdder());
  }
}

package com.memoryendpoints.gateway.meter;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicInteger;

/** How the keys of an identity provider are fetched. */
public final class JwksMeter {
  private final Counter fetched;
  private final Counter failed;
  private final AtomicInteger keys = new AtomicInteger();

  JwksMeter(MeterRegistry registry) {
    fetched = fetches(registry, "fetched");
    failed = fetches(registry, "failed");
    Gauge.builder("jwks.keys", keys, AtomicInteger::get)
        .description("Keys that JWTs can be checked with")
        .register(registry);
  }

  private static Counter fetches(MeterRegistry registry, String result) {
    return Meters.counter(registry, "jwks.fetches", "Fetches of keys", "result", result);
  }

  /** So many keys were fetched that can be used. */
  public void fetched(int count) {
    fetched.increment();
    keys.set(count);
  }

  /** Keys could not be fetched; those of before stay in use. */
  public void failed() {
    failed.increment();
  }
}

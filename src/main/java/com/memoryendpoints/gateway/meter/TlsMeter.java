package com.memoryendpoints.gateway.meter;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** The certificate that this process shows. */
public final class TlsMeter {
  /** What became of a look at files that were to replace it. */
  public enum Reload {
    LOADED,
    REFUSED
  }

  private final AtomicLong expiresAtSeconds = new AtomicLong();
  private final CountedBy<Reload> reloads;

  TlsMeter(MeterRegistry registry) {
    reloads =
        new CountedBy<>(
            Reload.class,
            result ->
                Meters.counter(
                    registry,
                    "tls.certificate.reloads",
                    "Looks at a new certificate",
                    "result",
                    result));
    Gauge.builder("tls.certificate.expires.at", expiresAtSeconds, AtomicLong::get)
        .baseUnit("seconds")
        .description("When the certificate expires, in seconds since 1970")
        .register(registry);
  }

  /** The certificate that is shown first. */
  public void begins(Instant expiresAt) {
    expiresAtSeconds.set(expiresAt.getEpochSecond());
  }

  /** Another certificate is shown from now on. */
  public void loaded(Instant expiresAt) {
    begins(expiresAt);
    reloads.increment(Reload.LOADED);
  }

  /** What is there now cannot be shown; counted at each look. */
  public void refused() {
    reloads.increment(Reload.REFUSED);
  }
}

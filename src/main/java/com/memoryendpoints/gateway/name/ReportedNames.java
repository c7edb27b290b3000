package com.memoryendpoints.gateway.name;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names that passed although the rules refuse them, by reason. Each is counted; the log is told at
 * every power of two, never which name it was. Safe from every thread.
 */
public final class ReportedNames implements Consumer<Reason> {
  private static final Logger LOG = LoggerFactory.getLogger(ReportedNames.class);

  private final Map<Reason, AtomicLong> counts = new EnumMap<>(Reason.class);
  private final Consumer<String> counter;

  /**
   * None so far.
   *
   * @param counter is told the code of each reason
   */
  public ReportedNames(Consumer<String> counter) {
    this.counter = counter;
    for (Reason reason : Reason.values()) {
      counts.put(reason, new AtomicLong());
    }
  }

  @Override
  public void accept(Reason reason) {
    counter.accept(reason.code());
    long count = Objects.requireNonNull(counts.get(reason)).incrementAndGet();
    if (Long.bitCount(count) == 1) {
      LOG.warn(
          "{} names passed so far that names.enforcement=enforce refuses: {}",
          count,
          reason.code());
    }
  }
}

package com.memoryendpoints.gateway.meter;

import io.micrometer.core.instrument.Counter;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** One counter for each value of an enum: the value is the label, so the labels are bounded. */
final class CountedBy<E extends Enum<E>> {
  private final Map<E, Counter> counters;

  CountedBy(Class<E> values, Function<String, Counter> counter) {
    counters = new EnumMap<>(values);
    for (E value : values.getEnumConstants()) {
      counters.put(value, counter.apply(value.name().toLowerCase(Locale.ROOT)));
    }
  }

  void increment(E value) {
    Objects.requireNonNull(counters.get(value)).increment();
  }
}

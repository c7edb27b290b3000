package com.memoryendpoints.gateway.tenant;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was agreed with one tenant. Where nothing was, there is no quota, and the limits are those
 * of the configuration.
 *
 * @param agreed not negative
 */
public record Terms(Map<Term, Long> agreed) {
  /** Nothing was agreed. */
  public static final Terms NONE = new Terms(Map.of());

  /** Keeps its own copy. */
  public Terms {
    agreed = Map.copyOf(agreed);
  }

  /**
   * Terms as the database has them.
   *
   * @param values in the order of {@link Term}; null for what was not agreed
   */
  public static Terms of(@Nullable Long[] values) {
    Map<Term, Long> agreed = new EnumMap<>(Term.class);
    Term[] terms = Term.values();
    for (int i = 0; i < terms.length; i++) {
      Long value = values[i];
      if (value != null) {
        agreed.put(terms[i], value);
      }
    }
    return agreed.isEmpty() ? NONE : new Terms(agreed);
  }

  /** What was agreed, or null. */
  public @Nullable Long get(Term term) {
    return agreed.get(term);
  }
}

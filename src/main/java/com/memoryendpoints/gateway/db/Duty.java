package com.memoryendpoints.gateway.db;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The batchers that one connection serves: those of renewals first, the others in turn. */
final class Duty {
  static final Duty NONE = new Duty(Set.of(), List.of());

  private final Deque<Batcher<?, ?>> first = new ArrayDeque<>();
  private final Deque<Batcher<?, ?>> others = new ArrayDeque<>();

  Duty(Set<Lane> lanes, List<Batcher<?, ?>> all) {
    for (Batcher<?, ?> batcher : all) {
      if (lanes.contains(batcher.lane())) {
        (batcher.lane() == Lane.RENEW ? first : others).add(batcher);
      }
    }
  }

  /** The next batcher for which requests wait; null when there is none. */
  @Nullable Batcher<?, ?> next() {
    Batcher<?, ?> next = next(first);
    return next != null ? next : next(others);
  }

  private static @Nullable Batcher<?, ?> next(Deque<Batcher<?, ?>> turns) {
    for (int i = turns.size(); i > 0; i--) {
      Batcher<?, ?> next = turns.remove();
      turns.add(next);
      if (next.waiting() > 0) {
        return next;
      }
    }
    return null;
  }
}

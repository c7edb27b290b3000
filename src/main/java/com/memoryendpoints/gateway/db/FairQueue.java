package com.memoryendpoints.gateway.db;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A queue per tenant, served in turn, one element each: whoever floods it waits behind his own
 * (store.md, must 12). First in, first out within a tenant.
 */
final class FairQueue<E> {
  private final int perTenantMax;
  private final Map<UUID, Line<E>> lines = new HashMap<>();
  // Every line that is not empty, once; the next to be served in front.
  private final Queue<Line<E>> turns = new ArrayDeque<>();
  private int size;

  private static final class Line<E> extends ArrayDeque<E> {
    private static final long serialVersionUID = 1L;

    final UUID tenant;

    Line(UUID tenant) {
      this.tenant = tenant;
    }
  }

  FairQueue(int perTenantMax) {
    this.perTenantMax = perTenantMax;
  }

  int size() {
    return size;
  }

  /** Adds an element; false when the tenant already has as many as one may. */
  boolean offer(UUID tenant, E element) {
    Line<E> line = lines.get(tenant);
    if (line == null) {
      line = new Line<>(tenant);
      lines.put(tenant, line);
      turns.add(line);
    } else if (line.size() >= perTenantMax) {
      return false;
    }
    line.add(element);
    size++;
    return true;
  }

  /** The tenant's element that has been here for longest; null when it has none. */
  @Nullable E oldest(UUID tenant) {
    Line<E> line = lines.get(tenant);
    return line == null ? null : line.peek();
  }

  /** Takes the next element; null when there is none. */
  @Nullable E poll() {
    Line<E> line = turns.poll();
    if (line == null) {
      return null;
    }
    E element = line.remove();
    size--;
    if (line.isEmpty()) {
      lines.remove(line.tenant);
    } else {
      turns.add(line);
    }
    return element;
  }

  /** Takes, from the front of every line, the elements that fulfil the condition. */
  List<E> removeWhile(Predicate<? super E> condition) {
    List<E> removed = new ArrayList<>();
    for (Line<E> line : turns) {
      while (!line.isEmpty() && condition.test(line.element())) {
        removed.add(line.remove());
      }
      if (line.isEmpty()) {
        lines.remove(line.tenant);
      }
    }
    turns.removeIf(Line::isEmpty);
    size -= removed.size();
    return removed;
  }
}

package com.memoryendpoints.gateway.pool;

import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How far an event loop has come in the queue of each pool (store.md, "moving lower bound"): behind
 * that it looks first, so that it does not walk the dead entries of what was taken before.
 *
 * <p>The head is looked at once a second, and whenever a pool runs short, because something may
 * have come to stand there; but while that is slow - somebody holds an old snapshot, and nothing
 * dead can be removed - no more than a twentieth of the time goes into it.
 */
final class Places {
  /** Pools whose place is at hand; the one used longest ago makes room. */
  static final int POOLS_MAX = 10_000;

  /** From one look at the head of a queue that is not short to the next. */
  static final int HEAD_INTERVAL_MS = 1_000;

  /** A look at the head that was never answered may have been too slow for a statement. */
  static final int UNANSWERED_HEAD_MS = 10_000;

  /** A look at the head that takes no longer than this is always worth it. */
  static final int CHEAP_HEAD_MS = 25;

  private static final int COST_FACTOR = 20;

  /** A tenant's pool. */
  record Queue(UUID tenantId, PoolName pool) {
    static Queue of(PoolClaim claim) {
      return new Queue(claim.caller().tenantId(), claim.pool());
    }
  }

  /**
   * Where to look.
   *
   * @param at null, as {@code id}, for the head
   * @param rescan whether to look before that place too, when there is not enough behind it
   */
  record Place(@Nullable OffsetDateTime at, @Nullable UUID id, boolean rescan) {}

  private static final class Progress {
    @Nullable OffsetDateTime at;
    @Nullable UUID id;
    long headDueMs;
    long rescanDueMs;
  }

  private final Map<Queue, Progress> queues = leastRecentlyUsed();

  /** Where the next statement shall look. */
  Place next(Queue queue) {
    long nowMs = nowMs();
    Progress progress = queues.computeIfAbsent(queue, fresh -> new Progress());
    if (progress.at == null || nowMs >= progress.headDueMs) {
      progress.headDueMs = nowMs + UNANSWERED_HEAD_MS;
      return new Place(null, null, true);
    }
    return new Place(progress.at, progress.id, nowMs >= progress.rescanDueMs);
  }

  /**
   * A statement has come so far.
   *
   * @param at null when it has found nothing, nor began anywhere
   * @param headMs how long it looked at the head; null when it did not
   */
  void reached(
      Queue queue, @Nullable OffsetDateTime at, @Nullable UUID id, @Nullable Integer headMs) {
    Progress progress = queues.computeIfAbsent(queue, fresh -> new Progress());
    progress.at = at;
    progress.id = id;
    if (headMs != null) {
      long nowMs = nowMs();
      progress.rescanDueMs = headMs <= CHEAP_HEAD_MS ? nowMs : nowMs + COST_FACTOR * (long) headMs;
      progress.headDueMs = Math.max(nowMs + HEAD_INTERVAL_MS, progress.rescanDueMs);
    }
  }

  private static long nowMs() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }

  private static Map<Queue, Progress> leastRecentlyUsed() {
    return new LinkedHashMap<>(16, 0.75f, true) {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<Queue, Progress> eldest) {
        return size() > POOLS_MAX;
      }
    };
  }
}

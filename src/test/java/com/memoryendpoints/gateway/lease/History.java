package com.memoryendpoints.gateway.lease;

import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * What was acknowledged to many callers at once, with the database's times. Every answer carries
 * the moments between which it was found: {@code asked} was read before the statement was sent,
 * {@code answered} after its answer had come.
 */
final class History {

  /** A lease as its owner was told of it. */
  record Grant(
      String owner,
      UUID memoryId,
      String nameKey,
      long token,
      UUID key,
      Instant asked,
      Instant answered,
      Instant at,
      Instant until) {}

  /** What an owner was told that it did under its lease. */
  enum Deed {
    RENEWED,
    RELEASED,
    VERIFIED,
    COMMITTED,
    BRANCHED
  }

  /**
   * One deed.
   *
   * @param at when it took effect; null when the answer does not say
   * @param until a renewal's new end
   * @param revision a commit's
   */
  record Act(
      Deed deed,
      Grant grant,
      Instant asked,
      Instant answered,
      @Nullable Instant at,
      @Nullable Instant until,
      long revision) {}

  /** How somebody else than its owner ended a lease: by raising its token, or (0) its time. */
  record Ending(
      UUID memoryId, String nameKey, long token, long raised, Instant at, Instant answered) {}

  /** An answer that repeats an earlier grant. */
  record Replay(UUID key, long token) {}

  final Queue<Grant> grants = new ConcurrentLinkedQueue<>();
  final Queue<Act> acts = new ConcurrentLinkedQueue<>();
  final Queue<Ending> endings = new ConcurrentLinkedQueue<>();
  final Queue<Ending> lapses = new ConcurrentLinkedQueue<>();
  final Queue<Replay> replays = new ConcurrentLinkedQueue<>();

  /** What every effect must have left in the audit trail, one text per effect. */
  final Queue<String> effects = new ConcurrentLinkedQueue<>();

  /** What the audit trail holds, in the same texts. */
  final Queue<String> audited = new ConcurrentLinkedQueue<>();

  /** The deeds of one kind under one grant. */
  static List<Act> of(Deed deed, List<Act> acts) {
    return acts.stream().filter(act -> act.deed() == deed).toList();
  }
}

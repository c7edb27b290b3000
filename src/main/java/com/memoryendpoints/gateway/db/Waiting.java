package com.memoryendpoints.gateway.db;

import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One request on its way: it waits, is in flight, or is decided; then its answer is given. */
final class Waiting<Q, R> {
  private static final Logger LOG = LoggerFactory.getLogger(Waiting.class);
  private static final int BUSY_RETRY_MS = 250;
  private static final int RETRY_MS = 1_000;

  final Q request;

  /** Sent, and nobody knows what came of it: to give up now is to say this. */
  @Nullable Problem doubt;

  /** A batch with it failed for no known reason: it goes alone. */
  boolean alone;

  /** Its statement's plan was stale once. */
  boolean replanned;

  /** How often its batch was rolled back. */
  int rollbacks;

  /** How often in a row it was told {@code again}. */
  int agains;

  private final long sinceMs;
  private long busySinceMs;
  private boolean toldAgain;
  private boolean decided;
  private @Nullable R answer;
  private @Nullable Throwable failure;
  private final Promise<R> reply = Promise.promise();

  Waiting(Q request, long nowMs) {
    this.request = request;
    this.sinceMs = nowMs;
  }

  /** What the caller holds. */
  Future<R> reply() {
    return reply.future();
  }

  /** Whether it has waited so long, with the database there, that others should not join it. */
  boolean isLong(long nowMs, long upSinceMs) {
    return nowMs - Math.max(sinceMs, upSinceMs) > Limits.WAITING_MS_MAX;
  }

  boolean tooLateToSend(long nowMs) {
    return nowMs - sinceMs > Limits.QUEUE_MS_MAX;
  }

  boolean tooLateToAnswer(long nowMs) {
    return nowMs - sinceMs > Limits.ANSWER_MS_MAX;
  }

  boolean decided() {
    return decided;
  }

  /** The statement answers, with null where there is nothing to say. */
  void decide(@Nullable R answered) {
    decided = true;
    answer = answered;
  }

  /** The statement refuses, or reading its row failed. */
  void fail(Throwable cause) {
    decided = true;
    failure = cause;
  }

  /** We give up, unless it is decided; what may have been done is not called undone. */
  void refuse(Problem problem, String why) {
    if (!decided) {
      int afterMs = problem == Problem.BUSY ? BUSY_RETRY_MS : RETRY_MS;
      Problem honest = doubt == null || problem == Problem.INTERNAL ? problem : doubt;
      fail(refusal(honest, why, afterMs));
    }
  }

  /** The verdict {@code again}. */
  void tellAgain() {
    toldAgain = true;
  }

  /** Whether it was told {@code again} since the last call. */
  boolean takeAgain() {
    boolean told = toldAgain;
    toldAgain = false;
    return told;
  }

  /** Counts one more {@code again}; false when its row has been busy for too long. */
  boolean mayGoAgain(long nowMs) {
    if (agains++ == 0) {
      busySinceMs = nowMs;
    }
    return nowMs - busySinceMs < Limits.BUSY_ROW_MS_MAX;
  }

  /** Gives the answer, once; runs the caller's own code. */
  void giveAnswer() {
    try {
      if (failure == null) {
        reply.tryComplete(answer);
      } else {
        reply.tryFail(failure);
      }
    } catch (RuntimeException e) {
      // One caller's defect must not keep the others of its batch from their answers.
      LOG.error("A caller failed on its answer: {}", Fault.describe(e));
    }
  }

  static Refusal refusal(Problem problem, String why) {
    return refusal(problem, why, RETRY_MS);
  }

  private static Refusal refusal(Problem problem, String why, int afterMs) {
    Refusal refusal = problem.because(why);
    return problem.status() == 503 ? refusal.retryAfterMs(afterMs) : refusal;
  }
}

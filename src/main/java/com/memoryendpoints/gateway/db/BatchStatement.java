package com.memoryendpoints.gateway.db;

import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/**
 * How many requests become one statement, and its rows their answers.
 *
 * <p>The statement returns for every request one row whose column {@code ord} is the request's
 * place in the list, from 1, and whose column {@code verdict} is text. The verdict {@code again} -
 * the row is busy, or an equal request stands before this one - is the {@link Batcher}'s: the
 * request is sent once more. Every other verdict is this statement's to read.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
public interface BatchStatement<Q, R> {
  /** Which statement. */
  Sql sql();

  /** The parameters for these requests, in order; arrays keep one text for every batch size. */
  Tuple parameters(List<Q> requests);

  /**
   * Reads one row.
   *
   * @throws com.memoryendpoints.gateway.problem.Refusal when the row is a refusal
   */
  R answer(Q request, Row row);

  /**
   * Whether the statement may be sent again after its connection was lost in flight: it only reads,
   * or a key or a token makes the second time a replay.
   */
  boolean repeatable();

  /**
   * What a request weighs, at least 1: a statement takes requests until they weigh as much as it
   * may, so that the last of them may weigh more.
   */
  default int weight(Q request) {
    return 1;
  }
}

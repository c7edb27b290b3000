package com.memoryendpoints.gateway.db;

import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;

/**
 * A statement for one request that answers with any number of rows and changes nothing.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
public interface ReadStatement<Q, R> {
  /** Which statement. */
  Sql sql();

  /** The parameters for this request. */
  Tuple parameters(Q request);

  /**
   * Reads the rows.
   *
   * @throws com.memoryendpoints.gateway.problem.Refusal when the rows are a refusal
   */
  R answer(Q request, RowSet<Row> rows);
}

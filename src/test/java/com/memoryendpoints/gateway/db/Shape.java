package com.memoryendpoints.gateway.db;

import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/**
 * A statement whose one text parameter per request is given as it is, and whose verdict is the
 * answer.
 */
record Shape() implements BatchStatement<String, String> {
  @Override
  public Sql sql() {
    throw new UnsupportedOperationException("it has a text of its own");
  }

  @Override
  public Tuple parameters(List<String> requests) {
    return Tuple.of(requests.toArray(String[]::new));
  }

  @Override
  public String answer(String request, Row row) {
    return row.getString("verdict");
  }

  @Override
  public boolean repeatable() {
    return true;
  }
}

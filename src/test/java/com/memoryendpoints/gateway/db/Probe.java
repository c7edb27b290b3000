package com.memoryendpoints.gateway.db;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.problem.Problem;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A statement that does what each request says; see {@code db/probe.sql}.
 *
 * @param repeatable whether it may be sent again after its connection was lost
 */
record Probe(boolean repeatable) implements BatchStatement<String, Probe.Answer> {
  static final String TEXT =
      "SELECT ord, verdict, call, batch_rows, backend FROM probe($1::text[])";

  /**
   * How a request was served.
   *
   * @param call the how manieth statement, from 1
   * @param batchRows requests in the statement
   * @param backend the process that served it
   */
  record Answer(int call, int batchRows, int backend) {}

  /** Makes the function that the statement calls. */
  static void install(TestDatabase database) {
    try (InputStream file = Probe.class.getResourceAsStream("/db/probe.sql")) {
      database.run(new String(file.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Exchange<String, Answer> exchange() {
    return Exchange.of("probe", TEXT, this);
  }

  @Override
  public Sql sql() {
    throw new UnsupportedOperationException("it has a text of its own");
  }

  @Override
  public Tuple parameters(List<String> requests) {
    if (requests.contains("cannot be encoded")) {
      throw new IllegalArgumentException("as asked");
    }
    return Tuple.of(requests.toArray(String[]::new));
  }

  @Override
  public Answer answer(String request, Row row) {
    if (request.equals("refuse")) {
      throw Problem.NAME_HELD.because("as asked");
    }
    if (request.equals("cannot be read")) {
      throw new IllegalStateException("as asked");
    }
    return new Answer(
        row.getInteger("call"), row.getInteger("batch_rows"), row.getInteger("backend"));
  }
}

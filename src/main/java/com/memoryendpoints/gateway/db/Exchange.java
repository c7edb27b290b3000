package com.memoryendpoints.gateway.db;

import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A statement as a {@link Batch} sees it: requests become parameters, rows become answers. */
abstract class Exchange<Q, R> {
  private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);
  private static final String AGAIN = "again";

  final String label;
  final String text;
  final boolean repeatable;

  /** What to say when nobody knows what came of it. */
  final Problem doubt;

  private Exchange(String label, String text, boolean repeatable, Problem doubt) {
    this.label = label;
    this.text = text;
    this.repeatable = repeatable;
    this.doubt = doubt;
  }

  /** One row for each request. */
  static <Q, R> Exchange<Q, R> of(BatchStatement<Q, R> statement) {
    return of(statement.sql().label(), statement.sql().text(), statement);
  }

  /** The same with another text than the statement's own. */
  static <Q, R> Exchange<Q, R> of(String label, String text, BatchStatement<Q, R> statement) {
    return new RowEach<>(label, text, statement);
  }

  /** All rows for the one request. */
  static <Q, R> Exchange<Q, R> of(ReadStatement<Q, R> statement) {
    return of(statement.sql().label(), statement.sql().text(), statement);
  }

  /** The same with another text than the statement's own. */
  static <Q, R> Exchange<Q, R> of(String label, String text, ReadStatement<Q, R> statement) {
    return new AllRows<>(label, text, statement);
  }

  /** What a request weighs, at least 1. */
  abstract int weight(Q request);

  /** The parameters for these members. */
  abstract Tuple parameters(List<Waiting<Q, R>> members);

  /** Decides every member that the rows speak of, or tells it {@code again}. */
  abstract void read(RowSet<Row> rows, List<Waiting<Q, R>> members);

  /** A defect in reading one member's rows is that member's alone. */
  final Refusal defect(RuntimeException cause) {
    String where = Fault.describe(cause);
    LOG.error("The answer of {} cannot be read: {}", label, where);
    return Problem.INTERNAL.because(label + ": " + where);
  }

  private static final class RowEach<Q, R> extends Exchange<Q, R> {
    private final BatchStatement<Q, R> statement;

    RowEach(String label, String text, BatchStatement<Q, R> statement) {
      super(label, text, statement.repeatable(), Problem.OUTCOME_UNKNOWN);
      this.statement = statement;
    }

    @Override
    int weight(Q request) {
      return statement.weight(request);
    }

    @Override
    Tuple parameters(List<Waiting<Q, R>> members) {
      List<Q> requests = new ArrayList<>(members.size());
      for (Waiting<Q, R> member : members) {
        requests.add(member.request);
      }
      return statement.parameters(requests);
    }

    @Override
    void read(RowSet<Row> rows, List<Waiting<Q, R>> members) {
      int ord = rows.columnsNames().indexOf("ord");
      int verdict = rows.columnsNames().indexOf("verdict");
      for (Row row : rows) {
        int place = ((Number) row.getValue(ord)).intValue();
        Waiting<Q, R> member = members.get(place - 1);
        if (AGAIN.equals(row.getString(verdict))) {
          member.tellAgain();
        } else {
          read(row, member);
        }
      }
    }

    private void read(Row row, Waiting<Q, R> member) {
      try {
        member.decide(statement.answer(member.request, row));
      } catch (Refusal refusal) {
        member.fail(refusal);
      } catch (RuntimeException e) {
        member.fail(defect(e));
      }
    }
  }

  private static final class AllRows<Q, R> extends Exchange<Q, R> {
    private final ReadStatement<Q, R> statement;

    AllRows(String label, String text, ReadStatement<Q, R> statement) {
      super(label, text, true, Problem.UNAVAILABLE);
      this.statement = statement;
    }

    @Override
    int weight(Q request) {
      return 1;
    }

    @Override
    Tuple parameters(List<Waiting<Q, R>> members) {
      return statement.parameters(members.get(0).request);
    }

    @Override
    void read(RowSet<Row> rows, List<Waiting<Q, R>> members) {
      Waiting<Q, R> member = members.get(0);
      try {
        member.decide(statement.answer(member.request, rows));
      } catch (Refusal refusal) {
        member.fail(refusal);
      } catch (RuntimeException e) {
        member.fail(defect(e));
      }
    }
  }
}

package com.memoryendpoints.gateway.pool;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.audit.Redactor;
import com.memoryendpoints.gateway.db.BatchStatement;
import com.memoryendpoints.gateway.db.UuidV7;
import com.memoryendpoints.gateway.db.Verdicts;
import com.memoryendpoints.gateway.lease.TestPod;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.crypto.spec.SecretKeySpec;

/**
 * One connection of the gateway on which the statements of pools are run as they are, under planner
 * settings of a test's choice: no batcher sends anything again, a test sees every verdict.
 */
final class PoolLink implements AutoCloseable {
  final ClaimIdentifiers claims;
  final RenewHolds renewals;
  final ReleaseHolds releases;
  final ConsumeIdentifiers consumptions;
  final LoadIdentifiers loads;
  final RedriveIdentifiers redrives;
  private final PgConnection connection;

  PoolLink(Vertx vertx, TestDatabase database, TestPod pod, Map<String, String> settings) {
    PgConnectOptions options = database.options().setCachePreparedStatements(true);
    settings.forEach(options::addProperty);
    connection = TestPod.await(PgConnection.connect(vertx, options));
    Redactor redactor = new Redactor(new SecretKeySpec(new byte[32], "HmacSHA256"));
    UuidV7 ids = new UuidV7(pod.database.clock());
    Verdicts verdicts = new Verdicts(pod.meters);
    claims = new ClaimIdentifiers(0, redactor, ids, pod.database.clock(), pod.meters);
    renewals = new RenewHolds(false, redactor, ids, verdicts);
    releases = new ReleaseHolds(redactor, ids, verdicts);
    consumptions = new ConsumeIdentifiers(redactor, ids, verdicts);
    loads = new LoadIdentifiers(redactor, ids, verdicts);
    redrives = new RedriveIdentifiers(redactor, ids, verdicts);
  }

  /** The answers to a batch, all of which must be given. */
  <Q, R> List<R> answers(BatchStatement<Q, R> statement, List<Q> requests) {
    List<R> answers = new ArrayList<>();
    for (Row row : rows(statement, requests)) {
      answers.add(statement.answer(requests.get(row.getInteger("ord") - 1), row));
    }
    return answers;
  }

  /** The verdicts on a batch, in no order. */
  <Q, R> List<String> verdicts(BatchStatement<Q, R> statement, List<Q> requests) {
    return rows(statement, requests).stream().map(row -> row.getString("verdict")).toList();
  }

  /** Runs any statement. */
  List<Row> rows(String sql, Tuple parameters) {
    List<Row> all = new ArrayList<>();
    TestPod.await(connection.preparedQuery(sql).execute(parameters)).forEach(all::add);
    return all;
  }

  private <Q, R> List<Row> rows(BatchStatement<Q, R> statement, List<Q> requests) {
    return rows(statement.sql().text(), statement.parameters(requests));
  }

  /** Runs a statement without parameters, such as BEGIN or ROLLBACK. */
  void run(String sql) {
    TestPod.await(connection.query(sql).execute());
  }

  @Override
  public void close() {
    TestPod.await(connection.close());
  }
}

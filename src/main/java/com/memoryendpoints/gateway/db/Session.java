package com.memoryendpoints.gateway.db;

import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.meter.Meters;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.PreparedStatement;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection for background work: one statement at a time, nobody waits for it, nothing is
 * retried here. It opens when it is first needed and again after it was lost. Whatever fails on it
 * closes it, so that no state of a failed statement - a lock, a transaction, an answer still to
 * come from a frozen server - reaches the next one. Confined to one event loop.
 */
public final class Session {
  private static final Logger LOG = LoggerFactory.getLogger(Session.class);

  private final Vertx vertx;
  private final PgConnectOptions options;
  private final Meters meters;
  private final Map<Sql, PreparedStatement> prepared = new EnumMap<>(Sql.class);
  private @Nullable PgConnection connection;
  private boolean failing;
  private boolean closed;

  /**
   * A session that is not open yet.
   *
   * @param options with the start-up properties of the gateway's connections
   */
  public Session(Vertx vertx, PgConnectOptions options, Meters meters) {
    this.vertx = vertx;
    this.options = options;
    this.meters = meters;
  }

  /**
   * Runs a statement and reads its rows. Fails after {@link Limits#REQUEST_MS_MAX} at the latest;
   * what was sent may then still have taken effect.
   */
  public <R> Future<List<R>> run(Sql sql, Tuple parameters, Function<Row, R> reading) {
    return connected()
        .compose(open -> statement(open, sql))
        .compose(statement -> timed(sql.label(), statement.query().execute(parameters)))
        .map(rows -> read(rows, reading))
        .onFailure(failure -> abandon(sql.label(), failure));
  }

  /**
   * Runs a statement that another one has put together, outside a transaction.
   *
   * @param label what logs and metrics call it
   * @param text one statement without parameters
   */
  public Future<Void> run(String label, String text) {
    return connected()
        .compose(open -> timed(label, open.query(text).execute()))
        .<Void>mapEmpty()
        .onFailure(failure -> abandon(label, failure));
  }

  /** Closes the connection; a statement in flight fails. */
  public void close() {
    closed = true;
    drop();
  }

  private Future<PgConnection> connected() {
    if (closed) {
      return Future.failedFuture("the session is closed");
    }
    if (connection != null) {
      return Future.succeededFuture(connection);
    }
    Future<PgConnection> attempt = PgConnection.connect(vertx, options);
    return bounded(attempt)
        // One that comes when nobody waits any more must not stay open.
        .onFailure(late -> attempt.onSuccess(SqlClient::close))
        .compose(this::opened);
  }

  private Future<PgConnection> opened(PgConnection open) {
    if (closed) {
      open.close();
      return Future.failedFuture("the session is closed");
    }
    open.closeHandler(lost -> forget(open));
    connection = open;
    meters.connectionsUp().increment();
    return Future.succeededFuture(open);
  }

  private Future<PreparedStatement> statement(PgConnection open, Sql sql) {
    PreparedStatement ready = prepared.get(sql);
    return ready != null
        ? Future.succeededFuture(ready)
        : bounded(open.prepare(sql.text())).onSuccess(made -> prepared.put(sql, made));
  }

  private <T> Future<T> timed(String label, Future<T> sent) {
    long began = System.nanoTime();
    meters.connectionsInUse().increment();
    return bounded(sent)
        .onComplete(done -> meters.connectionsInUse().decrement())
        .onSuccess(done -> answered(label, System.nanoTime() - began))
        .onFailure(failure -> meters.statement(label).failed());
  }

  private void answered(String label, long nanos) {
    failing = false;
    meters.statement(label).answered(1, nanos);
  }

  private static <T> Future<T> bounded(Future<T> sent) {
    return sent.timeout(Limits.REQUEST_MS_MAX, TimeUnit.MILLISECONDS);
  }

  private static <R> List<R> read(RowSet<Row> rows, Function<Row, R> reading) {
    List<R> read = new ArrayList<>(rows.size());
    rows.forEach(row -> read.add(reading.apply(row)));
    return read;
  }

  /** The log gets the SQLSTATE and the kind, once an outage; a message may quote a value. */
  private void abandon(String label, Throwable failure) {
    if (!closed && !failing) {
      String state = failure instanceof PgException answer ? answer.getSqlState() : "none";
      LOG.warn("{} failed: {}, SQLSTATE {}", label, failure.getClass().getSimpleName(), state);
    }
    failing = true;
    drop();
  }

  private void drop() {
    if (connection != null) {
      PgConnection open = connection;
      forget(open);
      open.close();
    }
  }

  private void forget(PgConnection lost) {
    if (connection == lost) {
      connection = null;
      prepared.clear();
      meters.connectionsUp().decrement();
    }
  }
}

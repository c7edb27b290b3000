package com.memoryendpoints.gateway.db;

import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.meter.Meters;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
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
  private final Context context;
  private final PgConnectOptions options;
  private final Meters meters;
  private final Handler<Throwable> fatal;
  private final DatabaseClock clock = new DatabaseClock();
  private @Nullable Link link;
  private boolean failing;
  private boolean closed;

  /**
   * A session that is not open yet, for the event loop that calls.
   *
   * @param options see {@link SessionOptions}
   * @param fatal is told that a statement of this jar does not fit the schema, which no
   *     reconnecting heals: the process should end
   */
  public Session(Vertx vertx, PgConnectOptions options, Meters meters, Handler<Throwable> fatal) {
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    this.options = options;
    this.meters = meters;
    this.fatal = fatal;
  }

  /**
   * Runs a statement and reads its rows. Fails after {@link Limits#STATEMENT_GIVEN_UP_MS} at the
   * latest; what was sent may then still take effect.
   */
  public <R> Future<List<R>> run(Sql sql, Tuple parameters, Function<Row, R> reading) {
    return run(sql.label(), on -> on.execute(sql.label(), sql.text(), parameters))
        .map(rows -> read(rows, reading));
  }

  /**
   * Runs a statement that another one has put together, outside a transaction. Fails as late as any
   * other.
   *
   * @param label what logs and metrics call it
   * @param text one statement without parameters
   */
  public Future<Void> run(String label, String text) {
    return run(label, on -> on.execute(text)).mapEmpty();
  }

  /** Cuts the connection; a statement in flight fails. */
  public void close() {
    closed = true;
    cut();
  }

  private Future<RowSet<Row>> run(String label, Function<Link, Future<RowSet<Row>>> statement) {
    return linked()
        .compose(on -> timed(label, statement.apply(on)))
        .onFailure(failure -> abandon(label, failure));
  }

  private Future<Link> linked() {
    if (closed) {
      return Future.failedFuture("the session is closed");
    }
    return link != null
        ? Future.succeededFuture(link)
        : Link.open(vertx, context, options, List.of(), clock).compose(this::opened);
  }

  private Future<Link> opened(Link open) {
    if (closed) {
      open.cut();
      return Future.failedFuture("the session is closed");
    }
    open.onLoss(() -> forget(open));
    link = open;
    meters.connectionsUp().increment();
    return Future.succeededFuture(open);
  }

  private Future<RowSet<Row>> timed(String label, Future<RowSet<Row>> sent) {
    long began = System.nanoTime();
    meters.connectionsInUse().increment();
    return sent.timeout(Limits.STATEMENT_GIVEN_UP_MS, TimeUnit.MILLISECONDS)
        .onComplete(done -> meters.connectionsInUse().decrement())
        .onSuccess(done -> answered(label, System.nanoTime() - began))
        .onFailure(failure -> meters.statement(label).failed());
  }

  private void answered(String label, long nanos) {
    failing = false;
    meters.statement(label).answered(1, nanos);
  }

  private static <R> List<R> read(RowSet<Row> rows, Function<Row, R> reading) {
    List<R> read = new ArrayList<>(rows.size());
    rows.forEach(row -> read.add(reading.apply(row)));
    return read;
  }

  /** The log gets the SQLSTATE and the kind, once an outage; a message may quote a value. */
  private void abandon(String label, Throwable failure) {
    if (closed) {
      return;
    }
    if (failure instanceof Link.Unprepared) {
      fatal.handle(failure);
    }
    if (!failing) {
      String state = failure instanceof PgException answer ? answer.getSqlState() : "none";
      LOG.warn("{} failed: {}, SQLSTATE {}", label, failure.getClass().getSimpleName(), state);
    }
    failing = true;
    cut();
  }

  private void cut() {
    if (link != null) {
      Link open = link;
      forget(open);
      open.cut();
    }
  }

  private void forget(Link lost) {
    if (link == lost) {
      link = null;
      meters.connectionsUp().decrement();
    }
  }
}

package com.memoryendpoints.gateway.db;

import com.memoryendpoints.gateway.config.Limits;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.pgclient.spi.PgDriver;
import io.vertx.sqlclient.PreparedQuery;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import io.vertx.sqlclient.spi.ConnectionFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One connection's life: opened, proven to be to the right primary, prepared, used, and cut when it
 * does not answer.
 *
 * <p>It owns the client's connection factory, and with it the socket, because closing the
 * connection itself is queued behind the statement in flight, and a connection that never finishes
 * its handshake cannot be closed any other way.
 */
final class Link {
  private static final int USER_TIMEOUT_MS = 10_000;

  private final ConnectionFactory<PgConnectOptions> factory;
  private final SqlConnection connection;
  private final DatabaseClock clock;
  private final Map<String, PreparedQuery<RowSet<Row>>> prepared = new HashMap<>();
  private boolean standing = true;

  /** The server answers but must not be used. */
  static final class Unfit extends RuntimeException {
    private static final long serialVersionUID = 1L;

    final Standing standing;

    Unfit(Standing standing) {
      super("the server is " + standing, null, false, false);
      this.standing = standing;
    }
  }

  /**
   * Commits wait for a synchronous standby: a connection that is opened now would be another whose
   * session waits, because the server keeps one after its connection was cut.
   */
  static final class Unconfirmed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unconfirmed() {
      super("commits wait for a synchronous standby", null, false, false);
    }
  }

  /** A statement of this jar does not fit the schema: nothing that time would heal. */
  static final class Unprepared extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unprepared(String label, PgException cause) {
      super(label + " does not prepare: " + cause.getMessage(), cause);
    }
  }

  private Link(
      ConnectionFactory<PgConnectOptions> factory, SqlConnection connection, DatabaseClock clock) {
    this.factory = factory;
    this.connection = connection;
    this.clock = clock;
    // Without handlers the client prints both; what matters of them reaches us as a failure.
    connection.exceptionHandler(failure -> {});
    PgConnection.cast(connection).noticeHandler(notice -> {});
  }

  /**
   * Opens a connection within {@link Limits#CONNECT_MS_MAX}, on the context's event loop.
   *
   * @param exchanges to be prepared, as many as there are when it comes to that; any other is when
   *     it is first sent
   * @return failed with {@link Unfit}, {@link Unconfirmed}, {@link Unprepared}, or whatever went
   *     wrong
   */
  static Future<Link> open(
      Vertx vertx,
      Context context,
      PgConnectOptions options,
      List<Exchange<?, ?>> exchanges,
      DatabaseClock clock) {
    ConnectionFactory<PgConnectOptions> factory =
        PgDriver.INSTANCE.createConnectionFactory(
            vertx,
            new NetClientOptions()
                .setConnectTimeout(Limits.CONNECT_MS_MAX)
                .setTcpKeepAlive(true)
                .setTcpUserTimeout(USER_TIMEOUT_MS));
    return factory
        .connect(context, options)
        .map(connection -> new Link(factory, connection, clock))
        .compose(
            link ->
                link.check()
                    .compose(fit -> link.requireConfirmedCommits())
                    .compose(confirmed -> link.prepare(exchanges))
                    .map(link))
        .timeout(Limits.CONNECT_MS_MAX, TimeUnit.MILLISECONDS)
        .onFailure(cause -> cut(factory));
  }

  /** Called once, when the connection is lost without our doing. */
  void onLoss(Runnable lost) {
    connection.closeHandler(
        closed -> {
          if (standing) {
            standing = false;
            lost.run();
          }
        });
  }

  /** Asks whether the server may be used, and what time it is there. */
  Future<Void> check() {
    long askedMs = DatabaseClock.monotonicMs();
    return prepare(Sql.READ_FENCING_ANCHOR.label(), Sql.READ_FENCING_ANCHOR.text())
        .compose(query -> query.execute())
        .compose(
            rows -> {
              if (rows.size() == 0) {
                return Future.failedFuture(new Unfit(Standing.UNANCHORED));
              }
              Row row = rows.iterator().next();
              if (row.getBoolean("standby")) {
                return Future.failedFuture(new Unfit(Standing.STANDBY));
              }
              if (!row.getBoolean("anchored")) {
                return Future.failedFuture(new Unfit(Standing.UNANCHORED));
              }
              long databaseMs = row.getOffsetDateTime("clock").toInstant().toEpochMilli();
              clock.learn(databaseMs, askedMs, DatabaseClock.monotonicMs());
              return Future.succeededFuture();
            });
  }

  private Future<Void> requireConfirmedCommits() {
    Sql sql = Sql.FIND_UNCONFIRMED_COMMITS;
    return execute(sql.label(), sql.text(), Tuple.of(Limits.STATEMENT_MS_MAX))
        .compose(
            rows ->
                rows.iterator().next().getLong("unconfirmed") == 0
                    ? Future.succeededFuture()
                    : Future.failedFuture(new Unconfirmed()));
  }

  /** Runs a statement; the caller sees to it that it is the only one. */
  Future<RowSet<Row>> execute(Exchange<?, ?> exchange, Tuple parameters) {
    return execute(exchange.label, exchange.text, parameters);
  }

  /** The same for a statement that no batch is made of. */
  Future<RowSet<Row>> execute(String label, String text, Tuple parameters) {
    PreparedQuery<RowSet<Row>> ready = prepared.get(text);
    return ready != null
        ? ready.execute(parameters)
        : prepare(label, text).compose(query -> query.execute(parameters));
  }

  /** Runs what cannot be prepared; outside a transaction, without parameters. */
  Future<RowSet<Row>> execute(String text) {
    return connection.query(text).execute();
  }

  /** Ends it now, whatever is in flight. */
  void cut() {
    standing = false;
    cut(factory);
  }

  /** Ends it with a word of farewell; nothing may be in flight. */
  Future<Void> close() {
    standing = false;
    return connection.close().onComplete(said -> cut(factory));
  }

  private Future<Void> prepare(List<Exchange<?, ?>> exchanges) {
    Future<Void> done = Future.succeededFuture();
    for (Exchange<?, ?> exchange : exchanges) {
      done = done.compose(before -> prepare(exchange.label, exchange.text).mapEmpty());
    }
    return done;
  }

  private Future<PreparedQuery<RowSet<Row>>> prepare(String label, String text) {
    return connection
        .prepare(text)
        .map(
            statement -> {
              PreparedQuery<RowSet<Row>> query = statement.query();
              prepared.put(text, query);
              return query;
            })
        .recover(
            failure ->
                Future.failedFuture(
                    failure instanceof PgException answer && isMistake(answer.getSqlState())
                        ? new Unprepared(label, answer)
                        : failure));
  }

  /** Class 42 without the missing privilege, which an operator may yet grant. */
  private static boolean isMistake(String sqlState) {
    return sqlState.startsWith("42") && !sqlState.equals("42501");
  }

  private static void cut(ConnectionFactory<PgConnectOptions> factory) {
    factory.close((closed, failure) -> {});
  }
}

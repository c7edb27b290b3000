package com.memoryendpoints.gateway.db;

import io.vertx.pgclient.PgException;

/** What to do about a statement that failed, by its SQLSTATE (store.md, "SQLSTATE to answer"). */
enum Remedy {
  /** Rolled back whole, by the database's own promise: send it again. */
  ROLLED_BACK(false),
  /** A lock did not come free in time. */
  BUSY(false),
  /** Cancelled, mostly by {@code statement_timeout}. */
  CANCELLED(false),
  /** The connection went while the statement was in flight: it may have committed. */
  LOST(true),
  /** The server is out of something: rolled back, and what asks for less may still be served. */
  EXHAUSTED(false),
  /** The server is going, coming, or not a primary. */
  UNAVAILABLE(true),
  /** The schema moved under a prepared statement. */
  STALE_PLAN(true),
  /** The fencing epoch is anchored in another history: granting could repeat a token. */
  UNANCHORED(true),
  /** The fencing epochs are used up: a higher token would not be exact in JSON. */
  USED_UP(false),
  /** The name keys were made by another version than this gateway's. */
  REKEYED(true),
  /** None of these: one member's fault, or ours. */
  DEFECT(false);

  private final boolean closes;

  Remedy(boolean closes) {
    this.closes = closes;
  }

  /** Whether the connection must go. */
  boolean closes() {
    return closes;
  }

  /**
   * The remedy for a failure.
   *
   * @param unsent whether the statement never left: its parameters could not be written
   */
  static Remedy of(Throwable failure, boolean unsent) {
    if (failure instanceof PgException answer) {
      return of(answer.getSqlState());
    }
    // What the server did not answer with an error it did not answer at all.
    return unsent || failure instanceof Link.Unprepared ? DEFECT : LOST;
  }

  private static Remedy of(String sqlState) {
    return switch (sqlState) {
      case "40001", "40P01", "23505" -> ROLLED_BACK;
      case "55P03" -> BUSY;
      // CockroachDB says with 40003 that it does not know.
      case "57014", "40003" -> CANCELLED;
      case "25006", "55000" -> UNAVAILABLE;
      case "0A000" -> STALE_PLAN;
      case "FE001" -> UNANCHORED;
      case "FE002" -> USED_UP;
      case "FE003" -> REKEYED;
      default -> ofClass(sqlState);
    };
  }

  private static Remedy ofClass(String sqlState) {
    if (sqlState.startsWith("53")) {
      return EXHAUSTED;
    }
    return sqlState.startsWith("57P") || sqlState.startsWith("08") ? UNAVAILABLE : DEFECT;
  }
}

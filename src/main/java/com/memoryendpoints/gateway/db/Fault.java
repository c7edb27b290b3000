package com.memoryendpoints.gateway.db;

import io.vertx.pgclient.PgException;

/** What the log may say about a failure: never its message, which may quote a caller's value. */
final class Fault {
  private Fault() {}

  static String describe(Throwable cause) {
    if (cause instanceof PgException answer) {
      return "SQLSTATE " + answer.getSqlState();
    }
    StackTraceElement[] trace = cause.getStackTrace();
    return cause.getClass().getName() + (trace.length == 0 ? "" : " at " + trace[0]);
  }
}

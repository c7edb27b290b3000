package com.memoryendpoints.gateway.db;

/** The database does not answer now; the same call may succeed later. */
public final class DatabaseUnreachable extends Exception {
  private static final long serialVersionUID = 1L;

  DatabaseUnreachable(String text, Throwable cause) {
    super(text, cause);
  }
}

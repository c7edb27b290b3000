package com.memoryendpoints.gateway.db;

/** The database does not answer, or lets nobody in; the same call may succeed later. */
public final class DatabaseUnreachable extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean passing;

  DatabaseUnreachable(String text, Throwable cause, boolean passing) {
    super(text, cause);
    this.passing = passing;
  }

  /**
   * Whether time alone may heal it; a password or the name of a database that is wrong stays so.
   */
  public boolean mayPass() {
    return passing;
  }
}

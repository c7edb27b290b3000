package com.memoryendpoints.gateway.config;

import org.jspecify.annotations.Nullable;

/**
 * The gateway cannot start, or cannot go on, for a reason that its operator can do something about.
 * The text is the whole of what is shown, so it says what is wrong and what to do.
 */
public class CannotStart extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  /**
   * With its exit code.
   *
   * @param cause for the log at debug level, never shown
   */
  protected CannotStart(int exitCode, String text, @Nullable Throwable cause) {
    super(text, cause);
    this.exitCode = exitCode;
  }

  /** Something that was set, or the place where the gateway was started, has to change: exit 2. */
  public static CannotStart misconfigured(String text) {
    return new CannotStart(2, text, null);
  }

  /** As {@link #misconfigured(String)}, with the reason underneath. */
  public static CannotStart misconfigured(String text, Throwable cause) {
    return new CannotStart(2, text, cause);
  }

  /** Everything was set rightly and it still does not work: exit 1. */
  public static CannotStart failed(String text, @Nullable Throwable cause) {
    return new CannotStart(1, text, cause);
  }

  /** The process's exit code, 1 or 2. */
  public int exitCode() {
    return exitCode;
  }
}

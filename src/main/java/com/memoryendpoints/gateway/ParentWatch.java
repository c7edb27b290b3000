package com.memoryendpoints.gateway;

/**
 * Ends the gateway, in order, with the process that started it. Maven's exec goal passes no signal
 * on: without this the gateway would outlive a Maven that was stopped, and keep its ports.
 */
final class ParentWatch {
  /** Set by the pom's exec goal only; a supervisor stops the gateway by SIGTERM. */
  private static final String PROPERTY = "gateway.ends_with_parent";

  private static final int TERMINATED_STATUS = 143;

  private ParentWatch() {}

  /** Watches from now on, when asked to by the system property. */
  static void start() {
    if (Boolean.getBoolean(PROPERTY)) {
      ProcessHandle.current().parent().ifPresent(ParentWatch::endWith);
    }
  }

  private static void endWith(ProcessHandle parent) {
    var unused = parent.onExit().thenRun(() -> System.exit(TERMINATED_STATUS));
  }
}

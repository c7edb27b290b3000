package com.memoryendpoints.gateway;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The composition root. */
public final class Main {
  private static final Logger log = LoggerFactory.getLogger(Main.class);

  private Main() {}

  /** Starts the gateway. */
  public static void main(String[] args) {
    ParentWatch.start();
    log.info("The lease gateway has nothing to serve yet.");
  }
}

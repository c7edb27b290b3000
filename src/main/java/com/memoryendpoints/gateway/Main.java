package com.memoryendpoints.gateway;

import org.slf4j.LoggerFactory;

/** The composition root. */
public final class Main {
  private Main() {}

  /** Starts the gateway. */
  public static void main(String[] args) {
    LoggerFactory.getLogger(Main.class).info("The lease gateway has nothing to serve yet.");
  }
}

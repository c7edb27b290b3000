package com.memoryendpoints.gateway.legacy;

import java.io.IOException;

/** A line that cannot be imported: where it is, what is wrong with it, what to write instead. */
final class BadLine extends IOException {
  private static final long serialVersionUID = 1L;

  private final long line;

  /**
   * A fault of one line.
   *
   * @param line from 1
   * @param fault never repeats what the line says
   */
  BadLine(long line, String fault) {
    super(fault);
    this.line = line;
  }

  long line() {
    return line;
  }
}

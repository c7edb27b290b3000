package com.memoryendpoints.gateway.legacy;

import java.io.IOException;
import java.io.Reader;
import org.jspecify.annotations.Nullable;

/** Lines as one text, never ahead of the line that is asked for, so that a bad one is told. */
final class LineReader extends Reader {
  private final Lines lines;
  private @Nullable String line;
  private int at;

  LineReader(Lines lines, String first) {
    this.lines = lines;
    this.line = first;
  }

  @Override
  public int read(char[] into, int offset, int length) throws IOException {
    if (line != null && at == line.length()) {
      line = lines.next();
      at = 0;
    }
    if (line == null) {
      return -1;
    }
    int count = Math.min(length, line.length() - at);
    line.getChars(at, at + count, into, offset);
    at += count;
    return count;
  }

  @Override
  public void close() {
    // The lines are closed by who opened them.
  }
}

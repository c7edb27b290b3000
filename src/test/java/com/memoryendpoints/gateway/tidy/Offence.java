package com.memoryendpoints.gateway.tidy;

/** One breach of a house rule, printed as {@code path:line: what}. */
public record Offence(String path, int line, String what) {
  @Override
  public String toString() {
    return path + ":" + line + ": " + what;
  }
}

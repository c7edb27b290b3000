package com.memoryendpoints.gateway.legacy;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The rows of a file, one after the other. */
interface Rows {
  /**
   * The next row.
   *
   * @return null after the last one
   * @throws BadLine when it is none; where one can go on after it, the next call does
   */
  @Nullable Row next() throws IOException;
}

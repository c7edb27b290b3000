package com.memoryendpoints.gateway.legacy;

import java.util.Map;
import java.util.Objects;

/**
 * A row of a file, every column of its kind present.
 *
 * @param line where it begins, from 1
 */
record Row(long line, Map<String, String> values) {
  String value(String column) {
    return Objects.requireNonNull(values.get(column));
  }
}

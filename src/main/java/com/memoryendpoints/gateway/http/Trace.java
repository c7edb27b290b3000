package com.memoryendpoints.gateway.http;

import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The trace that a request belongs to, by its {@code traceparent} (W3C Trace Context, level 1). */
final class Trace {
  /** Version 00 exactly; a later version may say more after a hyphen; ff is none. */
  private static final Pattern TRACEPARENT =
      Pattern.compile(
          "(?!ff)(?:00|([0-9a-f]{2}))-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}"
              + "(-.*)?");

  private Trace() {}

  /** The trace id, 32 lower-case hex digits, or null when there is no valid one. */
  static @Nullable String id(HttpServerRequest request) {
    List<String> fields = request.headers().getAll("traceparent");
    if (fields.size() != 1) {
      return null;
    }
    Matcher parts = TRACEPARENT.matcher(fields.get(0));
    if (!parts.matches() || (parts.group(1) == null && parts.group(3) != null)) {
      return null;
    }
    return parts.group(2);
  }
}

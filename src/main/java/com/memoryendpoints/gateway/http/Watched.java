package com.memoryendpoints.gateway.http;

import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.Http1xServerConnection;
import io.vertx.core.http.impl.Http2ServerConnection;
import java.util.Set;

/** A connection whose peer is not waited for without end. */
interface Watched {
  /**
   * Watches a new connection; {@code open} holds it while it is open.
   *
   * @param stopping whether the server stops already
   */
  static void watch(HttpConnection connection, Set<Watched> open, boolean stopping) {
    if (connection instanceof Http2ServerConnection http2) {
      Streams.watch(http2, open);
    } else {
      Wire.watch((Http1xServerConnection) connection, open, stopping);
    }
  }

  /** {@link #cutOverdue(long)} for every connection that is open. */
  static void cutOverdue(Set<Watched> open, long nowNanos) {
    for (Watched each : Set.copyOf(open)) {
      each.cutOverdue(nowNanos);
    }
  }

  /** Cuts what has not come, or has not been taken, in time. */
  void cutOverdue(long nowNanos);
}

package com.memoryendpoints.gateway.auth;

import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/** Where the keys of an identity provider come from. Safe from every thread. */
interface KeySource {
  /** Those in use; null before there are any. */
  @Nullable KeySet keys();

  /**
   * The latest that can be had, for a token whose key is not in use: fetched now, or of a moment
   * ago.
   *
   * @return completed on the caller's context; or UNAVAILABLE when they cannot be had
   */
  Future<KeySet> latest();

  /** For how many milliseconds {@link #latest} cannot be others than now; not negative. */
  long settledMs();

  /** Keys that never change. */
  record Fixed(KeySet keys) implements KeySource {
    @Override
    public Future<KeySet> latest() {
      return Future.succeededFuture(keys);
    }

    @Override
    public long settledMs() {
      return Long.MAX_VALUE;
    }
  }
}

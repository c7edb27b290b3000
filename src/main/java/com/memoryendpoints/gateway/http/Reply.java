package com.memoryendpoints.gateway.http;

import org.jspecify.annotations.Nullable;

/**
 * An answer that is not a problem.
 *
 * @param status 200 to 299; 304 for what the caller has
 * @param body what becomes the JSON; null for none
 * @param location the path of what was made; null where nothing was
 * @param replayed whether an earlier use of the key had this effect
 */
record Reply(int status, @Nullable Object body, @Nullable String location, boolean replayed) {
  static final Reply NO_CONTENT = new Reply(204, null, null, false);

  static Reply ok(Object body) {
    return new Reply(200, body, null, false);
  }

  /** The same with its body ready to be sent; what cannot be written is known before the head. */
  Reply rendered() {
    if (body == null || body instanceof Content) {
      return this;
    }
    return new Reply(status, Content.json(body), location, replayed);
  }
}

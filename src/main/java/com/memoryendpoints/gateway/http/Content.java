package com.memoryendpoints.gateway.http;

import io.vertx.core.buffer.Buffer;

/**
 * Bytes that are ready to be sent.
 *
 * @param type their media type
 */
record Content(Buffer bytes, CharSequence type) {}

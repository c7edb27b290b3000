/**
 * Bytes to domain and back; the only user of vertx-web.
 *
 * <p>{@link com.memoryendpoints.gateway.http.Api} is the whole API on one screen. A request passes
 * {@code Wire} (framing, deadlines), {@code Routes} (404, 405), {@code Gate} (token, scope, key,
 * body) and {@code Requests} (what it says), in the order of precedence of the problems; {@code
 * Replies} shapes what the domain answers, and {@code Problems} writes every problem, whoever met
 * it. {@code ApiVerticle} is one event loop of all this.
 */
@NullMarked
package com.memoryendpoints.gateway.http;

import org.jspecify.annotations.NullMarked;

/**
 * Pools of identifiers: borrowed for a strict time, finished once.
 *
 * <p>{@link com.memoryendpoints.gateway.pool.Pools} loads, claims, renews, releases and consumes;
 * it turns a request into one row of a batch statement and one row of its result into an answer.
 * What is decided is decided in SQL, under the row locks, by the database's clock: UNUSED, PENDING,
 * CONSUMED for ever, or back to UNUSED when the holder is silent, and DEAD when holders were silent
 * too often. The records beside it are the requests and the answers; none can be built with an
 * illegal value.
 */
@NullMarked
package com.memoryendpoints.gateway.pool;

import org.jspecify.annotations.NullMarked;

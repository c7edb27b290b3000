/**
 * The lease gateway: exclusive, lapsing ownership of global agent names and memories, with fencing
 * tokens that only ever grow.
 *
 * <p>{@link com.memoryendpoints.gateway.Main} composes the rest. Packages are domain nouns, and a
 * package imports only from its left: {@code problem <- tenant <- config <- meter <- name <- db <-
 * {idempotency, audit} <- {lease, pool} <- auth <- {reaper, http} <- cli <- Main}.
 */
@NullMarked
package com.memoryendpoints.gateway;

import org.jspecify.annotations.NullMarked;

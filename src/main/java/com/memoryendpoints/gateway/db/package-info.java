/**
 * The one way to the system of record.
 *
 * <p>{@link com.memoryendpoints.gateway.db.Database} is an event loop's own few connections; {@link
 * com.memoryendpoints.gateway.db.Batcher} sends what waits as one statement whenever a connection
 * is idle; {@link com.memoryendpoints.gateway.db.Sql} names every statement. SQLSTATEs become
 * problems here and nowhere else, retries happen here and nowhere else, and the database's clock is
 * learnt here. The database owns time: durations go in, instants come out.
 */
@NullMarked
package com.memoryendpoints.gateway.db;

import org.jspecify.annotations.NullMarked;

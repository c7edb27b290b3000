/**
 * The only background work.
 *
 * <p>{@link com.memoryendpoints.gateway.reaper.ReaperVerticle} goes round: it records leases that
 * lapsed without anybody having come ({@code Lapses}), keeps the days of keys and of audit events
 * attached ahead and dropped behind ({@code Partitions}), and forgets names that nobody has used
 * for long ({@code IdleNames}). Each step is small, locks only what nobody else has locked, and
 * judges under the lock, so that any number of reapers may run anywhere and one that was stopped
 * for an hour changes nothing when it goes on. Correctness never depends on it: a lapsed lease
 * blocks nobody, and a token is refused by the clock.
 */
@NullMarked
package com.memoryendpoints.gateway.reaper;

import org.jspecify.annotations.NullMarked;

/**
 * Names and memories, owned together and for a time.
 *
 * <p>{@link com.memoryendpoints.gateway.lease.Leases} claims, renews, releases, verifies and
 * revokes; {@link com.memoryendpoints.gateway.lease.Memories} registers, branches and commits. Both
 * turn a request into one row of a batch statement and one row of its result into an answer; what
 * is decided is decided in SQL, under the row locks, by the database's clock. The records beside
 * them are the requests and the answers; none can be built with an illegal value.
 */
@NullMarked
package com.memoryendpoints.gateway.lease;

import org.jspecify.annotations.NullMarked;

/**
 * How much a tenant may have.
 *
 * <p>Quotas are soft. Nothing is counted in the statements that grant - two of them could not see
 * each other anyway - and no row counts for all. Instead each gateway keeps an {@link
 * com.memoryendpoints.gateway.quota.Estimate}: what the database counted last, and what this
 * gateway has let in since. A count is believed for a second. So one gateway alone lets nothing in
 * beyond a quota, several may miss what the others let in during that second, and nothing that has
 * ended stands in the way for longer. A tenant without quotas is not counted at all.
 *
 * <p>At a quota a request is asked about before it is refused: what would make nothing new - a
 * replay, an own lease again, what has another fault - goes on to its statement and gets the answer
 * that it would have had.
 */
@NullMarked
package com.memoryendpoints.gateway.quota;

import org.jspecify.annotations.NullMarked;

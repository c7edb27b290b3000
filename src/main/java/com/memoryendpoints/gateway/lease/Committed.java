package com.memoryendpoints.gateway.lease;

import java.time.Instant;

/**
 * The answer to a commit.
 *
 * @param revision from 1, one more with each commit
 * @param replayed whether an earlier use of the key committed it
 */
public record Committed(long revision, Instant committedAt, boolean replayed) {}

package com.memoryendpoints.gateway.lease;

import java.time.Instant;

/**
 * What a memory's last fenced commit left.
 *
 * @param revision from 1
 * @param digest {@code sha-256:} and 64 lower-case hexadecimal digits
 */
public record Head(long revision, String digest, Instant committedAt) {}

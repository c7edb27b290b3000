package com.memoryendpoints.gateway.pool;

import java.util.List;

/**
 * The answer to a claim.
 *
 * @param holds at least one; fewer than were asked for when fewer were free
 * @param replayed whether an earlier use of the key was given these: they are told as they were
 *     then, and some may have ended since
 */
public record Held(List<Hold> holds, boolean replayed) {}

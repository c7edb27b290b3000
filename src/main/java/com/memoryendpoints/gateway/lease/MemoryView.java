package com.memoryendpoints.gateway.lease;

import org.jspecify.annotations.Nullable;

/**
 * A memory as its tenant sees it.
 *
 * @param fencingToken the last one issued; 0 when none was
 * @param lease the last grant, whatever its state; null before the first and after a revoke
 * @param head null before the first commit
 */
public record MemoryView(
    Memory memory, long fencingToken, @Nullable LeaseView lease, @Nullable Head head) {}

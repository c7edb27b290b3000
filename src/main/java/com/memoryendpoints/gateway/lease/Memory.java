package com.memoryendpoints.gateway.lease;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A memory's identity, which never changes (Invariant 3), and its lineage (Invariant 4).
 *
 * @param parentId the memory it was branched from; null for a root
 * @param branchedAtToken the parent's fencing token at the branch; null for a root
 */
public record Memory(
    UUID memoryId, @Nullable UUID parentId, @Nullable Long branchedAtToken, Instant createdAt) {}

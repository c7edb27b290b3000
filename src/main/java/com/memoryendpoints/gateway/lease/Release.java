package com.memoryendpoints.gateway.lease;

import java.util.UUID;

/**
 * A request to stop holding; carries the token so that a late one cannot end a later lease.
 *
 * @param canonicalName compared byte for byte
 */
public record Release(Owner owner, String canonicalName, UUID memoryId, FencingToken token) {}

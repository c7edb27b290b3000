package com.memoryendpoints.gateway.pool;

/**
 * A request to give an identifier back.
 *
 * @param delaySeconds from now until it can be claimed: 0 to 86,400
 */
public record HoldRelease(HoldRef hold, int delaySeconds) {}

package com.memoryendpoints.gateway.pool;

import org.jspecify.annotations.Nullable;

/**
 * The fenced commit of an identifier (Law 6.2), for ever.
 *
 * @param reference noted with it: 1 to 255 code points; null for none
 */
public record Consumption(HoldRef hold, @Nullable String reference) {}

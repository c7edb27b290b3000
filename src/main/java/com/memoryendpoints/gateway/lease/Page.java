package com.memoryendpoints.gateway.lease;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list, in memory id order.
 *
 * @param items may be fewer than asked for, even none, while {@code next} is present
 * @param next the memory id after which the next page starts; null on the last page
 */
public record Page<T>(List<T> items, @Nullable UUID next) {}

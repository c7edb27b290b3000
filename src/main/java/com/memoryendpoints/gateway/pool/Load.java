package com.memoryendpoints.gateway.pool;

import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.tenant.Caller;
import java.util.List;

/**
 * Identifiers to be loaded into a pool, all or none.
 *
 * @param identifiers up to {@link Limits#POOL_LOAD_ROWS_MAX} of them, each of 1 to 255 code points,
 *     without U+0000 and unpaired surrogates; claimed in this order
 */
public record Load(Caller caller, PoolName pool, List<String> identifiers) {
  /** Checks how many there are. */
  public Load {
    if (identifiers.size() > Limits.POOL_LOAD_ROWS_MAX) {
      throw new IllegalArgumentException(identifiers.size() + " identifiers in one load");
    }
  }
}

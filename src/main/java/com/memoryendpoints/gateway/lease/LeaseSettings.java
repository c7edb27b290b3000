package com.memoryendpoints.gateway.lease;

/**
 * What operators decide about leases.
 *
 * @param epochBase the configured part of the fencing epoch (store.md, must 3); 0 or more
 * @param renewalsAudited whether every renewal leaves an audit event
 */
public record LeaseSettings(int epochBase, boolean renewalsAudited) {}

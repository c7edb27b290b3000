package com.memoryendpoints.gateway.reaper;

import javax.crypto.SecretKey;

/**
 * What a reaper has to be told.
 *
 * @param auditKey the master key of the audit trail
 * @param auditRetentionDays how many days audit events are kept, from 1
 * @param epochBase the configured part of the fencing epoch
 */
public record ReaperOrders(SecretKey auditKey, int auditRetentionDays, int epochBase) {}

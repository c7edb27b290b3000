/**
 * What the audit trail may show.
 *
 * <p>Events are written by the statements that change a lease, in the same transaction, and never
 * name an agent or a memory: {@link com.memoryendpoints.gateway.audit.Redactor} turns both into
 * HMAC-SHA-256 values under a key of the tenant's own, derived from a master key that is not stored
 * beside them. Equal names of one tenant give equal values, so that a tenant's history can be
 * followed; those of two tenants cannot be compared. {@link
 * com.memoryendpoints.gateway.audit.AuditEvent} lists the kinds of event.
 *
 * <p>{@link com.memoryendpoints.gateway.audit.AuditTrail} reads them, in commit order and only what
 * no transaction that is still open can come to stand before; {@code V8__audit_eras.sql} says how
 * the order outlives fail-over and restore.
 */
@NullMarked
package com.memoryendpoints.gateway.audit;

import org.jspecify.annotations.NullMarked;

package com.memoryendpoints.gateway.audit;

/** What an audit row can say has happened. Stored by name: never rename one. */
public enum AuditEvent {
  /** A name and a memory were claimed, and nobody held them. */
  LEASE_ACQUIRED,
  /** A claim took what a lapsed lease had held. */
  LEASE_TAKEN_OVER,
  /** Only where configured: renewals outnumber everything else. */
  LEASE_RENEWED,
  /** The owner gave the lease up. */
  LEASE_RELEASED,
  /** The lease lapsed and nobody had claimed since; written by the reaper, once. */
  LEASE_LAPSED,
  /** An administrator ended the lease and raised the token. */
  LEASE_REVOKED,
  MEMORY_REGISTERED,
  MEMORY_BRANCHED,
  MEMORY_COMMITTED
}

package com.memoryendpoints.gateway.audit;

import java.util.Locale;

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
  MEMORY_COMMITTED,
  POOL_CREATED,
  POOL_CHANGED,
  POOL_DELETED,
  // What was done to identifiers of one pool by one statement for one principal is one event, with
  // the pool's hash and the highest token. Each one's own last hold stands in its row, what was
  // consumed in the ledger: an event each would cost as much again.
  IDENTIFIERS_LOADED,
  IDENTIFIERS_CLAIMED,
  /** Only where configured, as LEASE_RENEWED. */
  HOLDS_RENEWED,
  HOLDS_RELEASED,
  /** Holds lapsed and were taken back, by the reaper or by a claim that found nothing else. */
  HOLDS_RECLAIMED,
  IDENTIFIERS_CONSUMED,
  /** Some of those reclaimed had lapsed as often as their pool allows. */
  IDENTIFIERS_DEAD,
  IDENTIFIERS_REDRIVEN,
  // What an operator did by a subcommand: without hashes, so of key 0.
  TENANT_CREATED,
  TENANT_SUSPENDED,
  TENANT_RESUMED,
  /** A quota or a limit of the tenant. */
  TENANT_TERMS_CHANGED,
  TOKEN_ISSUED,
  TOKEN_REVOKED;

  /** How an event came to be; refusals have no effect, and are no events. */
  public enum Outcome {
    /** Somebody asked for it, and it was done. */
    DONE,
    /** Nobody asked: what was held passed its end. */
    LAPSED;

    /** As the API spells it. */
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** How an event of a type came to be; one that this version does not know was done. */
  public static Outcome outcomeOf(String type) {
    boolean lapsed =
        type.equals(LEASE_LAPSED.name())
            || type.equals(HOLDS_RECLAIMED.name())
            || type.equals(IDENTIFIERS_DEAD.name());
    return lapsed ? Outcome.LAPSED : Outcome.DONE;
  }
}

package com.memoryendpoints.gateway.tenant;

import java.util.Locale;

/** What can be agreed with a single tenant. */
public enum Term {
  /** How many live leases it may have. */
  LEASES,
  /** How many memories. */
  MEMORIES,
  /** How many pools. */
  POOLS,
  /** How many identifiers all its pools may hold, in whatever state. */
  IDENTIFIERS,
  /** What each of its principals may ask for in a second; 0 is no limit. */
  REQUESTS_PER_SECOND,
  /** How much of that may come at once; 0 is as much as a second allows. */
  BURST,
  /** What all its principals together may ask for in a second; 0 is no limit. */
  TENANT_REQUESTS_PER_SECOND,
  /** How much of that may come at once; 0 is as much as a second allows. */
  TENANT_BURST;

  /** As people and answers spell it: lower case with hyphens. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}

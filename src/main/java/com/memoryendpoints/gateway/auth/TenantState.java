package com.memoryendpoints.gateway.auth;

import com.memoryendpoints.gateway.tenant.Terms;

/**
 * What the database says of a tenant.
 *
 * @param verdict {@link #GOOD}, or why none of its tokens is
 * @param terms what was agreed with it
 * @param nowMs the database's time then, in milliseconds since 1970
 */
record TenantState(String verdict, Terms terms, long nowMs) {
  static final String GOOD = "good";
}

/**
 * From a bearer token to who calls (RFC 6750).
 *
 * <p>{@link com.memoryendpoints.gateway.auth.Tokens} knows tokens by their SHA-256 only and turns
 * one into a {@link com.memoryendpoints.gateway.auth.Grant}: the tenant and principal it speaks for
 * and the scopes it may use. {@link com.memoryendpoints.gateway.auth.IssuedTokens} asks the
 * database about those that the configuration does not name, and believes it for half a minute;
 * {@link com.memoryendpoints.gateway.auth.Register} is where subcommands issue and revoke them. A
 * JWT of a {@link com.memoryendpoints.gateway.auth.Provider} is checked beside the event loops.
 *
 * <p>A caller is known before anything else of its request is read, so that nobody learns about a
 * request's other faults without a token, nor about another tenant at all.
 */
@NullMarked
package com.memoryendpoints.gateway.auth;

import org.jspecify.annotations.NullMarked;

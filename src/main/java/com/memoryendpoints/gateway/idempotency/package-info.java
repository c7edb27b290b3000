/**
 * What makes two requests the same request (draft-ietf-httpapi-idempotency-key-header-07).
 *
 * <p>A key is one UUIDv7 of the caller's making; its own timestamp bounds how long it can be used.
 * Scope: tenant, operation, key. The fingerprint is of the parsed request, so that member order and
 * white space do not matter. Record and effect commit together (store.md, must 8): this package
 * knows no table, the statements write the records.
 */
@NullMarked
package com.memoryendpoints.gateway.idempotency;

import org.jspecify.annotations.NullMarked;

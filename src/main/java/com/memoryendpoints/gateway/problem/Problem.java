package com.memoryendpoints.gateway.problem;

import io.vertx.core.Future;
import java.util.Locale;

/** Every way the gateway can refuse. When several apply, the first is returned. */
public enum Problem {
  // The HTTP itself; the connection is closed after these.
  MALFORMED_REQUEST(400, "The HTTP request is not well-formed.", "Send one well-formed request."),
  REQUEST_TIMEOUT(408, "The request did not arrive in time.", "Send it whole, and again."),
  URI_TOO_LONG(414, "The request target is too long.", "Shorten the path or the query."),
  HEADER_FIELDS_TOO_LARGE(
      431, "The header fields are too many or too long.", "Send fewer or shorter header fields."),
  NOT_IMPLEMENTED(
      501, "The transfer coding is not supported.", "Send Content-Length, or chunked alone."),

  NO_SUCH_ROUTE(404, "There is nothing at this path.", "See /openapi.json for what there is."),
  METHOD_NOT_ALLOWED(405, "The path does not take this method.", "Use a method named in Allow."),
  UNAUTHENTICATED(
      401, "A valid bearer token is required.", "Send Authorization: Bearer with a valid token."),
  // Stands once, for the address (before the token) and for tenant and principal (after it).
  RATE_LIMITED(
      429, "Too many requests.", "Keep what you hold, wait for Retry-After, then send it again."),
  INSUFFICIENT_SCOPE(
      403, "The token lacks the scope for this call.", "Use a token that has the named scope."),
  IDEMPOTENCY_KEY_MISSING(
      400, "The call needs an Idempotency-Key.", "Send a fresh UUIDv7; keep it for retries."),
  IDEMPOTENCY_KEY_INVALID(
      400,
      "The Idempotency-Key cannot be used.",
      "Send exactly one UUIDv7 whose time lies within 24 hours of now."),
  BODY_TOO_LARGE(413, "The body is too large.", "Send less, or split the batch."),
  UNSUPPORTED_MEDIA_TYPE(
      415, "The body is of a type that is not read here.", "Send a media type named in Accept."),
  MALFORMED_BODY(
      400, "The body is not one well-formed JSON object.", "Send one strict JSON object in UTF-8."),
  INVALID_REQUEST(422, "The request breaks a documented rule.", "Correct what errors points at."),
  INVALID_NAME(
      422, "The display name cannot be an agent name.", "Choose a name that the reason allows."),
  IDEMPOTENCY_KEY_REUSED(
      422,
      "This key was first used with a different request.",
      "Mint a fresh key for a different request."),
  REQUEST_IN_PROGRESS(
      409, "A request with this key is being served.", "Wait for Retry-After, then ask again."),

  MEMORY_NOT_FOUND(
      404, "There is no such memory.", "Register the memory first, or correct its id."),
  LEASE_NOT_FOUND(404, "There is no such lease.", "Claim the name and the memory together."),
  POOL_NOT_FOUND(404, "There is no such pool.", "Create the pool first, or correct its name."),
  IDENTIFIER_NOT_FOUND(404, "There is no such identifier.", "Load it first, or correct its id."),
  MEMORY_ID_TAKEN(409, "The memory id is taken.", "Mint a fresh UUIDv7 for the memory."),
  POOL_NOT_EMPTY(
      409, "The pool still holds identifiers.", "Drain it first, or delete with drain=true."),
  MEMORY_HELD(423, "Another claim holds the memory.", "Wait for held_until, then claim again."),
  NAME_HELD(423, "Another claim holds the name.", "Wait for held_until, or take another name."),
  STALE_FENCING_TOKEN(
      409,
      "The fencing token is not the one issued last.",
      "Stop working as the owner; claim again to go on."),
  OWNER_MISMATCH(
      409,
      "The lease belongs to another owner.",
      "Use the principal and owner_client_id that claimed it."),
  LEASE_LAPSED(410, "The lease has lapsed.", "Stop working as the owner; claim again to go on."),
  LEASE_RELEASED(410, "The lease was released.", "Claim again to go on."),
  HOLD_LAPSED(410, "The hold has lapsed.", "Stop working on the identifier; claim another."),
  IDENTIFIER_CONSUMED(409, "The identifier is consumed.", "Nothing is left to do with it."),
  REVISION_CONFLICT(
      409, "The head is at another revision.", "Read the head, then commit on top of it."),
  POOL_EXHAUSTED(409, "No identifier is free.", "Wait for Retry-After, or load more."),
  QUOTA_EXCEEDED(429, "The tenant's quota is used up.", "Release or delete some, or ask for more."),

  OVERLOADED(
      503,
      "More requests wait than can be served.",
      "Keep what you hold, wait for Retry-After, then retry."),
  BUSY(
      503,
      "Somebody else holds the row for now.",
      "Keep what you hold, wait for Retry-After, then retry."),
  UNAVAILABLE(
      503,
      "The system of record cannot be used.",
      "Keep what you hold, wait for Retry-After, then retry."),
  OUTCOME_UNKNOWN(
      503,
      "The request may or may not have taken effect.",
      "Keep what you hold; send it again with the same key, or without one read the state first."),
  INTERNAL(500, "The gateway met a defect.", "Report the instance; retrying may not help.");

  private final int status;
  private final String title;
  private final String advice;

  Problem(int status, String title, String advice) {
    this.status = status;
    this.title = title;
    this.advice = advice;
  }

  /** The HTTP status, 400 to 599. */
  public int status() {
    return status;
  }

  /** What is wrong, in one public sentence that never changes. */
  public String title() {
    return title;
  }

  /** What to do next, in one public sentence: the default of {@code detail}. */
  public String advice() {
    return advice;
  }

  /** The code on the wire: upper snake case. */
  public String code() {
    return name();
  }

  /** The last segment of the problem's type: lower case with hyphens. */
  public String slug() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * One occurrence of this problem.
   *
   * @param internalReason for the log only; never a caller's value
   */
  public Refusal because(String internalReason) {
    return new Refusal(this, internalReason);
  }

  /** {@link #because} as a failed future, for the end of a chain. */
  public <T> Future<T> refuse(String internalReason) {
    return Future.failedFuture(because(internalReason));
  }
}

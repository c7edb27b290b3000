package com.memoryendpoints.gateway.idempotency;

/** The operations that honour a key; each is a key space of its own within a tenant. */
public enum Operation {
  CLAIM(1),
  BRANCH(2),
  REGISTER(3),
  COMMIT(4),
  /** Its space is one pool; recorded in {@code pool_claims}. */
  POOL_CLAIM(5);

  private final short code;

  Operation(int code) {
    this.code = (short) code;
  }

  /** The operation's number in {@code idempotency_records}; never reused. */
  public short code() {
    return code;
  }
}

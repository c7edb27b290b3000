package com.memoryendpoints.gateway.idempotency;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The hash of a parsed request: equal for two requests exactly when they ask for the same. */
public final class Fingerprint {
  private final byte[] sha256;

  private Fingerprint(byte[] sha256) {
    this.sha256 = sha256;
  }

  /**
   * Hashes the operation and every value that decides what is asked for, defaults filled in.
   *
   * @param values String, Number, UUID or null, in a fixed order
   */
  public static Fingerprint of(Operation operation, @Nullable Object... values) {
    MessageDigest digest = sha256();
    digest.update((byte) operation.code());
    for (Object value : values) {
      byte[] bytes =
          value == null ? new byte[0] : value.toString().getBytes(StandardCharsets.UTF_8);
      // Presence and length first, so that no two value lists read the same.
      int mark = value == null ? -1 : bytes.length;
      digest.update((byte) (mark >>> 24));
      digest.update((byte) (mark >>> 16));
      digest.update((byte) (mark >>> 8));
      digest.update((byte) mark);
      digest.update(bytes);
    }
    return new Fingerprint(digest.digest());
  }

  /** The 32 bytes; not to be changed. */
  public byte[] bytes() {
    return sha256;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Fingerprint that && Arrays.equals(sha256, that.sha256);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(sha256);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}

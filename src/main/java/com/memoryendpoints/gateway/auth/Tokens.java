package com.memoryendpoints.gateway.auth;

import static com.memoryendpoints.gateway.problem.Problem.UNAUTHENTICATED;

import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.tenant.Caller;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tokens that may call, by the SHA-256 of each. Immutable, so every event loop can share it.
 *
 * <p>A token is any string that a header can carry; its digest is of the very bytes that came. A
 * look-up by digest tells nothing about a token that is nearly right.
 */
public final class Tokens {
  private static final String SCHEME = "bearer";

  private final Map<ByteBuffer, Grant> bySha256 = new HashMap<>();

  /** Knows these tokens and no others. */
  public Tokens(List<Config.Token> tokens) {
    for (Config.Token token : tokens) {
      byte[] sha256 = HexFormat.of().parseHex(token.sha256());
      Caller caller = new Caller(token.tenantId(), token.principal());
      bySha256.put(ByteBuffer.wrap(sha256), new Grant(caller, token.scopes()));
    }
  }

  /**
   * The grant of the token in an {@code Authorization} field.
   *
   * @param authorization the field's value, one character a byte; null when there is none
   * @throws com.memoryendpoints.gateway.problem.Refusal UNAUTHENTICATED; with {@code error} when
   *     there was a bearer token and it is not known (RFC 6750 section 3.1)
   */
  public Grant grant(@Nullable String authorization) {
    if (authorization == null || !bearer(authorization)) {
      throw UNAUTHENTICATED.because("no bearer token");
    }
    String token = authorization.substring(SCHEME.length()).strip();
    Grant grant = bySha256.get(ByteBuffer.wrap(sha256(token)));
    if (grant == null) {
      throw UNAUTHENTICATED.because("unknown token").with("error", "invalid_token");
    }
    return grant;
  }

  private static boolean bearer(String authorization) {
    int length = SCHEME.length();
    return authorization.regionMatches(true, 0, SCHEME, 0, length)
        && (authorization.length() == length || authorization.charAt(length) == ' ');
  }

  private static byte[] sha256(String token) {
    try {
      byte[] bytes = token.getBytes(StandardCharsets.ISO_8859_1);
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}

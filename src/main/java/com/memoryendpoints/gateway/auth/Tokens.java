package com.memoryendpoints.gateway.auth;

import static com.memoryendpoints.gateway.problem.Problem.UNAUTHENTICATED;

import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.tenant.Caller;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tokens that may call, by the SHA-256 of each: those of the configuration, which need no
 * database, those that were issued, and those of an identity provider. Which of these a token can
 * be is told by its form.
 *
 * <p>A token of the configuration is any string that a header can carry; its digest is of the very
 * bytes that came. A look-up by digest tells nothing about a token that is nearly right.
 */
public final class Tokens {
  private static final String SCHEME = "bearer";

  private final Map<ByteBuffer, Grant> configured;
  private final @Nullable IssuedTokens issued;
  private final @Nullable Jwts jwts;

  private Tokens(
      Map<ByteBuffer, Grant> configured, @Nullable IssuedTokens issued, @Nullable Jwts jwts) {
    this.configured = configured;
    this.issued = issued;
    this.jwts = jwts;
  }

  /** Knows these tokens and no others. Immutable, so every event loop can share it. */
  public static Tokens of(List<Config.Token> tokens) {
    Map<ByteBuffer, Grant> bySha256 = new HashMap<>();
    for (Config.Token token : tokens) {
      byte[] sha256 = HexFormat.of().parseHex(token.sha256());
      Caller caller = new Caller(token.tenantId(), token.principal());
      bySha256.put(ByteBuffer.wrap(sha256), new Grant(caller, token.scopes()));
    }
    return new Tokens(bySha256, null, null);
  }

  /** Knows the issued ones too; for the event loop of these. */
  public Tokens and(IssuedTokens tokens) {
    return new Tokens(configured, tokens, jwts);
  }

  /** Knows those of an identity provider too; for the event loop of these. */
  public Tokens and(Jwts tokens) {
    return new Tokens(configured, issued, tokens);
  }

  /**
   * The grant of the token in an {@code Authorization} field; complete already unless it has to be
   * looked up.
   *
   * @param authorization the field's value, one character a byte; null when there is none
   * @return or UNAUTHENTICATED, with {@code error} when there was a bearer token and it is not good
   *     (RFC 6750 section 3.1); or what kept it from being looked up
   */
  public Future<Grant> grant(@Nullable String authorization) {
    if (authorization == null || !bearer(authorization)) {
      return UNAUTHENTICATED.refuse("no bearer token");
    }
    String token = authorization.substring(SCHEME.length()).strip();
    ByteBuffer sha256 = ByteBuffer.wrap(BearerToken.sha256(token));
    Grant grant = configured.get(sha256);
    if (grant != null) {
      return Future.succeededFuture(grant);
    }
    if (jwts != null && Jwts.isLike(token)) {
      return jwts.grant(sha256, token);
    }
    return issued != null && BearerToken.isWellFormed(token)
        ? issued.grant(sha256)
        : Future.failedFuture(Found.invalid("unknown"));
  }

  private static boolean bearer(String authorization) {
    int length = SCHEME.length();
    return authorization.regionMatches(true, 0, SCHEME, 0, length)
        && (authorization.length() == length || authorization.charAt(length) == ' ');
  }
}

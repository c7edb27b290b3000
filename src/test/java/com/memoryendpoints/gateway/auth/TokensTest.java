package com.memoryendpoints.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import com.memoryendpoints.gateway.tenant.Caller;
import com.memoryendpoints.gateway.tenant.Scope;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 6750, sections 2.1 and 3. */
class TokensTest {
  private static final UUID TENANT = new UUID(7, 7);

  @ParameterizedTest
  @ValueSource(strings = {"t", "a b\tc", "{\"json\":\"=;,\"}", "Bearer Bearer", "żółć", "\u00ff"})
  void anyTokenThatAHeaderCanCarryIsKnownByItsDigest(String token) throws Exception {
    Tokens tokens = Tokens.of(List.of(entry(token)));
    byte[] onTheWire = token.getBytes(StandardCharsets.UTF_8);
    String field = "Bearer " + new String(onTheWire, StandardCharsets.ISO_8859_1);
    assertThat(tokens.grant(field).result())
        .isEqualTo(new Grant(new Caller(TENANT, "agent"), Set.of(Scope.LEASES)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"bearer t", "BEARER t", "Bearer    t", "BeArEr t "})
  void theSchemeIsReadInAnyCase(String field) throws Exception {
    assertThat(Tokens.of(List.of(entry("t"))).grant(field).result().caller().tenantId())
        .isEqualTo(TENANT);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "Basic dDp0", "Bearerless t", "t", "Bear t"})
  void whoShowsNoBearerTokenIsToldNoErrorCode(String field) throws Exception {
    Refusal refusal = refused(field);
    assertThat(refusal.problem()).isEqualTo(Problem.UNAUTHENTICATED);
    assertThat(refusal.members()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Bearer T", "Bearer ", "Bearer", "Bearer t t", "Bearer tt"})
  void whoShowsAnotherTokenIsToldThatItIsInvalid(String field) throws Exception {
    Refusal refusal = refused(field);
    assertThat(refusal.problem()).isEqualTo(Problem.UNAUTHENTICATED);
    assertThat(refusal.members()).containsEntry("error", "invalid_token");
  }

  @Test
  void aScopeThatTheTokenLacksIsNamed() throws Exception {
    Grant grant = Tokens.of(List.of(entry("t"))).grant("Bearer t").result();
    grant.require(Scope.LEASES);
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> grant.require(Scope.ADMIN));
    assertThat(refusal.problem()).isEqualTo(Problem.INSUFFICIENT_SCOPE);
    assertThat(refusal.members())
        .containsEntry("error", "insufficient_scope")
        .containsEntry("scope", "admin");
  }

  private static Refusal refused(String field) throws Exception {
    Tokens tokens = Tokens.of(List.of(entry("t")));
    Throwable refusal = tokens.grant(field).cause();
    assertThat(refusal).isInstanceOf(Refusal.class);
    return (Refusal) refusal;
  }

  private static Config.Token entry(String token) throws Exception {
    byte[] utf8 = token.getBytes(StandardCharsets.UTF_8);
    byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(utf8);
    return new Config.Token(
        HexFormat.of().formatHex(sha256), TENANT, "agent", Set.of(Scope.LEASES));
  }
}

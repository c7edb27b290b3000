package com.memoryendpoints.gateway.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotencyKeyTest {
  private static final String KEY = "019a2f4e-8a00-7b11-8c22-d3e4f5061728";

  @Test
  void aKeyIsBareOrQuotedAndTheSameInEitherCase() {
    UUID key = UUID.fromString(KEY);
    assertThat(IdempotencyKey.parse(KEY).value()).isEqualTo(key);
    assertThat(IdempotencyKey.parse('"' + KEY + '"').value()).isEqualTo(key);
    assertThat(IdempotencyKey.parse("019A2F4E-8A00-7B11-8C22-D3E4F5061728").value()).isEqualTo(key);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\"\"",
        "x",
        "019a2f4e8a007b118c22d3e4f5061728",
        "+19a2f4e-8a00-7b11-8c22-d3e4f5061728",
        "19a2f4e-08a00-7b11-8c22-d3e4f5061728",
        "\"019a2f4e-8a00-7b11-8c22-d3e4f5061728",
        "'019a2f4e-8a00-7b11-8c22-d3e4f5061728'",
        "019a2f4e-8a00-7b11-8c22-d3e4f5061728;q=1",
        "019a2f4e-8a00-7b11-8c22-d3e4f5061728, 019a2f4e-8a00-7b11-8c22-d3e4f5061728",
        "019a2f4e-8a00-4b11-8c22-d3e4f5061728",
        "019a2f4e-8a00-7b11-cc22-d3e4f5061728"
      })
  void whatIsNotOneUuidOfVersionSevenIsNoKey(String text) {
    assertInvalid(() -> IdempotencyKey.parse(text));
  }

  @Test
  void aKeyIsUsableForADayEitherWayOfItsOwnTime() {
    IdempotencyKey key = IdempotencyKey.parse(KEY);
    long madeAtMs = key.madeAtMs();
    key.requireWithinWindow(madeAtMs + IdempotencyKey.WINDOW_MS);
    key.requireWithinWindow(madeAtMs - IdempotencyKey.WINDOW_MS);
    assertInvalid(() -> key.requireWithinWindow(madeAtMs + IdempotencyKey.WINDOW_MS + 1));
    assertInvalid(() -> key.requireWithinWindow(madeAtMs - IdempotencyKey.WINDOW_MS - 1));
  }

  private static void assertInvalid(ThrowingCallable use) {
    assertThatThrownBy(use)
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> assertThat(refusal.problem()).isEqualTo(Problem.IDEMPOTENCY_KEY_INVALID));
  }
}

package com.memoryendpoints.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The form of issued tokens. */
class BearerTokenTest {
  @Test
  void everyTokenThatIsMintedIsWellFormedAndAnother() {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      String token = BearerToken.mint();
      assertThat(token).matches("lgw_[A-Za-z0-9_-]{49}");
      assertThat(BearerToken.isWellFormed(token)).isTrue();
      seen.add(token);
    }
    assertThat(seen).hasSize(1_000);
  }

  /** A CRC-32 finds every burst of up to 32 bits, so every single character. */
  @Test
  void noTokenWithOneOtherCharacterIsWellFormed() {
    String token = BearerToken.mint();
    for (int i = 0; i < token.length(); i++) {
      char other = token.charAt(i) == 'x' ? 'y' : 'x';
      String wrong = token.substring(0, i) + other + token.substring(i + 1);
      assertThat(BearerToken.isWellFormed(wrong)).as(wrong).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "lgw_",
        "lgw_dev_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "LGW_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "lgw_\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff"
      })
  void whatIsOfAnotherFormIsNotWellFormed(String text) {
    assertThat(BearerToken.isWellFormed(text)).isFalse();
  }

  @Test
  void nothingMayStandBeforeOrBehindAToken() {
    String token = BearerToken.mint();
    assertThat(BearerToken.isWellFormed(" " + token)).isFalse();
    assertThat(BearerToken.isWellFormed(token + "\n")).isFalse();
    assertThat(BearerToken.isWellFormed(token + token)).isFalse();
  }
}

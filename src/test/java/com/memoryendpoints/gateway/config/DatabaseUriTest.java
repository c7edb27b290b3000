package com.memoryendpoints.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The form of {@code database.uri}. */
class DatabaseUriTest {

  @Test
  void theUriIsReadPartByPart() {
    assertThat(DatabaseUri.parse("postgresql://u:p@db_1.example:6000/leases"))
        .isEqualTo(new DatabaseUri("db_1.example", 6000, "leases", "u", "p"));
    assertThat(DatabaseUri.parse("postgresql://us%40er:p%2Fa%3As+s%20%C3%BC@[::1]:1/d%2Fb"))
        .isEqualTo(new DatabaseUri("::1", 1, "d/b", "us@er", "p/a:s+s \u00fc"));
    assertThat(DatabaseUri.parse("postgresql://u@h/d"))
        .isEqualTo(new DatabaseUri("h", 5432, "d", "u", null));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "h:5432/d",
        "postgresql://h:5432/d",
        "postgresql://u:secret@h:0/d",
        "postgresql://u:secret@h:65536/d",
        "postgresql://u:sec@ret@h:1/d",
        "postgresql://u:secret@h:1",
        "postgresql://u:secret@h:1/d?sslmode=require",
        "postgresql://u:secret%@h:1/d",
        "postgresql://u:secret%FF@h:1/d",
        "postgresql://u:secret@::1:1/d",
        "jdbc:postgresql://u:secret@h:1/d",
      })
  void aUriOfAnotherFormIsRefusedWithoutRepeatingIt(String text) {
    assertThatThrownBy(() -> DatabaseUri.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .doesNotContain("secret", "sec@ret");
  }

  @Test
  void aPasswordIsNeverPrinted() {
    assertThat(DatabaseUri.parse("postgresql://u:hunter2@h:1/d"))
        .hasToString("postgresql://u@h:1/d");
  }
}

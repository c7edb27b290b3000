package com.memoryendpoints.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The house rules, held by a test. */
class TidyTest {
  @Test
  void everyPackageIsNullMarked() {
    assertThat(Main.class.getPackage().getAnnotations()).isNotEmpty();
  }
}

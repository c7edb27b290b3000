package com.memoryendpoints.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses that begin alike. */
class SubnetTest {
  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.255.0.1, 11.0.0.1",
    "10.1.2.3, 10.1.2.3, 10.1.2.2",
    "10.0.0.0/8, ::ffff:10.0.0.1, ::fffe:a00:1",
    "0.0.0.0/0, 203.0.113.9, ::1",
    "::/0, 203.0.113.9,",
    "2001:db8::/33, 2001:db8:7fff::1, 2001:db8:8000::1",
    "fd00::/64, fd00::ffff:0:0:1, fd00:0:0:1::",
    "fd00::8/125, fd00::f, fd00::10",
  })
  void aSubnetContainsWhatBeginsAsItDoes(String subnet, String inside, String outside) {
    assertThat(Subnet.parse(subnet).contains(Subnet.address(inside))).isTrue();
    if (outside != null) {
      assertThat(Subnet.parse(subnet).contains(Subnet.address(outside))).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "localhost", "10.0.0", "10.0.0.0/33", "10.0.0.1/8", "::/129", "fd00::1/64"})
  void whatIsNoSubnetIsRefused(String text) {
    assertThatThrownBy(() -> Subnet.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }
}

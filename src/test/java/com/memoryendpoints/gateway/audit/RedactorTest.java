package com.memoryendpoints.gateway.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.util.HexFormat;
import java.util.UUID;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/**
 * What the audit trail gives away. The expected values were computed with OpenSSL 3: {@code printf
 * 'name\0myagent' | openssl dgst -sha256 -mac HMAC -macopt hexkey:<tenant key>} and so on.
 */
class RedactorTest {
  private static final SecretKey MASTER =
      new SecretKeySpec(
          HexFormat.of()
              .parseHex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"),
          "HmacSHA256");
  private static final UUID TENANT = UUID.fromString("0190a5b4-c3d2-7e8f-9a0b-1c2d3e4f5a6b");
  private static final UUID OTHER_TENANT = UUID.fromString("0190a5b4-c3d2-7e8f-9a0b-1c2d3e4f5a6c");
  private static final UUID MEMORY = UUID.fromString("0190a5b4-c3d2-7000-8000-00000000002a");

  private final Redactor redactor = new Redactor(MASTER);

  @Test
  void aNameIsAnHmacUnderTheTenantsKey() {
    assertThat(hex(redactor.name(TENANT, "myagent")))
        .isEqualTo("6add20e1e29eafa18d3e5007a17eb60b996b64552c7aa50537ea3a3c52792ff6");
  }

  @Test
  void aMemoryIsAnHmacUnderTheTenantsKey() {
    assertThat(hex(redactor.memory(TENANT, MEMORY)))
        .isEqualTo("b5fc53afc11364788d10e06e9224343ab19acfba0fc25c53e8e5c9b1cc5721d0");
  }

  @Test
  void theKeyIdIsDerivedFromTheMasterKey() {
    assertThat(redactor.keyId()).isEqualTo(0x5469600a);
  }

  @Test
  void equalNamesOfOneTenantAreEqualAndOfTwoTenantsAreNot() {
    assertThat(redactor.name(TENANT, "a")).isEqualTo(new Redactor(MASTER).name(TENANT, "a"));
    assertThat(redactor.name(TENANT, "a")).isNotEqualTo(redactor.name(OTHER_TENANT, "a"));
    assertThat(redactor.memory(TENANT, MEMORY)).isNotEqualTo(redactor.memory(OTHER_TENANT, MEMORY));
  }

  @Test
  void aNameAndAMemoryOfTheSameBytesAreApart() {
    UUID ascii = UUID.fromString("61616161-6161-6161-6161-616161616161");
    assertThat(redactor.memory(TENANT, ascii)).isNotEqualTo(redactor.name(TENANT, "a".repeat(16)));
  }

  @Test
  void moreTenantsThanAreKeptChangeNoValue() {
    Buffer before = redactor.name(TENANT, "a");
    for (int i = 0; i <= Redactor.TENANTS_MAX; i++) {
      redactor.name(new UUID(7, i), "a");
    }
    assertThat(redactor.name(TENANT, "a")).isEqualTo(before);
  }

  private static String hex(Buffer value) {
    return HexFormat.of().formatHex(value.getBytes());
  }
}

package com.memoryendpoints.gateway.audit;

import com.memoryendpoints.gateway.config.Limits;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * Names and memory ids as the audit trail may hold them: HMAC-SHA-256 under the tenant's own key.
 *
 * <pre>
 * tenant key = HMAC(master, "lease-gateway audit tenant key 1" || tenant id, 16 bytes)
 * name       = HMAC(tenant key, "name"   || 0 || canonical name, UTF-8)
 * memory     = HMAC(tenant key, "memory" || 0 || memory id, 16 bytes)
 * key id     = HMAC(master, "lease-gateway audit key id 1"), first 31 bits
 * </pre>
 *
 * <p>Confined to one event loop; a value costs about 1 us, a tenant's first a few more.
 */
public final class Redactor {
  /** Tenants whose key is at hand; the one used longest ago makes room. */
  static final int TENANTS_MAX = 1_024;

  private static final String ALGORITHM = "HmacSHA256";
  private static final byte[] TENANT_KEY = ascii("lease-gateway audit tenant key 1");
  private static final byte[] KEY_ID = ascii("lease-gateway audit key id 1");
  private static final byte[] NAME = ascii("name\0");
  private static final byte[] MEMORY = ascii("memory\0");

  private final Mac master;
  private final int keyId;
  private final Map<UUID, Mac> tenants = leastRecentlyUsed();

  /**
   * A redactor for one event loop.
   *
   * @param master {@code audit.key}: {@link Limits#AUDIT_KEY_BYTES} secret bytes, never stored
   *     beside what they redact
   */
  public Redactor(SecretKey master) {
    this.master = macUnder(master);
    this.keyId = ByteBuffer.wrap(this.master.doFinal(KEY_ID)).getInt() & Integer.MAX_VALUE;
  }

  /** Which master key these values were made under, so that a changed key shows; 0 to 2^31-1. */
  public int keyId() {
    return keyId;
  }

  /** The 32 bytes that stand for a canonical name of the tenant. */
  public Buffer name(UUID tenantId, String canonicalName) {
    Mac mac = tenant(tenantId);
    mac.update(NAME);
    return Buffer.buffer(mac.doFinal(canonicalName.getBytes(StandardCharsets.UTF_8)));
  }

  /** The 32 bytes that stand for a memory of the tenant. */
  public Buffer memory(UUID tenantId, UUID memoryId) {
    Mac mac = tenant(tenantId);
    mac.update(MEMORY);
    return Buffer.buffer(mac.doFinal(bytes(memoryId)));
  }

  private Mac tenant(UUID tenantId) {
    Mac mac = tenants.get(tenantId);
    if (mac == null) {
      master.update(TENANT_KEY);
      mac = macUnder(new SecretKeySpec(master.doFinal(bytes(tenantId)), ALGORITHM));
      tenants.put(tenantId, mac);
    }
    return mac;
  }

  private static Mac macUnder(Key key) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  private static Map<UUID, Mac> leastRecentlyUsed() {
    return new LinkedHashMap<>(16, 0.75f, true) {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<UUID, Mac> eldest) {
        return size() > TENANTS_MAX;
      }
    };
  }

  private static byte[] bytes(UUID id) {
    return ByteBuffer.allocate(16)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}

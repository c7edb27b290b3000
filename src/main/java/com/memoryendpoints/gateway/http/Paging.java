package com.memoryendpoints.gateway.http;

import com.memoryendpoints.gateway.audit.AuditPosition;
import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.pool.PoolName;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which page of a list. The cursor is the last memory id of the page before, made opaque so that
 * nobody builds one.
 *
 * @param after the memory id after which the page starts; null for the first page
 * @param limit 1 to {@link Limits#LIST_LIMIT_MAX} items
 */
record Paging(@Nullable UUID after, int limit) {
  static final Member<Long> LIMIT =
      Member.optional("limit", new Form.Whole(1, Limits.LIST_LIMIT_MAX));
  static final Member<UUID> CURSOR = Member.optional("cursor", new Form.Cursor());

  private static final int BYTES = 16;

  static final Member<PoolName> POOL_CURSOR = Member.optional("cursor", new Form.PoolCursor());
  static final Member<AuditPosition> AUDIT_CURSOR =
      Member.optional("cursor", new Form.AuditCursor());

  private static final int AUDIT_BYTES = 24;

  /** The page that a valid query asks for. */
  static Paging of(Fields query) {
    return new Paging(query.find(CURSOR), limit(query));
  }

  /** How long a page a valid query asks for. */
  static int limit(Fields query) {
    Long limit = query.find(LIMIT);
    return limit == null ? Limits.LIST_LIMIT_DEFAULT : limit.intValue();
  }

  /** The cursor of the page after this pool. */
  static String cursor(PoolName last) {
    byte[] bytes = last.text().getBytes(StandardCharsets.US_ASCII);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** The pool in a cursor, or null when it is none of ours. */
  static @Nullable PoolName afterPool(String cursor) {
    try {
      String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.ISO_8859_1);
      return PoolName.isPoolName(text) ? new PoolName(text) : null;
    } catch (IllegalArgumentException notBase64) {
      return null;
    }
  }

  /** The cursor of the stretch of the audit trail behind this. */
  static String cursor(AuditPosition last) {
    ByteBuffer bytes = ByteBuffer.allocate(AUDIT_BYTES).putLong(last.position());
    UUID event = last.eventId();
    bytes.putLong(event.getMostSignificantBits()).putLong(event.getLeastSignificantBits());
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
  }

  /** The position in a cursor, or null when it is none of ours. */
  static @Nullable AuditPosition afterEvent(String cursor) {
    try {
      ByteBuffer last = ByteBuffer.wrap(Base64.getUrlDecoder().decode(cursor));
      if (last.remaining() != AUDIT_BYTES) {
        return null;
      }
      return new AuditPosition(last.getLong(), new UUID(last.getLong(), last.getLong()));
    } catch (IllegalArgumentException notBase64OrNegative) {
      return null;
    }
  }

  /** The cursor of the page after this memory id. */
  static String cursor(UUID last) {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    bytes.putLong(last.getMostSignificantBits()).putLong(last.getLeastSignificantBits());
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
  }

  /** The memory id in a cursor, or null when it is none of ours. */
  static @Nullable UUID after(String cursor) {
    try {
      ByteBuffer id = ByteBuffer.wrap(Base64.getUrlDecoder().decode(cursor));
      return id.remaining() == BYTES ? new UUID(id.getLong(), id.getLong()) : null;
    } catch (IllegalArgumentException notBase64) {
      return null;
    }
  }
}

package com.memoryendpoints.gateway.http;

import com.memoryendpoints.gateway.config.Limits;
import java.nio.ByteBuffer;
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

  /** The page that a valid query asks for. */
  static Paging of(Fields query) {
    Long limit = query.find(LIMIT);
    return new Paging(
        query.find(CURSOR), limit == null ? Limits.LIST_LIMIT_DEFAULT : limit.intValue());
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

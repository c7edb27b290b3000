package com.memoryendpoints.gateway.legacy;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the columns of a row may hold. */
final class Values {
  /** The longest legacy id, in code points. */
  static final int LEGACY_ID_CODE_POINTS_MAX = 255;

  private static final char REPLACEMENT = '\uFFFD';
  private static final Pattern ID =
      Pattern.compile("[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}");
  private static final Pattern TIME =
      Pattern.compile(
          "(\\d{4}-\\d\\d-\\d\\d)[Tt](\\d\\d:\\d\\d:)(\\d\\d)(\\.\\d{1,6})?\\d*"
              + "([Zz]|[+-]\\d\\d:\\d\\d)");

  /** What both the database and RFC 3339 can say. */
  private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");

  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

  private Values() {}

  /** The id of the row in the system that it comes from. */
  static String legacyId(Row row, String column) throws BadLine {
    String id = row.value(column);
    int codePoints = id.codePointCount(0, id.length());
    if (codePoints < 1 || codePoints > LEGACY_ID_CODE_POINTS_MAX || !storable(id).equals(id)) {
      throw new BadLine(
          row.line(),
          column
              + " has to have 1 to "
              + LEGACY_ID_CODE_POINTS_MAX
              + " characters, none of them U+0000 or an unpaired surrogate");
    }
    return id;
  }

  static UUID tenantId(Row row) throws BadLine {
    UUID id = uuid(row.value("tenant_id"));
    if (id == null) {
      throw new BadLine(
          row.line(),
          "tenant_id is not a UUID; write 32 hexadecimal digits in groups of 8-4-4-4-12");
    }
    return id;
  }

  /** To the microsecond, which is what the database keeps. */
  static Instant createdAt(Row row) throws BadLine {
    Instant time = time(row.value("created_at"));
    if (time == null || time.isBefore(EARLIEST) || time.isAfter(LATEST)) {
      throw new BadLine(
          row.line(),
          "created_at is not a time by RFC 3339; write it like 2024-05-31T08:30:00Z or"
              + " 2024-05-31T10:30:00.25+02:00");
    }
    return time;
  }

  /** The id that a legacy id is, when it is a UUIDv7. */
  static @Nullable UUID uuidV7(String legacyId) {
    UUID id = uuid(legacyId);
    return id != null && id.version() == 7 && id.variant() == 2 ? id : null;
  }

  /** The text with U+FFFD for what the database cannot hold: U+0000 and unpaired surrogates. */
  static String storable(String text) {
    StringBuilder storable = null;
    for (int i = 0, codePoint; i < text.length(); i += Character.charCount(codePoint)) {
      codePoint = text.codePointAt(i);
      boolean unpaired =
          codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
      if (codePoint == 0 || unpaired) {
        storable = storable == null ? new StringBuilder(text) : storable;
        storable.setCharAt(i, REPLACEMENT);
      }
    }
    return storable == null ? text : storable.toString();
  }

  private static @Nullable UUID uuid(String text) {
    return ID.matcher(text).matches() ? UUID.fromString(text) : null;
  }

  private static @Nullable Instant time(String text) {
    Matcher parts = TIME.matcher(text);
    if (!parts.matches()) {
      return null;
    }
    String fraction = parts.group(4) == null ? "" : parts.group(4);
    // A leap second is the last that the calendar here knows, and one more.
    boolean leap = parts.group(3).equals("60");
    try {
      Instant time =
          OffsetDateTime.parse(
                  (parts.group(1)
                          + "T"
                          + parts.group(2)
                          + (leap ? "59" : parts.group(3))
                          + fraction
                          + parts.group(5))
                      .toUpperCase(Locale.ROOT))
              .toInstant();
      return leap ? time.plus(1, ChronoUnit.SECONDS) : time;
    } catch (DateTimeException e) {
      return null;
    }
  }
}

package com.memoryendpoints.gateway.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.memoryendpoints.gateway.audit.AuditPosition;
import com.memoryendpoints.gateway.pool.PoolName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What one value of a request may look like, with its bounds. A form takes a JSON string or a JSON
 * integer, never both; every other JSON value is of the wrong type. What reads returns the value,
 * or the {@link Fault} that it has.
 */
sealed interface Form<T> {
  /** Reads a JSON string. */
  default Object ofText(String text) {
    return Fault.WRONG_TYPE;
  }

  /** Reads a JSON array whose opening bracket is current, to its end. */
  default Object ofArray(JsonParser json) throws IOException {
    json.skipChildren();
    return Fault.WRONG_TYPE;
  }

  /** Reads a JSON integer. */
  default Object ofInteger(String digits) {
    return Fault.WRONG_TYPE;
  }

  /**
   * Text that is well-formed, without U+0000, and so many code points long.
   *
   * @param controls whether other control characters are this form's to allow
   */
  record Text(int codePointsMin, int codePointsMax, boolean controls) implements Form<String> {
    /** Any well-formed text; whoever reads it has rules of its own. */
    static final Text ANY = new Text(0, Integer.MAX_VALUE, true);

    @Override
    public Object ofText(String text) {
      int codePoints = 0;
      for (int i = 0; i < text.length(); i++, codePoints++) {
        char c = text.charAt(i);
        if (Character.isSurrogate(c)) {
          if (!Character.isSurrogatePair(c, i + 1 < text.length() ? text.charAt(i + 1) : 0)) {
            return Fault.ILL_FORMED_TEXT;
          }
          i++;
        } else if (c == 0) {
          return Fault.ILL_FORMED_TEXT;
        } else if (!controls && Character.isISOControl(c)) {
          return Fault.CONTROL_CHARACTER;
        }
      }
      if (codePoints < codePointsMin || codePoints > codePointsMax) {
        return Fault.OUT_OF_RANGE;
      }
      return text;
    }
  }

  /** An integer, exactly; {@code 30.0}, {@code 1e2} and {@code "30"} are none. */
  record Whole(long min, long max) implements Form<Long> {
    private static final int DIGITS_MAX = 19;

    @Override
    public Object ofInteger(String digits) {
      try {
        long value = digits.length() > DIGITS_MAX + 1 ? Long.MIN_VALUE : Long.parseLong(digits);
        if (value >= min && value <= max) {
          return value;
        }
      } catch (NumberFormatException tooLong) {
        // Out of every range, as below.
      }
      return Fault.OUT_OF_RANGE;
    }
  }

  /**
   * A UUID in the form of 36 characters (RFC 9562 section 4), in either case.
   *
   * @param version7 whether it must be version 7, variant 2
   */
  record Id(boolean version7) implements Form<UUID> {
    @Override
    public Object ofText(String text) {
      UUID id = uuid(text);
      if (id == null || (version7 && (id.version() != 7 || id.variant() != 2))) {
        return Fault.BAD_FORMAT;
      }
      return id;
    }

    private static @Nullable UUID uuid(String text) {
      try {
        UUID id = UUID.fromString(text);
        // UUID.fromString also takes signs, and groups of other lengths.
        return id.toString().equalsIgnoreCase(text) ? id : null;
      } catch (IllegalArgumentException none) {
        return null;
      }
    }
  }

  /** Text of one pattern. */
  record Match(Predicate<String> pattern) implements Form<String> {
    Match(String regex) {
      this(Pattern.compile(regex).asMatchPredicate());
    }

    @Override
    public Object ofText(String text) {
      return pattern.test(text) ? text : Fault.BAD_FORMAT;
    }
  }

  /** The cursor of a list. */
  record Cursor() implements Form<UUID> {
    @Override
    public Object ofText(String text) {
      UUID after = Paging.after(text);
      return after == null ? Fault.BAD_FORMAT : after;
    }
  }

  /** The cursor of the list of pools. */
  record PoolCursor() implements Form<PoolName> {
    @Override
    public Object ofText(String text) {
      PoolName after = Paging.afterPool(text);
      return after == null ? Fault.BAD_FORMAT : after;
    }
  }

  /** The cursor of the audit trail. */
  record AuditCursor() implements Form<AuditPosition> {
    @Override
    public Object ofText(String text) {
      AuditPosition after = Paging.afterEvent(text);
      return after == null ? Fault.BAD_FORMAT : after;
    }
  }

  /**
   * A list of ids, each in the form of {@link Id}.
   *
   * @param max of them, at least one
   */
  record Ids(int max) implements Form<List<UUID>> {
    private static final Id ID = new Id(false);

    @Override
    public Object ofArray(JsonParser json) throws IOException {
      List<UUID> ids = new ArrayList<>();
      Fault fault = null;
      while (json.nextToken() != JsonToken.END_ARRAY) {
        Object read =
            json.currentToken() == JsonToken.VALUE_STRING
                ? ID.ofText(json.getText())
                : Fault.WRONG_TYPE;
        json.skipChildren();
        if (read instanceof UUID id && ids.size() <= max) {
          ids.add(id);
        } else if (fault == null && read instanceof Fault found) {
          fault = found;
        }
      }
      if (fault == null && (ids.isEmpty() || ids.size() > max)) {
        fault = Fault.OUT_OF_RANGE;
      }
      return fault == null ? ids : fault;
    }
  }

  /** {@code true} or {@code false}, in a query. */
  record Flag() implements Form<Boolean> {
    @Override
    public Object ofText(String text) {
      return switch (text) {
        case "true" -> true;
        case "false" -> false;
        default -> Fault.BAD_FORMAT;
      };
    }
  }

  /** The items of a batch; {@link Envelope} reads them. */
  record Items(int min, int max) implements Form<List<Fields>> {}
}

package com.memoryendpoints.gateway.http;

import static com.memoryendpoints.gateway.problem.Problem.MALFORMED_BODY;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.memoryendpoints.gateway.config.Limits;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** JSON in and out: strict and bounded on the way in, one spelling of everything on the way out. */
final class Json {
  private static final JsonFactory STRICT =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          // Callers choose the names; interned, they would stay for ever.
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Limits.JSON_DEPTH_MAX)
                  // A number is read by its digits, never as a BigInteger: only the body bounds it.
                  .maxNumberLength(Limits.BATCH_BODY_BYTES_MAX)
                  .build())
          .build();

  private static final ObjectWriter WRITER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .addModule(new SimpleModule().addSerializer(Instant.class, new MillisecondInstants()))
          .build()
          .writer();

  private Json() {}

  /** What reads a body as it comes, whose strings are not longer than this, in UTF-16 units. */
  static JsonParser incremental(int unitsMax) {
    try {
      return JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Limits.JSON_DEPTH_MAX)
                  .maxStringLength(unitsMax)
                  .build())
          .build()
          .createNonBlockingByteArrayParser();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether what failed is longer than it may be. */
  static boolean isTooLong(IOException e) {
    return e instanceof StreamConstraintsException;
  }

  /** What reads one body, from the first token to the last. */
  interface Reading<T> {
    /** Reads from the object's opening brace, which is current, to its closing brace. */
    T read(JsonParser json) throws IOException;
  }

  /**
   * Reads a body that is exactly one JSON object in well-formed UTF-8.
   *
   * @throws com.memoryendpoints.gateway.problem.Refusal MALFORMED_BODY
   */
  static <T> T object(Buffer body, Reading<T> reading) {
    try (JsonParser json = STRICT.createParser(utf8(body.getBytes()))) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw MALFORMED_BODY.because("not an object");
      }
      T read = reading.read(json);
      if (json.nextToken() != null) {
        throw MALFORMED_BODY.because("more than one value");
      }
      return read;
    } catch (IOException e) {
      // The message would carry the caller's own text, which has no place in a log.
      throw MALFORMED_BODY.because(e.getClass().getSimpleName());
    }
  }

  /** Jackson lets the bytes of a surrogate pass, Java's own decoder does not. */
  private static String utf8(byte[] bytes) throws CharacterCodingException {
    for (byte b : bytes) {
      if (b < 0) {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      }
    }
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** Writes a record or a map; names in snake case, times with exactly milliseconds. */
  static Buffer bytes(Object value) {
    try {
      return Buffer.buffer(WRITER.writeValueAsBytes(value));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** RFC 3339 in UTC with exactly three digits of fraction, cut, never rounded up. */
  static String rfc3339(Instant instant) {
    LocalDateTime utc =
        LocalDateTime.ofEpochSecond(instant.getEpochSecond(), instant.getNano(), ZoneOffset.UTC);
    StringBuilder text = new StringBuilder(24);
    digits(text, utc.getYear(), 4).append('-');
    digits(text, utc.getMonthValue(), 2).append('-');
    digits(text, utc.getDayOfMonth(), 2).append('T');
    digits(text, utc.getHour(), 2).append(':');
    digits(text, utc.getMinute(), 2).append(':');
    digits(text, utc.getSecond(), 2).append('.');
    return digits(text, utc.getNano() / 1_000_000, 3).append('Z').toString();
  }

  private static StringBuilder digits(StringBuilder text, int number, int width) {
    for (int i = width, bound = 10; i > 1; i--, bound *= 10) {
      if (number < bound) {
        text.append("0".repeat(i - 1));
        break;
      }
    }
    return text.append(number);
  }

  private static final class MillisecondInstants extends StdSerializer<Instant> {
    private static final long serialVersionUID = 1L;

    MillisecondInstants() {
      super(Instant.class);
    }

    @Override
    public void serialize(Instant value, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      json.writeString(rfc3339(value));
    }
  }
}

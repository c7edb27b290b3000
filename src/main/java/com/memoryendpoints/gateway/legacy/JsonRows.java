package com.memoryendpoints.gateway.legacy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows of NDJSON: one object a line, with the columns as members, all of them strings. */
final class JsonRows implements Rows {
  private static final JsonFactory FACTORY = new JsonFactory();

  private final Lines lines;
  private final Kind kind;
  private @Nullable String first;

  /**
   * What follows in a file.
   *
   * @param first the line that was read to find out what the file is
   */
  JsonRows(Lines lines, String first, Kind kind) {
    this.lines = lines;
    this.first = first;
    this.kind = kind;
  }

  @Override
  public @Nullable Row next() throws IOException {
    String line = first == null ? lines.next() : first;
    first = null;
    while (line != null && line.isBlank()) {
      line = lines.next();
    }
    return line == null ? null : row(line);
  }

  private Row row(String line) throws IOException {
    try (JsonParser parser = FACTORY.createParser(line)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw fault("is not a JSON object; write one object a line");
      }
      Map<String, String> values = new HashMap<>();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        read(parser, values);
      }
      if (parser.nextToken() != null) {
        throw fault("goes on after its object; write one object a line");
      }
      for (String column : kind.columns) {
        if (!values.containsKey(column)) {
          throw fault("lacks " + column);
        }
      }
      return new Row(lines.number(), values);
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation(); // None where it is too long.
      String column = at == null ? "" : " at column " + at.getColumnNr();
      throw fault("is not JSON" + column + "; write one whole object a line");
    }
  }

  private void read(JsonParser parser, Map<String, String> values) throws IOException {
    String name = parser.currentName();
    if (!kind.columns.contains(name)) {
      throw fault("has a member that is none of " + kind.listed() + "; leave it out");
    }
    if (parser.nextToken() != JsonToken.VALUE_STRING) {
      throw fault(name + " is not a string");
    }
    if (values.put(name, parser.getText()) != null) {
      throw fault("has " + name + " twice");
    }
  }

  private BadLine fault(String text) {
    return new BadLine(lines.number(), text);
  }
}

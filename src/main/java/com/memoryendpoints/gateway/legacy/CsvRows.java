package com.memoryendpoints.gateway.legacy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.dataformat.csv.CsvFactory;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows of CSV (RFC 4180): a header that names the columns in any order, then one row each. */
final class CsvRows implements Rows {
  private static final CsvFactory FACTORY =
      CsvFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(Lines.LINE_BYTES_MAX).build())
          .build();

  private final Kind kind;
  private final CsvParser parser;
  private final long linesBefore;
  private List<String> header = List.of();
  private boolean broken;
  private long line;

  /**
   * What follows in a file.
   *
   * @param first the line that was read to find out what the file is
   */
  CsvRows(Lines lines, String first, Kind kind) throws IOException {
    this.kind = kind;
    this.linesBefore = lines.number() - 1;
    this.parser = FACTORY.createParser(new LineReader(lines, first));
  }

  @Override
  public @Nullable Row next() throws IOException {
    if (broken) {
      return null;
    }
    if (header.isEmpty()) {
      header = header();
    }
    List<String> record = record();
    if (record == null) {
      return null;
    }
    if (record.size() != header.size()) {
      throw new BadLine(
          line,
          "has %d fields where the header has %d; put fields with a comma in double quotes"
              .formatted(record.size(), header.size()));
    }
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < header.size(); i++) {
      values.put(header.get(i), record.get(i));
    }
    return new Row(line, values);
  }

  /** Without it no row can be read. */
  private List<String> header() throws IOException {
    broken = true;
    List<String> names = record();
    if (names == null
        || names.size() != kind.columns.size()
        || !new HashSet<>(names).equals(new HashSet<>(kind.columns))) {
      throw new BadLine(
          Math.max(line, 1),
          "the header has to name these columns, separated by commas, each once and no other: "
              + kind.listed());
    }
    broken = false;
    return names;
  }

  /** The fields of the next line that is not blank. */
  private @Nullable List<String> record() throws IOException {
    try {
      while (parser.nextToken() == JsonToken.START_ARRAY) {
        List<String> fields = new ArrayList<>();
        while (parser.nextToken() == JsonToken.VALUE_STRING) {
          if (fields.isEmpty()) {
            line = linesBefore + parser.currentTokenLocation().getLineNr();
          }
          fields.add(parser.getText());
        }
        if (fields.size() > 1 || !fields.get(0).isBlank()) {
          return fields;
        }
      }
      return null;
    } catch (JsonProcessingException e) {
      broken = true;
      throw new BadLine(
          linesBefore + parser.currentTokenLocation().getLineNr(),
          "has a field in double quotes that does not end, or that is followed by something else"
              + " than a comma, or that is too long; write a double quote inside of it twice");
    } catch (BadLine e) {
      broken = true;
      throw e;
    }
  }
}

package com.memoryendpoints.gateway.legacy;

import com.memoryendpoints.gateway.config.CannotStart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A file of an earlier system, in CSV or NDJSON: checked whole once, then read. */
final class LegacyFile {
  private static final long PROGRESS_ROWS = 100_000;

  private final Path path;
  private final Kind kind;
  private final Consumer<String> told;
  private long checksum;
  private long rows;

  /**
   * A file that has not been looked at.
   *
   * @param told a line of progress every 100,000 rows
   */
  LegacyFile(Path path, Kind kind, Consumer<String> told) {
    this.path = path;
    this.kind = kind;
    this.told = told;
  }

  /** What takes a row; refuses it by {@link BadLine}. */
  @FunctionalInterface
  interface Taker {
    void take(Row row) throws IOException, SQLException;
  }

  /** As the operator named it. */
  String name() {
    return path.toString();
  }

  Kind kind() {
    return kind;
  }

  /** How many rows it has; known once it was checked. */
  long rows() {
    return rows;
  }

  /**
   * Looks at every line.
   *
   * @throws CannotStart when it cannot be read
   */
  void check(Faults faults) {
    try {
      checksum = pass("checked", faults, this::parse);
    } catch (SQLException e) {
      throw new IllegalStateException("a check has no database", e);
    }
  }

  /**
   * Reads every row.
   *
   * @throws CannotStart when it cannot be read, or is not what was checked
   */
  void read(Taker taker) throws SQLException {
    Faults faults = new Faults();
    long read = pass("read", faults, taker);
    faults.refuseAny();
    if (read != checksum) {
      throw CannotStart.misconfigured(
          path + " was changed while it was read. Nothing was imported. Run it again.");
    }
  }

  private void parse(Row row) throws BadLine {
    if (kind == Kind.AGENT) {
      GivenAgent.of(row);
    } else {
      GivenMemory.of(row);
    }
  }

  private long pass(String done, Faults faults, Taker taker) throws SQLException {
    if (!Files.isRegularFile(path)) {
      throw unreadable("it is not a file", null);
    }
    try (Lines lines = new Lines(path)) {
      try {
        passRows(rowsOf(lines), done, faults, taker);
      } catch (BadLine e) {
        faults.add(this, e);
      }
      return lines.checksum();
    } catch (IOException e) {
      throw unreadable(String.valueOf(e.getMessage()), e);
    }
  }

  private void passRows(Rows source, String done, Faults faults, Taker taker)
      throws IOException, SQLException {
    rows = 0;
    for (boolean more = true; more; ) {
      try {
        Row row = source.next();
        more = row != null;
        if (row != null) {
          taker.take(row);
          rows++;
        }
      } catch (BadLine e) {
        faults.add(this, e);
      }
      if (more && rows > 0 && rows % PROGRESS_ROWS == 0) {
        told.accept(path + ": " + rows + " rows " + done + ".");
      }
    }
  }

  /** The first character that is not blank tells what the file is. */
  private Rows rowsOf(Lines lines) throws IOException {
    String first = lines.next();
    while (first != null && first.isBlank()) {
      first = lines.next();
    }
    if (first == null) {
      throw new BadLine(1, "the file is empty; write a header line, or leave the file out");
    }
    return first.stripLeading().startsWith("{")
        ? new JsonRows(lines, first, kind)
        : new CsvRows(lines, first, kind);
  }

  private CannotStart unreadable(String why, @Nullable IOException cause) {
    String text =
        "The file of " + kind.plural + " " + path + " cannot be read: " + why + ". Correct it.";
    return cause == null ? CannotStart.misconfigured(text) : CannotStart.misconfigured(text, cause);
  }
}

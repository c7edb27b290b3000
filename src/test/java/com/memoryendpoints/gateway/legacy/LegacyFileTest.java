package com.memoryendpoints.gateway.legacy;

import static com.memoryendpoints.gateway.legacy.TestImport.ALICE;
import static com.memoryendpoints.gateway.legacy.TestImport.agent;
import static com.memoryendpoints.gateway.legacy.TestImport.memory;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.memoryendpoints.gateway.config.CannotStart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read from a file, and what is told of one that cannot be imported. */
class LegacyFileTest {
  private static final String TIME = "2024-01-01T00:00:00Z";
  private static final String HEADER = "legacy_id,tenant_id,display_name,created_at\n";
  private static final String GOOD = "1," + ALICE + ",Owl," + TIME + "\n";
  private static final String JSON = agent(ALICE, "1", "Owl", TIME);

  @TempDir private Path folder;

  @Test
  void csvIsReadByTheNamesOfItsColumns() throws Exception {
    List<Row> rows =
        rows(
            Kind.AGENT,
            "\uFEFF\r\n"
                + "created_at,display_name,legacy_id,tenant_id\r\n"
                + "t1,\"Owl, \"\"the\nsecond\"\"\",é,a\r\n"
                + "\r\n"
                + "t2, spaced ,\"4\",b");

    assertThat(rows)
        .containsExactly(
            new Row(
                3,
                Map.of(
                    "created_at", "t1",
                    "display_name", "Owl, \"the\nsecond\"",
                    "legacy_id", "é",
                    "tenant_id", "a")),
            new Row(
                6,
                Map.of(
                    "created_at", "t2",
                    "display_name", " spaced ",
                    "legacy_id", "4",
                    "tenant_id", "b")));
  }

  @Test
  void ndjsonIsToldByItsFirstCharacter() throws Exception {
    List<Row> rows =
        rows(
            Kind.MEMORY,
            "\uFEFF \n \t" + memory("a", "\u0001", "t") + "\r\n\n" + memory("b", "", "u"));

    assertThat(rows)
        .containsExactly(
            new Row(2, Map.of("legacy_memory_id", "\u0001", "tenant_id", "a", "created_at", "t")),
            new Row(4, Map.of("legacy_memory_id", "", "tenant_id", "b", "created_at", "u")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "legacy_id,tenant_id,display_name\n",
        "legacy_id,tenant_id,display_name,created\n",
        "legacy_id,tenant_id,display_name,created_at,notes\n",
        "legacy_id,legacy_id,display_name,created_at\n",
        "legacy_id;tenant_id;display_name;created_at\n",
        "[{}]\n"
      })
  void aHeaderThatNamesOtherColumnsIsToldWhichItHasToName(String header) {
    assertThat(fault("\n" + header + GOOD))
        .contains("agents, line 2: the header has to name these columns", "each once and no other")
        .doesNotContain("line 3");
  }

  @Test
  void everyBadLineOfCsvIsTold() {
    assertThat(
            fault(
                HEADER
                    + GOOD
                    + "2,"
                    + ALICE
                    + ",no, no,"
                    + TIME
                    + "\n"
                    + "3,"
                    + ALICE
                    + ","
                    + TIME
                    + "\n"
                    + "4,alice,Owl,"
                    + TIME
                    + "\n"
                    + ","
                    + ALICE
                    + ",Owl,"
                    + TIME
                    + "\n"
                    + "x".repeat(256)
                    + ","
                    + ALICE
                    + ",Owl,"
                    + TIME
                    + "\n"
                    + "7,"
                    + ALICE
                    + ",Owl,yesterday\n"
                    + GOOD
                    + "9,"
                    + ALICE
                    + ",\"Owl\"s,"
                    + TIME
                    + "\n"))
        .containsSubsequence(
            "line 3: has 5 fields where the header has 4",
            "line 4: has 3 fields",
            "line 5: tenant_id is not a UUID",
            "line 6: legacy_id has to have 1 to 255",
            "line 7: legacy_id has to have 1 to 255",
            "line 8: created_at is not a time",
            "line 10: has a field in double quotes that",
            "Correct them and run it again.")
        .doesNotContain("line 2:", "line 9:", "Owl", "yesterday");
  }

  @Test
  void everyBadLineOfNdjsonIsTold() {
    assertThat(
            fault(
                String.join(
                    "\n",
                    JSON,
                    "{\"legacy_id\":",
                    "[1]",
                    JSON + JSON,
                    JSON.replace("}", ",\"legacy_id\":\"2\"}"),
                    JSON.replace("}", ",\"notes\":\"2\"}"),
                    JSON.replace("\"Owl\"", "7"),
                    JSON.replace("\"Owl\"", "null"),
                    "{\"legacy_id\":\"1\"}",
                    JSON.replace("\"1\"", "\"\\u0000\""),
                    JSON.replace("\"1\"", "\"\\udc00\""),
                    JSON.replace("\"Owl\"", "'Owl'"),
                    JSON.replace("legacy_id", "x".repeat(60_000)),
                    JSON)))
        .containsSubsequence(
            "line 2: is not JSON at column",
            "line 3: is not a JSON object",
            "line 4: goes on after its object",
            "line 5: has legacy_id twice",
            "line 6: has a member that is none of legacy_id, tenant_id, display_name, created_at",
            "line 7: display_name is not a string",
            "line 8: display_name is not a string",
            "line 9: lacks tenant_id",
            "line 10: legacy_id has to have 1 to 255 characters, none of them U+0000",
            "line 11: legacy_id has to have 1 to 255 characters",
            "line 12: is not JSON",
            "line 13: ")
        .doesNotContain("line 1:", "line 14:");
  }

  @Test
  void bytesThatAreNotUtf8AndLinesWithoutEndAreTold() throws Exception {
    Path file = folder.resolve("agents");
    Files.write(file, (HEADER + GOOD + "é," + GOOD).getBytes(StandardCharsets.ISO_8859_1));
    assertThat(fault(file)).contains("line 3: is not UTF-8").doesNotContain("line 2");

    String encodedSurrogate = JSON.replace("Owl", "\u00ED\u00A0\u0080");
    Files.write(file, (JSON + "\n" + encodedSurrogate).getBytes(StandardCharsets.ISO_8859_1));
    assertThat(fault(file)).contains("line 2: is not UTF-8");

    String tooLong = JSON.replace("Owl", "x".repeat(Lines.LINE_BYTES_MAX));
    assertThat(fault(JSON + "\n" + tooLong + "\n" + JSON + "\n{}"))
        .contains("line 2: has more than 65536 bytes", "line 4: lacks legacy_id")
        .doesNotContain("line 3");
    assertThat(fault(HEADER + "1," + ALICE + ",\"" + "x\n".repeat(40_000) + "\"," + TIME))
        .contains("line 2: has a field in double quotes");
    assertThat(fault(HEADER + GOOD + "1," + ALICE + ",\"Owl\n\n" + GOOD))
        .contains("line 3: has a field in double quotes");
  }

  @Test
  void anEmptyAndAnAbsentFileAreTold() {
    assertThat(fault("")).contains("line 1: the file is empty");
    assertThat(fault("\n \n")).contains("the file is empty");
    assertThat(fault(folder.resolve("absent"))).contains("absent cannot be read");
    assertThat(fault(folder)).contains("cannot be read: it is not a file");
    assertThat(fault(HEADER + "1," + ALICE)).contains("line 2: has 2 fields");
  }

  @Test
  void twentyFaultsAreToldAndTheOthersCounted() {
    String lines = IntStream.range(0, 25).mapToObj(i -> "{}").collect(Collectors.joining("\n"));

    assertThat(fault(lines)).contains("line 20: ", "and 5 more.").doesNotContain("line 21: ");
  }

  @ParameterizedTest
  @CsvSource({
    "2024-05-31T08:30:00Z, 2024-05-31T08:30:00Z",
    "2024-05-31t10:30:00.25+02:00, 2024-05-31T08:30:00.250Z",
    "2024-05-31T08:30:00.123456789123z, 2024-05-31T08:30:00.123456Z",
    "2016-12-31T23:59:60Z, 2017-01-01T00:00:00Z",
    "0001-01-01T00:00:00-00:00, 0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999Z, 9999-12-31T23:59:59.999999Z"
  })
  void timesAreReadByRfc3339(String text, String expected) throws BadLine {
    assertThat(Values.createdAt(new Row(1, Map.of("created_at", text))))
        .asString()
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2024-05-31",
        "2024-05-31T08:30Z",
        "2024-05-31T08:30:00",
        "2024-05-31 08:30:00Z",
        "2024-02-30T08:30:00Z",
        "2024-05-31T25:30:00Z",
        "0000-01-01T00:00:00Z",
        "9999-12-31T23:59:59-01:00",
        "2024-05-31T08:30:00.Z",
        "1717144200",
        "+2024-05-31T08:30:00Z"
      })
  void whatIsNoTimeOfRfc3339IsRefused(String text) {
    assertThatThrownBy(() -> Values.createdAt(new Row(7, Map.of("created_at", text))))
        .isInstanceOf(BadLine.class);
  }

  private List<Row> rows(Kind kind, String content) throws Exception {
    List<Row> rows = new ArrayList<>();
    LegacyFile file = new LegacyFile(write(content), kind, line -> {});
    try {
      file.read(rows::add);
    } catch (CannotStart e) {
      assertThat(e).hasMessageContaining("was changed"); // It was never checked.
    }
    return rows;
  }

  private String fault(String content) {
    return fault(write(content));
  }

  private String fault(Path file) {
    try {
      LegacyImport.checked(file, null, line -> {});
    } catch (CannotStart e) {
      assertThat(e.exitCode()).isEqualTo(2);
      return e.getMessage();
    }
    throw new AssertionError("the file is good");
  }

  private Path write(String content) {
    try {
      return Files.writeString(folder.resolve("agents"), content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package com.memoryendpoints.gateway.name;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.problem.Refusal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The published vectors: what becomes of a name, its skeleton, its key. */
class VectorsTest {
  private static final Pattern ESCAPE = Pattern.compile("\\\\u([0-9A-F]{4})");
  private static final Names NAMES = Names.strict();

  record Vector(String line, String display, String expected, String skeleton, String key) {
    @Override
    public String toString() {
      return line;
    }
  }

  @Test
  void thereAreTwoHundredAndFiftyEightOfThem() throws IOException {
    assertThat(vectors()).hasSize(258);
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void everyVectorHolds(Vector vector) {
    if (vector.expected.startsWith("NAME_")) {
      assertThat(reason(vector.display)).isEqualTo(vector.expected);
      return;
    }
    AgentName name = NAMES.of(vector.display);
    assertThat(name.canonical()).isEqualTo(vector.expected);
    assertThat(NameKey.skeleton(name.canonical())).isEqualTo(vector.skeleton);
    assertThat(name.key()).isEqualTo(vector.key);
  }

  private static String reason(String display) {
    try {
      return NAMES.of(display).canonical();
    } catch (Refusal refusal) {
      return String.valueOf(refusal.members().get("reason"));
    }
  }

  static List<Vector> vectors() throws IOException {
    try (BufferedReader file =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(
                    VectorsTest.class.getResourceAsStream("/vectors/agent-names.tsv")),
                StandardCharsets.UTF_8))) {
      return file.lines()
          .filter(line -> !line.startsWith("#"))
          .skip(1)
          .map(VectorsTest::vector)
          .toList();
    }
  }

  private static Vector vector(String line) {
    String[] columns = line.split("\t", -1);
    return new Vector(
        line.substring(0, Math.min(80, line.length())),
        text(columns[0]),
        text(columns[1]),
        text(columns[2]),
        text(columns[4]));
  }

  /** Units one by one, because some vectors have surrogates without a partner. */
  private static String text(String escaped) {
    return ESCAPE
        .matcher(escaped)
        .replaceAll(
            unit ->
                String.valueOf((char) Integer.parseInt(unit.group(1), 16))
                    .replace("\\", "\\\\")
                    .replace("$", "\\$"));
  }
}

package com.memoryendpoints.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.name.Names;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigResolveOptions;
import com.typesafe.config.ConfigValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the README promises is what there is. */
class ReadmeTest {
  private static final String README = text("README.md");
  private static final String MAIN = "src/main/java/com/memoryendpoints/gateway";
  private static final Pattern SETTING =
      Pattern.compile("(?m)^\\| `([a-z_]+\\.[a-z_]+)` \\| `([^`]*)` \\| `(GATEWAY_\\w+)` \\|");
  private static final Pattern PROBLEM =
      Pattern.compile("(?m)^\\| ([1-5]\\d\\d) \\| `([A-Z_]+)` \\|");
  private static final Pattern SUBSTITUTION = Pattern.compile("\\$\\{\\?(GATEWAY_\\w+)}");
  private static final Pattern VARIABLE = Pattern.compile("GATEWAY_[A-Z0-9_]+");
  private static final Pattern PACKAGE = Pattern.compile("(?m)^\\| `([a-z]+)/` \\|");
  private static final Pattern IMPORT =
      Pattern.compile("(?m)^import (?:static )?com\\.memoryendpoints\\.gateway\\.([a-z]+)\\.");
  private static final Pattern CALL = Pattern.compile("`(?:GET|POST)? ?(/v1/[a-z_/{}]+)");
  private static final Pattern NAME = Pattern.compile("(?m)^\\| `(.+?)` \\| `(.+?)` \\|");
  private static final Pattern ESCAPE = Pattern.compile("\\\\u([0-9A-F]{4})");
  private static final Pattern LINK = Pattern.compile("]\\(([^)]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.+)$");

  @Test
  void everySettingIsListedWithItsDefault() {
    Map<String, String> listed = new TreeMap<>();
    found(SETTING).forEach(row -> listed.put(row.group(1), row.group(2)));

    assertThat(listed).isEqualTo(defaults());
  }

  @Test
  void everySettingIsListedOnceWithItsOwnVariable() {
    assertThat(found(SETTING).map(row -> row.group(1))).doesNotHaveDuplicates();
    assertThat(found(SETTING))
        .allSatisfy(row -> assertThat(row.group(3)).isEqualTo(variable(row.group(1))));
  }

  @Test
  void everyVariableThatIsNamedExists() {
    List<String> known =
        SUBSTITUTION
            .matcher(text("conf/gateway.conf"))
            .results()
            .map(substitution -> substitution.group(1))
            .toList();

    assertThat(known).isNotEmpty();
    assertThat(found(VARIABLE).map(MatchResult::group)).isNotEmpty().isSubsetOf(known);
  }

  @Test
  void everyProblemIsListedInItsOrderWithItsStatus() {
    assertThat(found(PROBLEM).map(row -> row.group(1) + " " + row.group(2)))
        .containsExactlyElementsOf(
            Arrays.stream(Problem.values())
                .map(problem -> problem.status() + " " + problem.code())
                .toList());
  }

  @Test
  void everyNameBecomesWhatIsSaid() {
    int from = README.indexOf("\n## Names");
    String section = README.substring(from, README.indexOf("\n## ", from + 1));
    List<MatchResult> rows = NAME.matcher(section).results().toList();
    assertThat(rows).hasSizeGreaterThan(11);
    for (MatchResult row : rows) {
      String display = unescaped(row.group(1));
      assertThat(become(display)).as(row.group()).isEqualTo(row.group(2));
    }
  }

  private static String unescaped(String text) {
    return ESCAPE.matcher(text).replaceAll(unit -> "" + (char) Integer.parseInt(unit.group(1), 16));
  }

  private static String become(String display) {
    try {
      return Names.strict().of(display).canonical();
    } catch (Refusal refusal) {
      return (String) refusal.members().get("reason");
    }
  }

  @Test
  void everyPackageIsInTheLayoutWhereItsImportsAreAboveIt() throws IOException {
    String layout = README.substring(README.indexOf("\n## How it is built"));
    List<String> listed = PACKAGE.matcher(layout).results().map(row -> row.group(1)).toList();

    try (Stream<Path> packages = Files.list(Path.of(MAIN))) {
      assertThat(listed)
          .containsExactlyInAnyOrderElementsOf(
              packages
                  .filter(Files::isDirectory)
                  .map(folder -> folder.getFileName().toString())
                  .toList());
    }
    for (int i = 0; i < listed.size(); i++) {
      assertThat(imported(listed.get(i))).isSubsetOf(listed.subList(0, i + 1));
    }
  }

  @Test
  void everyCallThatIsNamedIsInTheDocument() {
    String document = text("src/main/resources/openapi.yaml");

    assertThat(found(CALL).map(call -> call.group(1)))
        .isNotEmpty()
        .allSatisfy(path -> assertThat(document).contains("\n  " + path + ":"));
  }

  @Test
  void everyLinkLeadsSomewhere() {
    List<String> headings =
        HEADING.matcher(README).results().map(heading -> anchor(heading.group(1))).toList();
    List<String> links = found(LINK).map(link -> link.group(1)).toList();

    assertThat(links).filteredOn(link -> link.startsWith("#")).isNotEmpty().isSubsetOf(headings);
    assertThat(links)
        .filteredOn(link -> !link.startsWith("#") && !link.contains("://"))
        .allSatisfy(link -> assertThat(Path.of(link)).exists());
  }

  private static Stream<MatchResult> found(Pattern pattern) {
    return pattern.matcher(README).results();
  }

  /** The packages of ours that the classes of one import. */
  private static Set<String> imported(String folder) throws IOException {
    Set<String> imported = new TreeSet<>();
    try (Stream<Path> files = Files.walk(Path.of(MAIN, folder))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        IMPORT
            .matcher(Files.readString(file))
            .results()
            .forEach(found -> imported.add(found.group(1)));
      }
    }
    return imported;
  }

  private static String anchor(String heading) {
    return "#" + heading.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 _-]", "").replace(' ', '-');
  }

  private static String variable(String key) {
    return "GATEWAY_" + key.replace('.', '_').toUpperCase(Locale.ROOT);
  }

  /** Every key of the documented configuration, with nothing of the environment in it. */
  private static Map<String, String> defaults() {
    ConfigObject sections =
        ConfigFactory.parseString(text("conf/gateway.conf"))
            .resolve(ConfigResolveOptions.noSystem())
            .root();
    Map<String, String> defaults = new TreeMap<>();
    sections.forEach(
        (section, keys) ->
            ((ConfigObject) keys)
                .forEach((key, value) -> defaults.put(section + "." + key, shown(value))));
    return defaults;
  }

  private static String shown(ConfigValue value) {
    return String.valueOf(value.unwrapped());
  }

  private static String text(String path) {
    try {
      return Files.readString(Path.of(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package com.memoryendpoints.gateway.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.memoryendpoints.gateway.Promtool;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.meter.Meters;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.tenant.Term;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Alerts and dashboard: what they ask for is served, and what they tell is told when it is so. */
class RulesTest {
  private static final Path MONITORING = Path.of("k8s/components/monitoring");
  private static final Pattern SELECTOR = Pattern.compile("\\b([a-z][a-z0-9_]+)\\{([^}]*)}");
  private static final Pattern MATCHER = Pattern.compile("([a-z]+)(?:=~?|!=)\"([^\"]*)\"");
  private static final Pattern SERIES = Pattern.compile("(?m)^([a-z][a-z0-9_]+)(?:\\{(.*)})? ");
  private static final Pattern LABEL = Pattern.compile("([a-z]+)=\"([^\"]*)\"");
  private static final Pattern ALERT = Pattern.compile("(?m)^\\| `(LeaseGateway\\w+)` \\|");

  /** The group of the three figures to watch, which is a file for a Prometheus of any kind, too. */
  private static final String RECORDED = "lease-gateway";

  /** What Prometheus itself adds. */
  private static final Set<String> OF_PROMETHEUS = Set.of("job", "namespace", "pod");

  @Test
  void promtoolKnowsEveryRuleAndEachAlertFiresOnItsSymptom(@TempDir Path scratch) throws Exception {
    Path rules = scratch.resolve("rules.yaml");
    Files.writeString(rules, new ObjectMapper().writeValueAsString(rules()));
    Path tests = scratch.resolve("alerts_test.yaml");
    Files.copy(MONITORING.resolve("rules/alerts_test.yaml"), tests);

    Promtool.check("", "check", "rules", rules.toString());
    Promtool.check("", "test", "rules", tests.toString());
  }

  @Test
  void theFiguresToWatchAreTheSameForAPrometheusWithoutTheOperator() throws IOException {
    JsonNode file = Manifests.documents(read(MONITORING.resolve("rules/recording.yaml"))).get(0);
    assertThat(rules().get("groups")).containsAll(file.get("groups"));
  }

  @Test
  void everyAlertIsTriedBothWays() throws IOException {
    String tests = Files.readString(MONITORING.resolve("rules/alerts_test.yaml"));
    for (String alert : alerts().keySet()) {
      assertThat(tests)
          .contains("{ eval_time: 60m, alertname: " + alert + " }")
          .contains("alertname: " + alert + "\n        exp_alerts:");
    }
  }

  @Test
  void everyAlertIsInTheReadmeWithWhatToDo() throws IOException {
    List<String> listed =
        ALERT
            .matcher(Files.readString(Path.of("README.md")))
            .results()
            .map(row -> row.group(1))
            .toList();
    assertThat(listed).containsExactlyElementsOf(alerts().keySet());
    alerts()
        .forEach(
            (name, alert) -> {
              assertThat(alert.at("/annotations/runbook").textValue())
                  .isEqualTo("README.md#operate, " + name);
              assertThat(alert.at("/annotations/summary").textValue()).isNotBlank();
              assertThat(alert.at("/labels/severity").textValue()).isIn("page", "ticket");
            });
  }

  @Test
  void whatRulesAndPanelsAskForIsServed() throws IOException {
    Map<String, Set<String>> served = served();
    for (String expression : expressions()) {
      List<MatchResult> selectors = SELECTOR.matcher(expression).results().toList();
      for (MatchResult selector : selectors) {
        String metric = selector.group(1);
        if (metric.equals("up")) {
          continue;
        }
        assertThat(served).as(expression).containsKey(metric);
        MATCHER
            .matcher(selector.group(2))
            .results()
            .forEach(label -> known(label, served.get(metric)));
      }
      assertThat(selectors.size() > 0 || expression.contains("namespace:lease_gateway_errors"))
          .as(expression)
          .isTrue();
    }
  }

  /** BUSY is another caller's doing, and a transfer coding that nobody knows the caller's own. */
  @Test
  void everyAnswerThatIsTheGatewaysFaultIsAnError() throws IOException {
    Set<String> faults =
        Arrays.stream(Problem.values())
            .filter(problem -> problem.status() >= 500)
            .filter(problem -> !Set.of(Problem.BUSY, Problem.NOT_IMPLEMENTED).contains(problem))
            .map(Problem::code)
            .collect(Collectors.toCollection(TreeSet::new));
    for (JsonNode rule : rules().get("groups").get(0).get("rules")) {
      assertThat(values(rule, "code")).isEqualTo(faults);
    }
    JsonNode nothing = Objects.requireNonNull(alerts().get("LeaseGatewayGrantsNothing"));
    assertThat(values(nothing, "code")).isEqualTo(faults);
    assertThat(nothing.get("expr").textValue())
        .satisfies(
            claims ->
                faults.forEach(code -> assertThat(claims).contains(code.toLowerCase(Locale.ROOT))));
  }

  @Test
  void staleTokensAreReckonedAgainstEveryStatementThatComparesThem() throws IOException {
    Set<String> comparing =
        Arrays.stream(Sql.values())
            .filter(sql -> sql.text().contains("'stale-fencing-token'"))
            .map(Sql::label)
            .collect(Collectors.toCollection(TreeSet::new));
    JsonNode alert = Objects.requireNonNull(alerts().get("LeaseGatewayStaleTokens"));
    assertThat(values(alert, "statement")).isEqualTo(comparing).hasSizeGreaterThan(5);
  }

  /** What the rule's selectors name of a label; nothing of them is left out. */
  private static Set<String> values(JsonNode rule, String label) {
    Matcher values =
        Pattern.compile("\\b" + label + "=~\"([^\"]*)\"").matcher(rule.get("expr").textValue());
    assertThat(values.find()).isTrue();
    return new TreeSet<>(List.of(values.group(1).split("\\|")));
  }

  /** A label of the metric, and of a closed set of values one that there is. */
  private static void known(MatchResult matcher, Set<String> labels) {
    String label = matcher.group(1);
    if (OF_PROMETHEUS.contains(label)) {
      return;
    }
    assertThat(labels).anyMatch(known -> known.startsWith(label + "="));
    List<String> values = List.of(matcher.group(2).split("\\|"));
    if (label.equals("code")) {
      assertThat(Arrays.stream(Problem.values()).map(Problem::code).toList())
          .containsAll(values.equals(List.of("none")) ? List.of() : values);
    } else if (Set.of("outcome", "result", "reason", "limit", "area").contains(label)) {
      assertThat(labels).containsAll(values.stream().map(value -> label + "=" + value).toList());
    } else if (label.equals("statement")) {
      assertThat(Arrays.stream(Sql.values()).map(Sql::label).toList()).containsAll(values);
    } else if (label.equals("route")) {
      String described = read(Path.of("src/main/resources/openapi.yaml"));
      assertThat(values).allMatch(route -> described.contains("\n  " + route + ":"));
    }
  }

  /** Every series of a gateway that has served something, with its labels. */
  private static Map<String, Set<String>> served() {
    Map<String, Set<String>> served = new TreeMap<>();
    try (Meters meters = new Meters()) {
      meters.route("POST", "/v1/leases").answered(201, 1);
      meters.route("POST", "/v1/leases").refused(Problem.BUSY, 1);
      meters.statement("any").answered(1, 1);
      meters.waiting("any");
      meters.tls();
      meters.readiness(() -> true);
      EnumSet.allOf(Term.class).forEach(meters::quotaExceeded);
      SERIES
          .matcher(meters.scrape())
          .results()
          .forEach(
              series -> {
                Set<String> labels =
                    served.computeIfAbsent(series.group(1), metric -> new TreeSet<>());
                if (series.group(2) != null) {
                  LABEL
                      .matcher(series.group(2))
                      .results()
                      .forEach(label -> labels.add(label.group(1) + "=" + label.group(2)));
                }
              });
    }
    return served;
  }

  private static List<String> expressions() throws IOException {
    List<String> expressions = new ArrayList<>();
    for (JsonNode group : rules().get("groups")) {
      if (!group.get("name").textValue().equals(RECORDED)) {
        group.findValues("expr").forEach(rule -> expressions.add(rule.textValue()));
      }
    }
    JsonNode dashboard = new ObjectMapper().readTree(MONITORING.resolve("dashboard.json").toFile());
    List<JsonNode> panels = dashboard.findValues("expr");
    assertThat(panels).hasSizeGreaterThan(15);
    panels.forEach(expression -> expressions.add(expression.textValue()));
    return expressions;
  }

  private static Map<String, JsonNode> alerts() throws IOException {
    Map<String, JsonNode> alerts = new java.util.LinkedHashMap<>();
    for (JsonNode group : rules().get("groups")) {
      for (JsonNode rule : group.get("rules")) {
        if (rule.has("alert")) {
          alerts.put(rule.get("alert").textValue(), rule);
        }
      }
    }
    return alerts;
  }

  /** The file that Prometheus would read. */
  private static JsonNode rules() throws IOException {
    return Manifests.documents(read(MONITORING.resolve("prometheusrule.yaml"))).get(0).get("spec");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}

package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.Promtool;
import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.db.Lane;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.meter.Meters;
import com.memoryendpoints.gateway.meter.ReaperMeter;
import com.memoryendpoints.gateway.meter.StatementMeter;
import com.memoryendpoints.gateway.meter.TlsMeter;
import com.memoryendpoints.gateway.name.Reason;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.tenant.Term;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is measured while every call is made: what the README lists, and nothing of the callers. */
@Timeout(120)
class MetricsServedTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();
  @RegisterExtension static final LiveApi API = LiveApi.over(DATABASE);

  /** Of the JVM and the process; the README lists their beginnings only. */
  private static final Pattern NOT_OURS = Pattern.compile("(?:jvm|process|system)[._].*");

  private static final int SERIES_MAX = 10_000;
  private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (\\w+) (\\w+)$");
  private static final Pattern LABELS = Pattern.compile("(?m)^(\\w+)\\{([^}]*)}");
  private static final Pattern LISTED =
      Pattern.compile("(?m)^\\| `(\\w+)` \\| (counter|gauge|histogram) \\| ([a-z_, `]*?) ?\\|");

  /** Every value that a label may have. */
  private static final Map<String, Set<String>> VALUES =
      Map.ofEntries(
          Map.entry("method", Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "none")),
          Map.entry(
              "route",
              set(
                  Stream.concat(
                      Stream.of("none"), EveryCall.ENDPOINTS.stream().map(Endpoint::path)))),
          Map.entry(
              "status",
              set(
                  Stream.concat(
                      Stream.of("200", "201", "204", "304"),
                      Stream.of(Problem.values()).map(each -> "" + each.status())))),
          Map.entry(
              "code",
              set(
                  Stream.concat(
                      Stream.of("none"), Stream.of(Problem.values()).map(Problem::code)))),
          Map.entry("limit", names(Meters.Limit.values())),
          Map.entry("quota", set(Stream.of(Term.values()).map(Term::wire))),
          Map.entry("statement", names(Sql.values())),
          Map.entry(
              "reason",
              set(
                  Stream.of(
                          names(StatementMeter.Again.values()),
                          names(StatementMeter.Shed.values()),
                          set(Stream.of(Reason.values()).map(Reason::code)))
                      .flatMap(Set::stream))),
          Map.entry("lane", names(Lane.values())),
          Map.entry(
              "outcome",
              set(
                  Stream.of(names(Meters.Claim.values()), names(Problem.values()))
                      .flatMap(Set::stream))),
          Map.entry(
              "result",
              set(
                  Stream.of(
                          names(Meters.Key.values()),
                          names(ReaperMeter.Pass.values()),
                          names(TlsMeter.Reload.values()),
                          Set.of("fetched", "failed"))
                      .flatMap(Set::stream))),
          Map.entry("action", names(ReaperMeter.Partition.values())));

  @BeforeAll
  static void makeEveryCall() throws Exception {
    Awaitility.await().until(() -> API.ask("GET", "/v1/audit", null, "").status() == 200);
    for (String token : new String[] {LiveApi.TOKEN, LiveApi.READER, "of nobody"}) {
      EveryCall.send(API, token, false);
      EveryCall.send(API, token, true);
    }
    API.meters.nameReported(Reason.ILL_FORMED.code());
    API.meters.quotaExceeded(Term.LEASES);
    API.meters.tls().refused();
    API.meters.jwks().fetched(1);
    API.meters.readiness(() -> true);
  }

  @Test
  void noLabelSaysAnythingOfACaller() {
    for (Meter meter : API.meters.registry().getMeters()) {
      if (!NOT_OURS.matcher(meter.getId().getName()).matches()) {
        for (Tag label : meter.getId().getTags()) {
          assertThat(VALUES).containsKey(label.getKey());
          assertThat(VALUES.get(label.getKey())).contains(label.getValue());
        }
      }
    }
  }

  @Test
  void whatNoRouteIsForIsCountedToo() throws Exception {
    try (RawHttp http = API.connect()) {
      assertThat(http.send("GET", "/no/such", List.of(), "").answer().status()).isEqualTo(404);
    }
    Timer refused =
        API.meters
            .registry()
            .find("http.server.requests")
            .tags("method", "none", "route", "none", "status", "404", "code", "NO_SUCH_ROUTE")
            .timer();
    assertThat(refused).isNotNull();
    assertThat(refused.count()).isPositive();
  }

  @Test
  void everyRouteIsTimedAndTheSeriesStayFew() {
    Set<String> routes =
        API.meters.registry().find("http.server.requests").timers().stream()
            .filter(each -> !"none".equals(each.getId().getTag("route")))
            .map(each -> each.getId().getTag("method") + " " + each.getId().getTag("route"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(routes)
        .containsExactlyInAnyOrderElementsOf(
            EveryCall.ENDPOINTS.stream().map(Endpoint::label).toList());
    assertThat(API.meters.scrape().lines().filter(line -> !line.startsWith("#")).count())
        .isLessThan(SERIES_MAX);
  }

  @Test
  void theReadmeListsWhatIsServedAndTheReverse() throws Exception {
    String scraped = API.meters.scrape();
    Map<String, Set<String>> labels = new TreeMap<>();
    LABELS
        .matcher(scraped)
        .results()
        .forEach(
            series ->
                labels
                    .computeIfAbsent(bare(series.group(1)), each -> new TreeSet<>())
                    .addAll(labelNames(series.group(2))));
    Map<String, String> served = new TreeMap<>();
    TYPE.matcher(scraped)
        .results()
        .filter(type -> !NOT_OURS.matcher(type.group(1)).matches())
        .filter(type -> !type.group(1).endsWith("_max"))
        .forEach(
            type ->
                served.put(
                    type.group(1),
                    type.group(2) + labels.getOrDefault(bare(type.group(1)), Set.of())));
    Map<String, String> listed = new TreeMap<>();
    for (MatchResult row :
        LISTED.matcher(Files.readString(Path.of("README.md"))).results().toList()) {
      Set<String> names = new TreeSet<>(Arrays.asList(row.group(3).replace("`", "").split(", ")));
      names.remove("");
      assertThat(listed.put(row.group(1), row.group(2) + names)).isNull();
    }
    assertThat(listed).isEqualTo(served);
  }

  @Test
  void everyTimeAndSizeOfOursHasBuckets() {
    assertThat(TYPE.matcher(API.meters.scrape()).results())
        .filteredOn(type -> !NOT_OURS.matcher(type.group(1)).matches())
        .noneMatch(type -> type.group(2).equals("summary"));
  }

  @Test
  void promtoolReadsTheMetrics() throws Exception {
    Promtool.check(API.meters.scrape(), "check", "metrics");
  }

  private static String bare(String name) {
    return name.replaceFirst("_(?:bucket|count|sum|max)$", "");
  }

  private static Set<String> labelNames(String labels) {
    Set<String> names = new TreeSet<>();
    Pattern.compile("(\\w+)=\"")
        .matcher(labels)
        .results()
        .forEach(each -> names.add(each.group(1)));
    names.remove("le");
    return names;
  }

  private static Set<String> names(Enum<?>[] values) {
    return set(Stream.of(values).map(each -> each.name().toLowerCase(Locale.ROOT)));
  }

  private static Set<String> set(Stream<String> values) {
    return values.collect(Collectors.toCollection(TreeSet::new));
  }
}

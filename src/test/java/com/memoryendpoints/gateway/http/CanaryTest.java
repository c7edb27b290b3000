package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.fasterxml.uuid.Generators;
import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/**
 * Whatever a caller says in any place of any call is in no log, no metric and no event; nor in the
 * log of a PostgreSQL that is told to log everything, when its operator did what the README says.
 */
@Timeout(120)
class CanaryTest {
  private static final TestServer SERVER =
      TestServer.start(
          Map.of(
              "logging_collector", "on",
              "log_directory", "log",
              "log_filename", "all.log",
              "log_statement", "all",
              "log_min_duration_statement", "0"));

  private static final TestDatabase DATABASE = TestDatabase.on(SERVER);

  static {
    // Before it is told to be silent, so that what is looked for can be found at all.
    DATABASE.rows("SELECT ?::text", "control");
    for (String setting : List.of("log_parameter_max_length = 0", "log_error_verbosity = terse")) {
      DATABASE.run("ALTER ROLE postgres SET " + setting);
    }
  }

  /** After the API, because it is registered before. */
  @Order(1)
  @RegisterExtension
  static final AfterAllCallback STOP = context -> SERVER.close();

  @Order(2)
  @RegisterExtension
  static final LiveApi API = LiveApi.over(DATABASE);

  private static final Batch BATCH = new Batch(new Problems());
  static final List<Endpoint> ENDPOINTS =
      new Api(
              null,
              null,
              null,
              new PoolApi(null, null, BATCH),
              new AuditApi(null),
              null,
              null,
              BATCH,
              new AboutApi(null))
          .endpoints();

  /** In every text, or at the end of every id. */
  private static final String TEXT = "canary";

  private static final String HEX = "ca9a27ca9a27";
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

  private static final String ID =
      Generators.timeBasedEpochGenerator().generate().toString().substring(0, 24) + HEX;

  /** Everything that is logged, as an operator who looks for a fault sees it. */
  private static final class Lines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    private final Logger ours = (Logger) LoggerFactory.getLogger("com.memoryendpoints");

    Lines() {
      start();
      ours.setLevel(Level.DEBUG);
      ours.setAdditive(false);
      ours.addAppender(this);
      root.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
      String cause = event.getThrowableProxy() == null ? "" : event.getThrowableProxy().toString();
      lines.add(event.getFormattedMessage() + " " + event.getKeyValuePairs() + cause);
    }

    @Override
    public void close() {
      root.detachAppender(this);
      ours.detachAppender(this);
      ours.setAdditive(true);
      ours.setLevel(null);
    }
  }

  @Test
  void whatCallersSayIsNowhere() throws Exception {
    Awaitility.await().until(() -> API.ask("GET", "/v1/audit", null, "").status() == 200);
    List<Endpoint> inOrder = new ArrayList<>(ENDPOINTS);
    inOrder.sort(Comparator.comparing(each -> "PUT POST GET DELETE".indexOf(each.method().name())));
    try (Lines log = new Lines()) {
      for (boolean again : new boolean[] {false, true}) {
        for (Endpoint endpoint : inOrder) {
          ask(endpoint, LiveApi.TOKEN, again);
          ask(endpoint, TEXT + "-token", again);
        }
      }
      try (RawHttp http = API.connect()) {
        http.send("GET", "/" + TEXT + "?x=" + TEXT, List.of(), "").answer();
      }
      try (RawHttp http = API.connect()) {
        http.send("CANARY", "/v1/leases", List.of(), "").answer();
      }
      List<String> lines = List.copyOf(log.lines);
      for (Endpoint endpoint : ENDPOINTS) {
        assertThat(lines)
            .anyMatch(line -> line.contains("route=\"" + endpoint.label() + "\"") && hasAll(line));
      }
      assertThat(lines).anyMatch(line -> line.contains("status=\"201\""));
      assertThat(lines).anyMatch(line -> line.contains("code=\"NO_SUCH_ROUTE\""));
      assertThat(serverLog()).anyMatch(line -> line.contains("$1 = 'control'"));
      assertThat(serverLog()).anyMatch(line -> line.contains("execute ")).hasSizeGreaterThan(100);
      everyStatementThatWritesFails();
      for (Endpoint endpoint : inOrder) {
        send(endpoint, LiveApi.TOKEN, false);
      }
      assertThat(log.lines).anyMatch(line -> line.contains("status=\"500\""));
      assertThat(serverLog()).anyMatch(line -> line.contains("violates check constraint"));
      assertNone(lines);
      assertNone(log.lines);
    }
    assertNone(serverLog());
    assertNone(API.meters.scrape().lines().toList());
    assertNone(
        DATABASE.rows("SELECT e::text AS event FROM audit_events e").stream()
            .map(Object::toString)
            .toList());
  }

  private static void everyStatementThatWritesFails() {
    List<String> tables =
        List.of("memory_instances", "leases", "agent_names", "memory_heads", "identifiers");
    DATABASE.run(
        "TRUNCATE idempotency_records, pool_claims, " + String.join(", ", tables) + " CASCADE");
    for (String table : tables) {
      DATABASE.run("ALTER TABLE " + table + " ADD CHECK (false)");
    }
  }

  private static List<String> serverLog() throws IOException {
    return Files.readAllLines(SERVER.dataDirectory().resolve("log/all.log"));
  }

  private static boolean hasAll(String line) {
    return line.contains("status=") && line.contains("duration_ms=") && line.contains(TRACE);
  }

  private static void assertNone(List<String> lines) {
    assertThat(lines).isNotEmpty();
    assertThat(lines)
        .noneMatch(line -> line.toLowerCase(Locale.ROOT).contains(TEXT))
        .noneMatch(line -> line.toLowerCase(Locale.ROOT).contains(HEX));
  }

  private static void ask(Endpoint endpoint, String token, boolean query) throws Exception {
    assertThat(send(endpoint, token, query)).isBetween(200, 499);
  }

  /** The status of the answer. */
  private static int send(Endpoint endpoint, String token, boolean query) throws Exception {
    List<String> headers =
        List.of(
            "Authorization: Bearer " + token,
            "Content-Type: application/json",
            "User-Agent: " + TEXT,
            "X-Other: " + TEXT,
            "traceparent: 00-" + TRACE + "-b7ad6b7169203331-01",
            "Idempotency-Key: " + ID);
    String path = endpoint.path().replace(":pool", TEXT + "-pool").replaceAll(":[a-z_]+", ID);
    String target = query ? path + "?" + query(endpoint) : path;
    try (RawHttp http = API.connect()) {
      return http.send(endpoint.method().name(), target, headers, body(endpoint)).answer().status();
    }
  }

  private static String query(Endpoint endpoint) {
    return endpoint.query().members().stream()
        .map(member -> member.name() + "=" + value(member).replace("\"", "").replace(" ", "%20"))
        .collect(Collectors.joining("&", "", ""));
  }

  private static String body(Endpoint endpoint) {
    String object =
        endpoint.members().members().stream()
            .map(member -> "\"" + member.name() + "\":" + value(member))
            .collect(Collectors.joining(",", "{", "}"));
    return switch (endpoint.body()) {
      case NOTHING -> "";
      case STREAM -> "[\"" + TEXT + "-identifier\"]";
      case BATCH -> "{\"items\":[" + object + "]}";
      default -> object;
    };
  }

  private static String value(Member<?> member) {
    Form<?> form = member.form();
    if (form instanceof Form.Whole whole) {
      return Long.toString(Math.max(1, whole.min()));
    } else if (form instanceof Form.Flag) {
      return "true";
    } else if (form instanceof Form.Ids) {
      return "[\"" + ID + "\"]";
    } else if (form instanceof Form.Id || member.equals(Requests.KEY)) {
      return "\"" + ID + "\"";
    } else if (form instanceof Form.Match) {
      return "\"sha-256:" + HEX.repeat(5) + "0000\"";
    }
    return member.equals(Requests.DISPLAY_NAME) ? "\"Canary Bird\"" : "\"canarybird\"";
  }
}

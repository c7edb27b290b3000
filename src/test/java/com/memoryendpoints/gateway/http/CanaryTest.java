package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
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
    try (Lines log = new Lines()) {
      for (boolean again : new boolean[] {false, true}) {
        for (String token : List.of(LiveApi.TOKEN, EveryCall.TEXT + "-token")) {
          assertThat(EveryCall.send(API, token, again))
              .allSatisfy(status -> assertThat(status).isBetween(200, 499));
        }
      }
      try (RawHttp http = API.connect()) {
        http.send("GET", "/" + EveryCall.TEXT + "?x=" + EveryCall.TEXT, List.of(), "").answer();
      }
      try (RawHttp http = API.connect()) {
        http.send("CANARY", "/v1/leases", List.of(), "").answer();
      }
      List<String> lines = List.copyOf(log.lines);
      for (Endpoint endpoint : EveryCall.ENDPOINTS) {
        assertThat(lines)
            .anyMatch(line -> line.contains("route=\"" + endpoint.label() + "\"") && hasAll(line));
      }
      assertThat(lines).anyMatch(line -> line.contains("status=\"201\""));
      assertThat(lines).anyMatch(line -> line.contains("code=\"NO_SUCH_ROUTE\""));
      assertThat(serverLog()).anyMatch(line -> line.contains("$1 = 'control'"));
      assertThat(serverLog()).anyMatch(line -> line.contains("execute ")).hasSizeGreaterThan(100);
      everyStatementThatWritesFails();
      EveryCall.send(API, LiveApi.TOKEN, false);
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
    return line.contains("status=")
        && line.contains("duration_ms=")
        && line.contains(EveryCall.TRACE);
  }

  private static void assertNone(List<String> lines) {
    assertThat(lines).isNotEmpty();
    assertThat(lines)
        .noneMatch(line -> line.toLowerCase(Locale.ROOT).contains(EveryCall.TEXT))
        .noneMatch(line -> line.toLowerCase(Locale.ROOT).contains(EveryCall.HEX));
  }
}

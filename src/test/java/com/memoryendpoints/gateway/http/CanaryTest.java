package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.fasterxml.uuid.Generators;
import com.memoryendpoints.gateway.TestDatabase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** Whatever a caller says in any place of any call is in no log, no metric and no event. */
@Timeout(120)
class CanaryTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();
  @RegisterExtension static final LiveApi API = LiveApi.over(DATABASE);

  private static final Batch BATCH = new Batch(new Problems());
  private static final List<Endpoint> ENDPOINTS =
      new Api(
              null,
              null,
              null,
              new PoolApi(null, null, BATCH),
              new AuditApi(null),
              null,
              null,
              BATCH,
              null)
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
      assertNone(lines);
    }
    assertNone(API.meters.scrape().lines().toList());
    assertNone(
        DATABASE.rows("SELECT e::text AS event FROM audit_events e").stream()
            .map(Object::toString)
            .toList());
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
      assertThat(
              http.send(endpoint.method().name(), target, headers, body(endpoint))
                  .answer()
                  .status())
          .isBetween(200, 499);
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

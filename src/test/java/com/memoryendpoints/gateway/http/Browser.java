package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A Chromium without a screen, told what to do by its DevTools protocol. */
final class Browser implements AutoCloseable {
  private static final int SECONDS_MAX = 60;
  private static final JsonMapper JSON = new JsonMapper();

  private final Process process;
  private final WebSocket socket;
  private final BlockingQueue<JsonNode> answers = new LinkedBlockingQueue<>();
  private final List<String> complaints = new CopyOnWriteArrayList<>();
  private String session = "";
  private int sent;

  /** The program, where it is installed. */
  static Optional<Path> program() {
    return Stream.of(System.getenv("PATH").split(":"))
        .flatMap(folder -> Stream.of("chromium", "chromium-browser").map(Path.of(folder)::resolve))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Starts it.
   *
   * @param profile an empty directory for all that it keeps
   */
  Browser(Path program, Path profile) throws Exception {
    process =
        new ProcessBuilder(
                List.of(
                    program.toString(),
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-quic",
                    "--disable-dev-shm-usage",
                    "--disable-background-networking",
                    "--disable-component-update",
                    "--disable-sync",
                    "--no-first-run",
                    "--window-size=1100,900",
                    "--user-data-dir=" + profile,
                    "--remote-debugging-port=0",
                    "about:blank"))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    Path where = profile.resolve("DevToolsActivePort");
    await()
        .atMost(SECONDS_MAX, TimeUnit.SECONDS)
        .until(() -> Files.exists(where) && Files.readAllLines(where).size() == 2);
    List<String> lines = Files.readAllLines(where);
    socket =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .connectTimeout(Duration.ofSeconds(SECONDS_MAX))
            .buildAsync(URI.create("ws://127.0.0.1:" + lines.get(0) + lines.get(1)), new Listener())
            .get(SECONDS_MAX, TimeUnit.SECONDS);
    ObjectNode target = JSON.createObjectNode().put("url", "about:blank");
    String id = send("Target.createTarget", target).path("targetId").asText();
    ObjectNode attach = JSON.createObjectNode().put("targetId", id).put("flatten", true);
    session = send("Target.attachToTarget", attach).path("sessionId").asText();
    for (String domain : List.of("Page", "Runtime", "Log")) {
      send(domain + ".enable", JSON.createObjectNode());
    }
  }

  /** Messages, each perhaps in parts: an answer has an id, and what the page does has none. */
  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        take(text.toString());
        text.setLength(0);
      }
      from.request(1);
      return CompletableFuture.completedStage(null);
    }
  }

  private void take(String message) {
    try {
      JsonNode told = JSON.readTree(message);
      String method = told.path("method").asText();
      if (told.has("id")) {
        answers.add(told);
      } else if (method.equals("Log.entryAdded") || method.equals("Runtime.exceptionThrown")) {
        complaints.add(told.path("params").toString());
      } else if (method.equals("Runtime.consoleAPICalled")) {
        String level = told.at("/params/type").asText();
        if (level.equals("error") || level.equals("warning")) {
          complaints.add(told.path("params").toString());
        }
      }
    } catch (IOException e) {
      complaints.add(message);
    }
  }

  private JsonNode send(String method, ObjectNode parameters) throws Exception {
    ObjectNode command = JSON.createObjectNode().put("id", ++sent).put("method", method);
    command.set("params", parameters);
    if (!session.isEmpty()) {
      command.put("sessionId", session);
    }
    socket.sendText(command.toString(), true).get(SECONDS_MAX, TimeUnit.SECONDS);
    JsonNode answer = answers.poll(SECONDS_MAX, TimeUnit.SECONDS);
    if (answer == null || answer.path("id").asInt() != sent || answer.has("error")) {
      throw new AssertionError(method + ": " + answer);
    }
    return answer.path("result");
  }

  /** Opens a page. */
  void open(String url) throws Exception {
    send("Page.navigate", JSON.createObjectNode().put("url", url));
  }

  /** What an expression is on the page, as text. */
  String eval(String expression) throws Exception {
    JsonNode result =
        send(
            "Runtime.evaluate",
            JSON.createObjectNode().put("expression", "String(" + expression + ")"));
    if (result.has("exceptionDetails")) {
      throw new AssertionError(expression + ": " + result);
    }
    return result.at("/result/value").asText();
  }

  /** Waits until an expression is true on the page. */
  void awaitTrue(String expression) {
    await()
        .atMost(SECONDS_MAX, TimeUnit.SECONDS)
        .untilAsserted(
            () -> assertThat(eval(expression)).as(expression + complaints).isEqualTo("true"));
  }

  /** Waits for what a CSS selector finds, and clicks on it. */
  void click(String selector) throws Exception {
    String found = "document.querySelector(" + JSON.writeValueAsString(selector) + ")";
    awaitTrue(found + " !== null");
    eval(found + ".click()");
  }

  /** Types into what a CSS selector finds, as a person would. */
  void type(String selector, String text) throws Exception {
    String found = "document.querySelector(" + JSON.writeValueAsString(selector) + ")";
    awaitTrue(found + " !== null");
    eval(found + ".focus(), " + found + ".select()");
    send("Input.insertText", JSON.createObjectNode().put("text", text));
  }

  /** Everything that the page and the browser complained of so far, as the console shows it. */
  List<String> complaints() {
    return complaints;
  }

  @Override
  public void close() {
    socket.abort();
    List<ProcessHandle> all =
        Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
    process.destroy();
    try {
      await().atMost(10, TimeUnit.SECONDS).until(() -> !process.isAlive());
    } finally {
      all.forEach(ProcessHandle::destroyForcibly);
    }
  }
}

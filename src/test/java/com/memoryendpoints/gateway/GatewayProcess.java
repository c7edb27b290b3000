package com.memoryendpoints.gateway;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A gateway in a process of its own, on the class path of the tests, as an operator would start it.
 * Its ports are chosen by the system unless the environment names them.
 */
public final class GatewayProcess implements AutoCloseable {
  /** Home of every forked gateway, so that the programs of PostgreSQL are unpacked once. */
  public static final Path HOME =
      Path.of(System.getProperty("java.io.tmpdir"), "lease-gateway-test-home");

  private static final int SECONDS_MAX = 90;

  private final Process process;
  private final Path out;
  private final Path err;

  private GatewayProcess(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /**
   * Starts one.
   *
   * @param scratch where its output is kept
   * @param variables on top of an environment without any {@code GATEWAY_} variable
   */
  public static GatewayProcess start(
      Path scratch, Map<String, String> variables, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-Dlogback.configurationFile=logback.xml", "-classpath"));
    command.add(System.getProperty("java.class.path"));
    command.add(Main.class.getName());
    command.addAll(List.of(arguments));
    try {
      Files.createDirectories(HOME);
      Path out = Files.createTempFile(scratch, "gateway", ".out");
      Path err = Files.createTempFile(scratch, "gateway", ".err");
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
      builder.environment().keySet().removeIf(name -> name.startsWith("GATEWAY_"));
      builder.environment().put("HOME", HOME.toString());
      builder.environment().put("GATEWAY_HTTP_PORT", "0");
      builder.environment().put("GATEWAY_MANAGEMENT_PORT", "0");
      builder.environment().putAll(variables);
      return new GatewayProcess(builder.start(), out, err);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The variables for an embedded database in this directory. */
  public static Map<String, String> embeddedIn(Path directory) {
    return Map.of("GATEWAY_DATABASE_EMBEDDED_DATA_DIR", directory.toString());
  }

  /** What it has written to standard output so far. */
  public String out() {
    return read(out);
  }

  /** What it has written to standard error so far. */
  public String err() {
    return read(err);
  }

  /** Waits until standard output has this text; fails when the process ends before. */
  public GatewayProcess awaitOut(String text) {
    await().atMost(SECONDS_MAX, SECONDS).until(() -> out().contains(text) || !process.isAlive());
    assertThat(out()).withFailMessage(() -> out() + err()).contains(text);
    return this;
  }

  /** Waits until it serves with an embedded database; answers the API's base URL. */
  public String awaitWelcome() {
    awaitOut("/v1/leases -w");
    Matcher api = Pattern.compile("API +(http://\\S+)").matcher(out());
    assertThat(api.find()).isTrue();
    return api.group(1);
  }

  /** Waits for the end. */
  public int exitCode() {
    await().atMost(SECONDS_MAX, SECONDS).until(() -> !process.isAlive());
    return process.exitValue();
  }

  /** Whether it runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** SIGTERM, as a supervisor sends it; answers the exit code. */
  public int terminate() {
    askToEnd();
    return exitCode();
  }

  /** SIGTERM, without waiting for what comes of it. */
  public void askToEnd() {
    process.destroy();
  }

  /** SIGKILL, as nobody should. */
  public void kill() {
    process.destroyForcibly();
    exitCode();
  }

  /** Ends it in order, if it still runs. */
  @Override
  public void close() {
    if (process.isAlive()) {
      terminate();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

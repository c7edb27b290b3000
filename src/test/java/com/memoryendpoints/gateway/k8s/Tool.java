package com.memoryendpoints.gateway.k8s;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;

/** A program of the machine that a test is skipped without, in a line that nobody overlooks. */
record Tool(String name) {
  private static final Pattern MINOR = Pattern.compile("\"minor\": *\"(\\d+)");
  private static final int KUBECTL_MINOR_MIN = 21;

  /** What a program did. */
  record Run(int exitCode, String out) {}

  /** With components in its kustomize. */
  static Tool kubectl() {
    Tool kubectl = new Tool("kubectl");
    Run version = kubectl.tried(Path.of("."), "version", "--client", "--output=json");
    Matcher minor = MINOR.matcher(version.out());
    boolean good =
        version.exitCode() == 0
            && minor.find()
            && Integer.parseInt(minor.group(1)) >= KUBECTL_MINOR_MIN;
    return kubectl.unless(!good, "no kubectl of at least 1." + KUBECTL_MINOR_MIN);
  }

  static Tool promtool() {
    Tool promtool = new Tool("promtool");
    return promtool.unless(
        promtool.tried(Path.of("."), "--version").exitCode() != 0,
        "no promtool (Debian: prometheus)");
  }

  /** Runs it to its end. */
  Run in(Path directory, String... arguments) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of(name));
    line.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(line).directory(directory.toFile()).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Run(process.waitFor(), out);
  }

  private Run tried(Path directory, String... arguments) {
    try {
      return in(directory, arguments);
    } catch (IOException e) {
      return new Run(-1, "");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private Tool unless(boolean missing, String what) {
    if (missing) {
      System.err.println("==== SKIPPED, " + what + " here: what it would have checked is not ====");
    }
    Assumptions.assumeFalse(missing, what);
    return this;
  }
}

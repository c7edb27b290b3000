package com.memoryendpoints.gateway.k8s;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;

/**
 * The machine's kubectl; where there is none that is new enough the test is skipped, and says so.
 */
final class Kubectl {
  private static final Pattern MINOR = Pattern.compile("\"minor\": *\"(\\d+)");

  /** The first whose kustomize has components. */
  private static final int MINOR_MIN = 21;

  private Kubectl() {}

  /** What a run has written, and its exit code. */
  record Run(int exitCode, String out) {}

  /** Renders the kustomization in a directory. */
  static Run kustomize(Path directory) throws IOException, InterruptedException {
    boolean there = isThere();
    if (!there) {
      System.err.println("==== NO KUBECTL 1." + MINOR_MIN + ": overlays are not rendered ====");
    }
    Assumptions.assumeTrue(there, "no kubectl of at least 1." + MINOR_MIN);
    return run("kustomize", directory.toString());
  }

  private static boolean isThere() throws InterruptedException {
    try {
      Matcher minor = MINOR.matcher(run("version", "--client", "--output=json").out());
      return minor.find() && Integer.parseInt(minor.group(1)) >= MINOR_MIN;
    } catch (IOException e) {
      return false;
    }
  }

  private static Run run(String... arguments) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of("kubectl"));
    line.addAll(List.of(arguments));
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Run(process.waitFor(), out);
  }
}

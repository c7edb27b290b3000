package com.memoryendpoints.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Prometheus's own judgement; where it is not installed the test is skipped, and says so. */
public final class Promtool {
  private Promtool() {}

  /** Fails unless promtool, called so with this input, has no complaint. */
  public static void check(String input, String... arguments) throws Exception {
    Optional<Path> program =
        Stream.of(System.getenv("PATH").split(":"))
            .map(folder -> Path.of(folder, "promtool"))
            .filter(Files::isExecutable)
            .findFirst();
    if (program.isEmpty()) {
      System.err.println("==== NO PROMTOOL: metrics and rules are not checked by Prometheus ====");
    }
    Assumptions.assumeTrue(program.isPresent(), "promtool is not installed");
    List<String> command = new ArrayList<>(List.of(program.get().toString()));
    command.addAll(List.of(arguments));
    Path in = Files.createTempFile("promtool", ".in");
    Path out = Files.createTempFile("promtool", ".out");
    try {
      Files.writeString(in, input);
      Process process =
          new ProcessBuilder(command)
              .redirectInput(in.toFile())
              .redirectErrorStream(true)
              .redirectOutput(out.toFile())
              .start();
      await().atMost(60, TimeUnit.SECONDS).until(() -> !process.isAlive());
      assertThat(process.exitValue()).as(Files.readString(out)).isZero();
    } finally {
      Files.delete(in);
      Files.delete(out);
    }
  }
}

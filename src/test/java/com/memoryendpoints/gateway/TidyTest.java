package com.memoryendpoints.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.tidy.BlockingCalls;
import com.memoryendpoints.gateway.tidy.ConductRules;
import com.memoryendpoints.gateway.tidy.ImportRules;
import com.memoryendpoints.gateway.tidy.Project;
import com.memoryendpoints.gateway.tidy.Rule;
import com.memoryendpoints.gateway.tidy.ShapeRules;
import com.memoryendpoints.gateway.tidy.Source;
import com.memoryendpoints.gateway.tidy.SqlRules;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The house rules, each held over the whole project and shown to bite. */
class TidyTest {
  private static final List<Source> PROJECT = Project.sources();

  static Stream<Rule> rules() {
    return Stream.of(ImportRules.all(), ShapeRules.all(), ConductRules.all(), SqlRules.all())
        .flatMap(List::stream);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rules")
  void theProjectKeepsTheRule(Rule rule) {
    List<String> breaches = rule.breachesIn(PROJECT);
    assertThat(breaches).withFailMessage(() -> rule + "\n" + String.join("\n", breaches)).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rules")
  void theRuleBitesWhatBreaksIt(Rule rule) {
    assertThat(rule.breachesIn(rule.breach())).as(rule.law()).isNotEmpty();
  }

  @Test
  void nobodyWaitsOnAnEventLoop() throws Exception {
    var ours = Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<String> calls = BlockingCalls.in(ours);
    assertThat(calls).withFailMessage(() -> String.join("\n", calls)).isEmpty();
  }

  @Test
  void aCallThatWaitsIsFound(@TempDir Path folder) throws Exception {
    Path sample = folder.resolve("Sample.java");
    Files.writeString(
        sample,
        """
        package com.memoryendpoints.gateway.lease;
        class Sample {
          String wait(io.vertx.core.Future<String> answer) { return answer.await(); }
          Object get(java.util.concurrent.FutureTask<?> task) throws Exception {
            return task.get();
          }
          Object held(io.vertx.core.Vertx vertx) { return vertx.executeBlocking(() -> null); }
          java.util.function.Supplier<?> named(io.vertx.core.Future<?> answer) {
            return answer::await;
          }
        }
        """);
    String classPath = System.getProperty("java.class.path");
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-proc:none", "-cp", classPath, sample.toString());
    assertThat(status).isZero();
    assertThat(BlockingCalls.in(folder))
        .extracting(call -> call.substring(0, call.indexOf(')') + 1))
        .containsExactly(
            "(Sample.java:3)", "(Sample.java:5)", "(Sample.java:7)", "(Sample.java:9)");
  }
}

package com.memoryendpoints.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The rules that Prometheus is given are what it takes, and say what their names say. */
class RulesTest {
  private static final String FOLDER = "k8s/components/monitoring/rules/";
  private static final Pattern RECORDED = Pattern.compile("(?m)^ +- record: (\\w+)$");

  @Test
  void theRulesAreWellFormed() throws Exception {
    Promtool.check("", "check", "rules", FOLDER + "recording.yaml");
  }

  @Test
  void theRulesSayWhatTheirNamesSay() throws Exception {
    Promtool.check("", "test", "rules", FOLDER + "recording_test.yaml");
  }

  @Test
  void theThreeNamesOfTheDesignAreRecorded() throws Exception {
    assertThat(RECORDED.matcher(Files.readString(Path.of(FOLDER, "recording.yaml"))).results())
        .extracting(rule -> rule.group(1))
        .containsExactly(
            "lease_renewal_latency_p99", "fencing_rejection_rate", "idempotency_cache_hit_rate");
  }
}

package com.memoryendpoints.gateway.meter;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.problem.Problem;
import io.micrometer.core.instrument.Meter;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an operator may rely on in {@code /metrics}. */
class MetersTest {
  /** Every label that there is; each has a closed set of values. */
  private static final Set<String> LABELS =
      Set.of(
          "method",
          "route",
          "status",
          "code",
          "limit", // requests
          "statement",
          "reason",
          "lane", // the database
          "outcome",
          "result",
          "action", // leases, keys, passes, partitions
          "area",
          "id",
          "pool",
          "gc",
          "cause",
          "state"); // the JVM's own

  private final Meters meters = new Meters();

  @AfterEach
  void close() {
    meters.close();
  }

  @Test
  void theMetricsOfTheSeedAreThereBeforeTheFirstRequest() {
    assertThat(meters.scrape())
        .contains("lease_renewal_latency_seconds_bucket{le=\"0.001\"}")
        .contains("lease_renewal_latency_seconds_bucket{le=\"5.0\"}")
        .contains("fencing_rejections_total 0.0")
        .contains("idempotency_requests_total{result=\"new\"}")
        .contains("idempotency_requests_total{result=\"replay\"}")
        .contains("idempotency_requests_total{result=\"reused\"}")
        .contains("idempotency_requests_total{result=\"in_progress\"}")
        .contains("lease_claims_total{outcome=\"granted\"}")
        .contains("lease_claims_total{outcome=\"name_held\"}")
        .contains("requests_limited_total{limit=\"default\"} 0.0")
        .contains("db_up 0.0")
        .contains("jvm_buffer_memory_used_bytes{id=\"direct\"}")
        .contains("process_uptime_seconds")
        .contains("process_cpu_seconds_total")
        .contains("reaper_lag_seconds 0.0");
  }

  @Test
  void aRouteIsTimedByTemplateStatusAndCode() {
    RouteMeter route = meters.route("GET", "/v1/leases/:lease_id");
    route.answered(200, TimeUnit.MILLISECONDS.toNanos(3));
    route.refused(Problem.LEASE_NOT_FOUND, TimeUnit.MILLISECONDS.toNanos(3));
    assertThat(meters.scrape())
        .contains(
            "http_server_requests_seconds_count{code=\"none\",method=\"GET\","
                + "route=\"/v1/leases/:lease_id\",status=\"200\"} 1")
        .contains(
            "http_server_requests_seconds_count{code=\"LEASE_NOT_FOUND\",method=\"GET\","
                + "route=\"/v1/leases/:lease_id\",status=\"404\"} 1");
  }

  @Test
  void aMeterIsMadeOnceForAllEventLoops() {
    assertThat(meters.route("GET", "/")).isSameAs(meters.route("GET", "/"));
    assertThat(meters.statement("a")).isSameAs(meters.statement("a"));
    assertThat(meters.waiting("renew")).isSameAs(meters.waiting("renew"));
  }

  @Test
  void theDatabaseIsUpWhileOneConnectionIs() {
    meters.connectionsUp().increment();
    assertThat(meters.scrape()).contains("db_up 1.0").contains("db_connections_up 1.0");
    meters.connectionsUp().decrement();
    assertThat(meters.scrape()).contains("db_up 0.0");
  }

  @Test
  void everyLabelHasAClosedSetOfValues() {
    meters.route("GET", "/").answered(200, 1);
    meters.statement("claim_leases").answered(1, 1);
    meters.waiting("renew").increment();
    Set<String> labels =
        meters.registry().getMeters().stream()
            .map(Meter::getId)
            .flatMap(id -> id.getTags().stream())
            .map(tag -> tag.getKey())
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(LABELS).containsAll(labels);
  }

  @Test
  void namesAreInBaseUnits() {
    meters.statement("claim_leases").answered(1, 1);
    assertThat(meters.scrape().lines().filter(line -> !line.startsWith("#")))
        .noneMatch(
            line -> line.matches("[a-z_]*_(ns|ms|millis|milliseconds|percent|kb|mb)[ {_].*"));
  }
}

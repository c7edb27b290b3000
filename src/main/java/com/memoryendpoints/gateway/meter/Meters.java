package com.memoryendpoints.gateway.meter;

import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import com.memoryendpoints.gateway.tenant.Term;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;

/**
 * Every metric of the process, each name once. Safe from every thread; recording never blocks.
 *
 * <p>Look a meter up when the verticle starts ({@link #route}, {@link #statement}, {@link
 * #waiting}) and keep it: the look-up costs microseconds, the recording about a hundred
 * nanoseconds.
 */
public final class Meters implements AutoCloseable {
  /** What a claim comes to when it is not refused. */
  public enum Claim {
    GRANTED,
    TAKEN_OVER,
    REPLAYED
  }

  /** What an Idempotency-Key turns out to be. */
  public enum Key {
    NEW,
    REPLAY,
    REUSED,
    IN_PROGRESS
  }

  /** What a request can be too many for. */
  public enum Limit {
    /** The requests of a principal. */
    DEFAULT,
    /** The renewals and releases of a principal. */
    UPKEEP,
    /** The requests of a tenant. */
    TENANT,
    /** The renewals and releases of a tenant. */
    TENANT_UPKEEP,
    /** What comes from one address. */
    ADDRESS
  }

  /** Explicit, so that the histograms of pods can be added up. */
  private static final Duration[] LATENCY_BUCKETS =
      LongStream.of(1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000)
          .mapToObj(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final ProcessMeters process = new ProcessMeters(registry);
  private final AnswerMeter answers = new AnswerMeter(registry);
  private final Map<String, RouteMeter> routes = new ConcurrentHashMap<>();
  private final Map<String, StatementMeter> statements = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> lanes = new ConcurrentHashMap<>();
  private final LongAdder requestsInFlight =
      gauge("http.server.requests.in.flight", "Requests that have no answer yet");
  private final LongAdder connectionsUp =
      gauge("db.connections.up", "Connections that are open and prepared");
  private final LongAdder connectionsInUse =
      gauge("db.connections.in.use", "Connections with a statement in flight");
  private final CountedBy<Claim> claims = new CountedBy<>(Claim.class, outcome -> claims(outcome));
  private final CountedBy<Problem> claimsRefused =
      new CountedBy<>(Problem.class, outcome -> claims(outcome));
  private final CountedBy<Key> keys =
      new CountedBy<>(
          Key.class,
          result ->
              counter(registry, "idempotency.requests", "Requests with a key", "result", result));
  private final CountedBy<Limit> limited =
      new CountedBy<>(
          Limit.class,
          limit ->
              counter(registry, "requests.limited", "Requests over a rate limit", "limit", limit));
  private final Timer renewals =
      latency("lease.renewal.latency", "Renewals, whatever their answer").register(registry);
  private final Counter fencingRejections =
      counter(registry, "fencing.rejections", "Tokens that were shown and are not current");
  private final ReaperMeter reaper = new ReaperMeter(registry);
  private final JwksMeter jwks = new JwksMeter(registry);

  /** All meters at zero, with those of the JVM and the process bound to them. */
  public Meters() {
    Gauge.builder("db.up", connectionsUp, up -> up.sum() > 0 ? 1 : 0)
        .description("Whether a connection is open and prepared")
        .register(registry);
  }

  /** All meters in the Prometheus text format. Takes milliseconds: not for an API event loop. */
  public String scrape() {
    return registry.scrape();
  }

  /** The registry itself, for whatever else measures. */
  public PrometheusMeterRegistry registry() {
    return registry;
  }

  /**
   * The meter of one route.
   *
   * @param template the route as declared, such as {@code /v1/leases/:lease_id}; never a request's
   *     own path
   */
  public RouteMeter route(String method, String template) {
    return routes.computeIfAbsent(
        method + " " + template, key -> new RouteMeter(registry, answers, method, template));
  }

  /** What callers are answered; a {@link #route} counts its own there. */
  public AnswerMeter answers() {
    return answers;
  }

  /** Requests that came and are not yet answered: add and subtract as they come and go. */
  public LongAdder requestsInFlight() {
    return requestsInFlight;
  }

  /**
   * The meter of one statement.
   *
   * @param statement the statement's name, as {@code Sql} spells it
   */
  public StatementMeter statement(String statement) {
    return statements.computeIfAbsent(statement, key -> new StatementMeter(registry, key));
  }

  /**
   * Requests that wait for a connection in a lane: add and subtract as they come and go.
   *
   * @param lane the lane's name in lower case
   */
  public LongAdder waiting(String lane) {
    return lanes.computeIfAbsent(
        lane,
        key -> gauge("db.requests.waiting", "Requests that wait for a connection", "lane", key));
  }

  /** Connections that are open and prepared; the database counts as up while there is one. */
  public LongAdder connectionsUp() {
    return connectionsUp;
  }

  /** Connections with a statement in flight. */
  public LongAdder connectionsInUse() {
    return connectionsInUse;
  }

  /** A claim was answered with a grant. */
  public void claimed(Claim outcome) {
    claims.increment(outcome);
  }

  /** A claim was refused, by the database or before it; whatever is no refusal is a defect. */
  public void claimRefused(Throwable failure) {
    claimsRefused.increment(
        failure instanceof Refusal refusal ? refusal.problem() : Problem.INTERNAL);
  }

  /** A request was refused because there were too many. */
  public void requestLimited(Limit limit) {
    limited.increment(limit);
  }

  /** A request was refused because its tenant has as much as it may. */
  public void quotaExceeded(Term quota) {
    counter(registry, "quota.exceeded", "Requests over a quota", "quota", quota.wire()).increment();
  }

  /**
   * A name that breaks the rules passed, because they are not enforced.
   *
   * @param reason one of the published reasons
   */
  public void nameReported(String reason) {
    counter(registry, "names.reported", "Names that passed though not allowed", "reason", reason)
        .increment();
  }

  /** A renewal was answered, whatever the answer: the time since it was submitted. */
  public void renewalAnswered(long nanos) {
    renewals.record(nanos, TimeUnit.NANOSECONDS);
  }

  /** A caller showed a token that is not the current one, and was fenced. */
  public void fencingRejected() {
    fencingRejections.increment();
  }

  /** A request came with a key. */
  public void keyUsed(Key result) {
    keys.increment(result);
  }

  /** Whether the process wants requests is asked of this, on the thread that scrapes. */
  public void readiness(BooleanSupplier ready) {
    Gauge.builder("gateway.ready", () -> ready.getAsBoolean() ? 1 : 0)
        .description("Whether the gateway is ready, as its readiness probe says")
        .register(registry);
  }

  /** The meters of the reaper. */
  public ReaperMeter reaper() {
    return reaper;
  }

  /** The meters of a certificate, which are there where there is one. */
  public TlsMeter tls() {
    return new TlsMeter(registry);
  }

  /** The meters of the keys that JWTs are checked by. */
  public JwksMeter jwks() {
    return jwks;
  }

  /** Ends the listening to the JVM. */
  @Override
  public void close() {
    process.close();
    registry.close();
  }

  static Timer.Builder latency(String name, String what) {
    return Timer.builder(name).description(what).serviceLevelObjectives(LATENCY_BUCKETS);
  }

  static Counter counter(MeterRegistry registry, String name, String what, String... tags) {
    return Counter.builder(name).description(what).tags(tags).register(registry);
  }

  private Counter claims(String outcome) {
    return counter(registry, "lease.claims", "Claims, by what became of them", "outcome", outcome);
  }

  private LongAdder gauge(String name, String what, String... tags) {
    LongAdder value = new LongAdder();
    Gauge.builder(name, value, LongAdder::sum).description(what).tags(tags).register(registry);
    return value;
  }
}

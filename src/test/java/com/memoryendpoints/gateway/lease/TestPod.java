package com.memoryendpoints.gateway.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.audit.AuditTrail;
import com.memoryendpoints.gateway.audit.Redactor;
import com.memoryendpoints.gateway.config.DatabaseUri;
import com.memoryendpoints.gateway.config.SslMode;
import com.memoryendpoints.gateway.db.Database;
import com.memoryendpoints.gateway.db.SessionOptions;
import com.memoryendpoints.gateway.db.Standing;
import com.memoryendpoints.gateway.db.UuidV7;
import com.memoryendpoints.gateway.idempotency.IdempotencyKey;
import com.memoryendpoints.gateway.meter.Meters;
import com.memoryendpoints.gateway.name.Names;
import com.memoryendpoints.gateway.pool.Pools;
import com.memoryendpoints.gateway.problem.Refusal;
import com.memoryendpoints.gateway.quota.Estimates;
import com.memoryendpoints.gateway.quota.Quotas;
import com.memoryendpoints.gateway.tenant.Caller;
import com.memoryendpoints.gateway.tenant.Tenants;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import javax.crypto.spec.SecretKeySpec;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * One event loop of a gateway without its HTTP: leases, memories and pools over connections of its
 * own. A test that needs two pods makes two. Calls from the test's thread run on the event loop and
 * block for the answer.
 */
public final class TestPod implements AutoCloseable {
  /** The tenant that tests speak for unless they say otherwise. */
  public static final Caller CALLER =
      new Caller(UUID.fromString("0190aaaa-0000-7000-8000-000000000001"), "alice");

  /** Somebody else entirely. */
  public static final Caller STRANGER =
      new Caller(UUID.fromString("0190bbbb-0000-7000-8000-000000000002"), "mallory");

  public final Meters meters = new Meters();

  /** What this pod knows of tenants; a test says what was agreed. */
  public final Tenants tenants = new Tenants();

  /** The clock of the quotas, in nanoseconds; it moves when a test moves it. */
  public final AtomicLong clock = new AtomicLong();

  public final Database database;
  public final Leases leases;
  public final Memories memories;
  public final Pools pools;
  public final AuditTrail trail;
  private final Vertx vertx = Vertx.vertx();
  private final Context context = vertx.getOrCreateContext();
  private final UuidV7 ids;

  /** A pod with three connections on the test's database. */
  public TestPod(TestDatabase on) {
    this(on.uri(), 3, new LeaseSettings(0, false));
  }

  /** A pod on any database, connected when this returns. */
  public TestPod(String uri, int connections, LeaseSettings settings) {
    this(uri, connections, settings, true);
  }

  private TestPod(String uri, int connections, LeaseSettings settings, boolean up) {
    Redactor redactor = new Redactor(new SecretKeySpec(new byte[32], "HmacSHA256"));
    database = run(() -> open(uri, connections));
    Quotas quotas = run(() -> new Quotas(database, tenants, new Estimates(), meters, clock::get));
    leases = run(() -> new Leases(database, quotas, redactor, meters, settings));
    memories = run(() -> new Memories(database, quotas, redactor, meters));
    pools = run(() -> new Pools(database, quotas, redactor, meters, settings.epochBase(), false));
    trail = run(() -> new AuditTrail(database));
    ids = new UuidV7(database.clock());
    if (up) {
      awaitUp();
    }
  }

  /** A pod with three connections that need not come up. */
  public static TestPod trying(TestDatabase on) {
    return new TestPod(on.uri(), 3, new LeaseSettings(0, false), false);
  }

  private Database open(String uri, int connections) {
    return Database.open(
        vertx,
        SessionOptions.of(DatabaseUri.parse(uri), SslMode.DISABLE, null),
        connections,
        meters,
        Future.succeededFuture(),
        fatal -> {
          throw new IllegalStateException(fatal);
        });
  }

  /** What the event loop belongs to. */
  public Vertx vertx() {
    return vertx;
  }

  /** Blocks until a connection serves. */
  public void awaitUp() {
    await(Standing.UP);
  }

  /** Blocks until the database is found to stand so. */
  public void await(Standing standing) {
    Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> database.standing() == standing);
  }

  /** Runs on the event loop and gives what it returned. */
  public <T> T run(Supplier<T> onEventLoop) {
    return call(() -> Future.succeededFuture(onEventLoop.get()));
  }

  /** Starts on the event loop, without waiting for the answer. */
  public <T> Future<T> start(Supplier<Future<T>> onEventLoop) {
    Promise<T> answer = Promise.promise();
    context.runOnContext(
        go -> {
          try {
            onEventLoop.get().onComplete(answer);
          } catch (RuntimeException e) {
            answer.fail(e);
          }
        });
    return answer.future();
  }

  /** Runs on the event loop and blocks for the answer; a refusal is thrown as it is. */
  public <T> T call(Supplier<Future<T>> onEventLoop) {
    return await(start(onEventLoop));
  }

  /** Blocks for an answer; a refusal is thrown as it is. */
  public static <T> T await(Future<T> answer) {
    try {
      return answer.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The refusal that the call must end in. */
  public <T> Refusal refusal(Supplier<Future<T>> onEventLoop) {
    Throwable failure = catchThrowable(() -> call(onEventLoop));
    assertThat(failure).isInstanceOf(Refusal.class);
    return (Refusal) failure;
  }

  /** A fresh key, later than the ones before. */
  public IdempotencyKey key() {
    return new IdempotencyKey(ids.next());
  }

  /** A fresh memory of {@link #CALLER}. */
  public UUID memory() {
    return memory(CALLER);
  }

  /** A fresh memory of anybody. */
  public UUID memory(Caller caller) {
    return call(() -> memories.register(new Registration(null, caller, null))).memory().memoryId();
  }

  /** A claim by {@link #CALLER} for 30 seconds under a fresh key. */
  public Claim claim(String displayName, UUID memoryId) {
    return claim(key(), displayName, memoryId, 30);
  }

  /** A claim by {@link #CALLER}. */
  public static Claim claim(IdempotencyKey key, String name, UUID memoryId, int ttlSeconds) {
    return new Claim(key, owner(), Names.strict().claimed(name), memoryId, ttlSeconds);
  }

  /** The owner of this class's claims. */
  public static Owner owner() {
    return new Owner(CALLER, "worker-1");
  }

  /** The renewal of what was granted to {@link #owner}. */
  public static Renewal renewal(Lease lease, @Nullable Integer ttlSeconds) {
    return new Renewal(
        owner(), lease.canonicalName(), lease.memoryId(), lease.fencingToken(), ttlSeconds);
  }

  /** The release of what was granted to {@link #owner}. */
  public static Release release(Lease lease) {
    return new Release(owner(), lease.canonicalName(), lease.memoryId(), lease.fencingToken());
  }

  @Override
  public void close() {
    call(database::close);
    await(vertx.close());
    meters.close();
  }
}

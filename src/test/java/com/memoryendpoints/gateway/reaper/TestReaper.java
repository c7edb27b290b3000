package com.memoryendpoints.gateway.reaper;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.audit.Redactor;
import com.memoryendpoints.gateway.db.Session;
import com.memoryendpoints.gateway.meter.Meters;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** A reaper on an event loop of its own, driven pass by pass. */
public final class TestReaper implements AutoCloseable {
  static final SecretKey AUDIT_KEY = new SecretKeySpec(new byte[32], "HmacSHA256");
  static final Redactor REDACTOR = new Redactor(AUDIT_KEY);

  final Meters meters = new Meters();
  final Session session;
  final Reaper reaper;
  final Partitions partitions;
  private final Vertx vertx = Vertx.vertx();
  private final Context context = vertx.getOrCreateContext();

  /** A reaper on a database. */
  public TestReaper(TestDatabase database) {
    this(database.options());
  }

  TestReaper(PgConnectOptions options) {
    session =
        await(on(() -> Future.succeededFuture(new Session(vertx, options, meters, failure -> {}))));
    reaper = new Reaper(session, new ReaperOrders(AUDIT_KEY, 30, 0), meters.reaper());
    partitions = new Partitions(session, 30, meters.reaper());
  }

  /** One pass, waited for. */
  public void pass() {
    await(on(reaper::pass));
  }

  /** Runs on the reaper's event loop. */
  <T> CompletableFuture<T> on(Supplier<Future<T>> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    context.runOnContext(
        now -> work.get().onSuccess(result::complete).onFailure(result::completeExceptionally));
    return result;
  }

  static <T> T await(CompletableFuture<T> result) {
    return result.orTimeout(20, TimeUnit.SECONDS).join();
  }

  double counted(String name, String... tags) {
    return meters.registry().get(name).tags(tags).counter().count();
  }

  @Override
  public void close() {
    context.runOnContext(now -> session.close());
    await(vertx.close().toCompletionStage().toCompletableFuture());
    meters.close();
  }
}

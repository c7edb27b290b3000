package com.memoryendpoints.gateway.http;

import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.pool.Load;
import com.memoryendpoints.gateway.pool.Loaded;
import com.memoryendpoints.gateway.pool.PoolName;
import com.memoryendpoints.gateway.pool.Pools;
import com.memoryendpoints.gateway.problem.Refusal;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One body of identifiers on its way into a pool: {@link Limits#POOL_LOAD_ROWS_MAX} at a time, each
 * time all or none, and nothing more is read while the database is at it.
 */
final class IdentifierLoad {
  private final HttpServerRequest request;
  private final Call call;
  private final PoolName pool;
  private final Pools pools;
  private final IdentifierParser parser;
  private final List<String> waiting = new ArrayList<>();
  private @Nullable Refusal wrong;
  private long inserted;
  private long duplicates;

  private IdentifierLoad(Call call, PoolName pool, Pools pools) {
    this.request = call.request();
    this.call = call;
    this.pool = pool;
    this.pools = pools;
    this.parser = new IdentifierParser(Bodies.isLines(request));
  }

  /**
   * Loads the whole body.
   *
   * @return how many; a refusal tells with {@code inserted} what was loaded before it
   */
  static Future<Reply> of(Call call, PoolName pool, Pools pools) {
    IdentifierLoad load = new IdentifierLoad(call, pool, pools);
    load.request.handler(load::take);
    return load.request
        .end()
        .recover(Bodies::lost)
        .compose(ended -> load.finish())
        .map(done -> Replies.loaded(load.inserted, load.duplicates))
        .recover(failure -> Future.failedFuture(load.told(failure)));
  }

  private void take(Buffer part) {
    wrong = parser.read(part.getBytes(), waiting);
    if (wrong == null && waiting.size() < Limits.POOL_LOAD_ROWS_MAX) {
      return;
    }
    request.pause();
    loadFull()
        .onSuccess(
            done -> {
              Carrier.resume(request);
              if (wrong != null) {
                giveUp(wrong);
              }
            })
        .onFailure(
            failure -> {
              Carrier.resume(request);
              giveUp(failure);
            });
  }

  /** Whoever sends a body hears its end only once it has sent it all; this is sooner. */
  private void giveUp(Throwable failure) {
    Carrier.of(request).fail(Problems.refusal(failure));
  }

  private Future<?> finish() {
    wrong = parser.end(waiting);
    return loadFull()
        .compose(done -> wrong != null ? Future.failedFuture(wrong) : load(waiting.size()));
  }

  private Future<?> loadFull() {
    return waiting.size() < Limits.POOL_LOAD_ROWS_MAX
        ? Future.succeededFuture()
        : load(Limits.POOL_LOAD_ROWS_MAX).compose(done -> loadFull());
  }

  private Future<Loaded> load(int rows) {
    List<String> head = waiting.subList(0, rows);
    Load load = new Load(call.caller(), pool, List.copyOf(head));
    head.clear();
    return pools
        .load(load)
        .onSuccess(
            loaded -> {
              inserted += loaded.inserted();
              duplicates += loaded.duplicates();
            });
  }

  private Throwable told(Throwable failure) {
    return failure instanceof Refusal refusal ? refusal.with("inserted", inserted) : failure;
  }
}

package com.memoryendpoints.gateway.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.memoryendpoints.gateway.meter.AnswerMeter;
import com.memoryendpoints.gateway.problem.Refusal;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A call with many items. Each item is a request of its own, submitted on its own, and its answer
 * or problem stands in its place; the statements underneath gather them as they gather any.
 */
final class Batch {
  private final Problems problems;
  private final AnswerMeter meter;

  Batch(Problems problems, AnswerMeter meter) {
    this.problems = problems;
    this.meter = meter;
  }

  record Items(List<Item> items) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Item(
      int status,
      @Nullable Boolean idempotentReplayed,
      @Nullable Object body,
      @Nullable Map<String, Object> problem) {}

  /** Answers a call with one item as that item, and one with many as {@link #each} does. */
  Function<Call, Future<Reply>> oneOrEach(BiFunction<Call, Fields, Future<Reply>> answer) {
    Function<Call, Future<Reply>> each = each(answer);
    return call -> call.payload().batch() ? each.apply(call) : answer.apply(call, call.fields());
  }

  /** Answers a call by answering each of its items: 200, whatever became of them. */
  Function<Call, Future<Reply>> each(BiFunction<Call, Fields, Future<Reply>> answer) {
    return call -> {
      List<Future<Reply>> answers = new ArrayList<>(call.payload().items().size());
      for (Fields item : call.payload().items()) {
        answers.add(Future.succeededFuture(item).compose(fields -> answer.apply(call, fields)));
      }
      return Future.join(answers)
          .transform(all -> Future.succeededFuture(Reply.ok(items(call, answers))));
    };
  }

  private Items items(Call call, List<Future<Reply>> answers) {
    return new Items(answers.stream().map(answer -> item(call, answer)).toList());
  }

  private Item item(Call call, Future<Reply> answer) {
    if (answer.succeeded()) {
      meter.fine();
      Reply reply = answer.result();
      return new Item(reply.status(), replayed(reply.replayed()), reply.body(), null);
    }
    Refusal refusal = Problems.refusal(answer.cause());
    meter.refused(refusal.problem());
    Map<String, Object> problem = problems.item(call, refusal, answer.cause());
    return new Item(refusal.problem().status(), replayed(refusal.replayed()), null, problem);
  }

  /** Absent, like the header, unless it is true. */
  private static @Nullable Boolean replayed(boolean replayed) {
    return replayed ? true : null;
  }
}

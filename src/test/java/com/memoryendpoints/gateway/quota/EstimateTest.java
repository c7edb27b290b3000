package com.memoryendpoints.gateway.quota;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What one gateway lets in, against a store that counts at any moment between ask and answer. */
class EstimateTest {
  private static final long QUOTA = 25;
  private static final long BELIEVED = 60;

  /** What was let in; it reaches the store before it is answered, and may come to nothing. */
  private record Request(int asked, int makes) {}

  private final Estimate estimate = new Estimate();
  private final Deque<Request> let = new ArrayDeque<>();
  private final Deque<Request> stored = new ArrayDeque<>();
  private Estimate.Mark mark;
  private long now;
  private long store;
  private long seen;
  private boolean looked;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whatOneGatewayLetsInNeverGoesBeyondTheQuota(long seed) {
    Random random = new Random(seed);
    long most = 0;
    for (int step = 0; step < 20_000; step++) {
      now++;
      switch (random.nextInt(6)) {
        case 0, 1 -> ask(1 + random.nextInt(5), random);
        case 2 -> reach();
        case 3 -> answer();
        case 4 -> count(random);
        default -> store -= random.nextInt(30) == 0 ? Math.min(store, random.nextInt(9)) : 0;
      }
      assertThat(store).as("seed %d, step %d", seed, step).isLessThanOrEqualTo(QUOTA);
      most = Math.max(most, store);
    }
    assertThat(most).isGreaterThan(QUOTA - 6);
  }

  private void ask(int asked, Random random) {
    if (estimate.admit(asked, QUOTA)) {
      let.add(new Request(asked, random.nextInt(asked + 1)));
    }
  }

  private void reach() {
    if (!let.isEmpty()) {
      Request request = let.poll();
      store += request.makes();
      stored.add(request);
    }
  }

  private void answer() {
    if (!stored.isEmpty()) {
      Request request = stored.poll();
      estimate.settle(request.asked(), request.makes());
    }
  }

  private void count(Random random) {
    if (mark == null) {
      mark = estimate.begin(now, QUOTA);
      looked = false;
    } else if (!looked) {
      seen = store;
      looked = true;
    } else if (random.nextBoolean()) {
      estimate.counted(mark, seen, BELIEVED);
      mark = null;
    }
  }
}

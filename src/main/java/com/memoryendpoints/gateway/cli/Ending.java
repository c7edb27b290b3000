package com.memoryendpoints.gateway.cli;

import com.memoryendpoints.gateway.config.CannotStart;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** What the main thread waits for while event loops serve: a reason to end. A signal needs none. */
public final class Ending {
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicReference<@Nullable Throwable> reason = new AtomicReference<>();

  /** Ends the gateway for a reason that no retrying heals; the first reason counts. Any thread. */
  public void because(Throwable why) {
    reason.compareAndSet(null, why);
    ended.countDown();
  }

  /**
   * Waits for the end.
   *
   * @throws CannotStart the reason, always
   */
  public CannotStart await() throws InterruptedException {
    ended.await();
    Throwable why = reason.get();
    throw why instanceof CannotStart told
        ? told
        : CannotStart.failed("The gateway has to end: " + why, why);
  }
}

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
    throw why instanceof CannotStart told ? told : unfit(why);
  }

  /** For the log: {@code fault}, or {@code signal} when nothing else has ended it. */
  String told() {
    return reason.get() == null ? "signal" : "fault";
  }

  private static CannotStart unfit(@Nullable Throwable why) {
    return CannotStart.failed(
        "The gateway cannot serve from this database: "
            + (why == null ? "no reason is known" : why.getMessage())
            + ". Its schema is not what this version migrated. Run the version that fits it, or"
            + " restore the schema.",
        why);
  }
}

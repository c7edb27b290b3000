package com.memoryendpoints.gateway.lease;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestServer;
import com.memoryendpoints.gateway.audit.AuditPage;
import com.memoryendpoints.gateway.audit.AuditPosition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A reader's cursor outlives the history that it was read in. */
class AuditErasTest {
  private static final PrimaryImage IMAGE = PrimaryImage.shared();

  private static AuditPage page(TestPod pod, AuditPosition after) {
    return pod.call(() -> pod.trail.read(TestPod.CALLER, after, 1_000));
  }

  private static TestPod pod(TestServer on) {
    return new TestPod(IMAGE.uri(on), 1, new LeaseSettings(0, false));
  }

  /** The ids of the lost transactions are given out again, below the cursor. */
  @Test
  void aPromotionThatLosesCommitsHidesNothingThatIsWrittenLater() {
    AuditPosition cursor;
    try (TestServer primary = IMAGE.primary();
        TestPod pod = pod(primary)) {
      for (int n = 0; n < 50; n++) {
        pod.memory();
      }
      cursor =
          Awaitility.await()
              .until(() -> page(pod, AuditPosition.START), page -> page.records().size() >= 50)
              .next();
    }
    try (TestServer promoted = IMAGE.promoted();
        TestPod pod = pod(promoted)) {
      assertThat(page(pod, cursor).records()).isEmpty();
      pod.memory();
      AuditPage resumed =
          Awaitility.await().until(() -> page(pod, cursor), page -> !page.records().isEmpty());
      assertThat(resumed.records()).extracting(event -> event.type()).contains("MEMORY_REGISTERED");
      assertThat(resumed.next().position()).isGreaterThan(cursor.position());
    }
  }
}

package com.memoryendpoints.gateway.reaper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.memoryendpoints.gateway.TestDatabase;
import io.vertx.core.Future;
import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An operator sees a transaction that keeps dead rows from being cleared away. */
class OldestTransactionTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  @Test
  void theAgeOfTheOldestTransactionIsToldWhileItIsOpenAndNobodyElses() throws Exception {
    try (TestReaper reaper = new TestReaper(DATABASE);
        Connection connection = DATABASE.connect();
        Statement statement = connection.createStatement()) {
      assertThat(oldest(reaper)).isNaN();
      reaper.pass();
      assertThat(oldest(reaper)).isZero();
      connection.setAutoCommit(false);
      statement.execute("SELECT pg_sleep(0.2)");
      reaper.pass();
      assertThat(oldest(reaper)).isGreaterThanOrEqualTo(0.2);
      connection.rollback();
      reaper.pass();
      assertThat(oldest(reaper)).isZero();
    }
  }

  @Test
  void whatIsNotKnownIsNoNumber() {
    try (TestReaper reaper = new TestReaper(DATABASE)) {
      reaper.pass();
      TestReaper.await(
          reaper.on(
              () -> {
                reaper.session.close();
                return Future.succeededFuture();
              }));
      assertThatThrownBy(reaper::pass).isInstanceOf(CompletionException.class);
      assertThat(oldest(reaper)).isNaN();
    }
  }

  private static double oldest(TestReaper reaper) {
    return reaper.meters.registry().get("db.oldest.transaction").gauge().value();
  }
}

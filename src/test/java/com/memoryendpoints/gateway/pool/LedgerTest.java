package com.memoryendpoints.gateway.pool;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.lease.TestPod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The statements that the README gives for a ledger of one's own do what it says (Law 6.2). */
class LedgerTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  private static TestPod pod;
  private static String anywhere;
  private static String besideTheHold;

  @BeforeAll
  static void start() throws IOException {
    String readme = Files.readString(Path.of("README.md"));
    String section = readme.substring(readme.indexOf("\n## Pools of identifiers"));
    List<String> blocks =
        Pattern.compile("(?s)```sql\n(.*?)```")
            .matcher(section)
            .results()
            .map(block -> block.group(1))
            .toList();
    String[] statements = blocks.get(0).split(";\n", 2);
    DATABASE.run(statements[0]);
    anywhere = statements[1].strip();
    besideTheHold = blocks.get(1);
    pod = new TestPod(DATABASE);
  }

  @AfterAll
  static void stop() {
    pod.close();
  }

  @Test
  void theWorkIsCompletedOnceByWhoeverIsNotLate() {
    Hold zombie = held("once");
    assertThat(writes(anywhere.replace("'COMPLETED')", "'STARTED')"), zombie)).isOne();
    Hold heir = handedOn(zombie);
    assertThat(writes(anywhere.replace("'COMPLETED')", "'STARTED')"), heir)).isOne();

    assertThat(writes(anywhere, zombie)).isZero();
    assertThat(writes(anywhere, heir)).isOne();
    assertThat(writes(anywhere, heir)).isZero();
    assertThat(entry(heir)).isEqualTo("COMPLETED by " + heir.token().value());
  }

  @Test
  void besideTheHoldAZombieIsRefusedFromItsLapseOn() {
    Hold holder = held("beside");
    assertThat(writes(besideTheHold, holder)).isOne();

    Hold zombie = held("lapsing");
    DATABASE.run(
        "UPDATE identifiers SET leased_until = clock_timestamp() WHERE identifier_id = '%s'"
            .formatted(zombie.identifierId()));
    assertThat(writes(besideTheHold, zombie)).isZero();
    Hold heir = handedOn(zombie);
    assertThat(writes(besideTheHold, zombie)).isZero();
    assertThat(writes(besideTheHold, heir)).isOne();
  }

  private static Hold held(String name) {
    TestPool pool = TestPool.made(pod, DATABASE, name, TestPool.NO_GRACE);
    pool.loads(name, 1);
    return pool.claimsOne();
  }

  /** Whoever has the identifier next. */
  private static Hold handedOn(Hold hold) {
    String name = hold.identifier().replaceAll("-.*", "");
    TestPool pool = new TestPool(pod, DATABASE, TestPod.CALLER, new PoolName(name));
    pool.lapse(hold);
    return pool.claimsOne();
  }

  private static int writes(String statement, Hold hold) {
    String asked =
        statement
            .replace("$1", "'" + hold.identifierId() + "'::uuid")
            .replace("$2", Long.toString(hold.token().value()))
            .replaceAll("--.*", "")
            .strip()
            .replaceAll(";$", "");
    String returning = asked.contains("RETURNING") ? asked : asked + " RETURNING fencing_token";
    return DATABASE.rows(returning).size();
  }

  private static Object entry(Hold hold) {
    return DATABASE.value(
        "SELECT status || ' by ' || fencing_token FROM business_ledger WHERE identifier_id = ?",
        hold.identifierId());
  }
}

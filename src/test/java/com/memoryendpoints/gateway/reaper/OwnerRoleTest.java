package com.memoryendpoints.gateway.reaper;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.DatabaseUri;
import com.memoryendpoints.gateway.config.SslMode;
import com.memoryendpoints.gateway.db.Schema;
import com.memoryendpoints.gateway.db.SessionOptions;
import com.memoryendpoints.gateway.lease.Lease;
import com.memoryendpoints.gateway.lease.LeaseSettings;
import com.memoryendpoints.gateway.lease.Revocation;
import com.memoryendpoints.gateway.lease.TestPod;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A role that owns the database, and has no other right, is enough for everything. */
class OwnerRoleTest {
  private static final String ROLE = "database_owner";

  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.empty();
  private static Config.Database database;

  @BeforeAll
  static void migrate() throws Exception {
    DATABASE.run("CREATE ROLE " + ROLE + " LOGIN");
    DATABASE.run("ALTER DATABASE " + DATABASE.name() + " OWNER TO " + ROLE);
    DatabaseUri uri = DatabaseUri.parse(DATABASE.uri().replace("postgres@", ROLE + "@"));
    database = new Config.Database(uri, SslMode.DISABLE, null, 1, 0);
    assertThat(Schema.migrate(database)).isPositive();
    Schema.requireNameKeys(database);
  }

  @AfterAll
  static void dropRole() {
    DATABASE.run("REASSIGN OWNED BY " + ROLE + " TO postgres");
    DATABASE.run("DROP ROLE " + ROLE);
  }

  @Test
  void theOwnerServesClaimsAndRevocations() {
    String uri = DATABASE.uri().replace("postgres@", ROLE + "@");
    try (TestPod pod = new TestPod(uri, 1, new LeaseSettings(0, false))) {
      UUID memory = pod.memory();
      Lease lease = pod.call(() -> pod.leases.claim(pod.claim("owned", memory))).lease();
      Revocation revocation = new Revocation(TestPod.CALLER, null, memory, null, "enough");
      assertThat(pod.call(() -> pod.leases.revoke(revocation)).value())
          .isGreaterThan(lease.fencingToken().value());
    }
  }

  @Test
  void theOwnerAnchorsTheEpoch() throws Exception {
    assertThat(Schema.anchorEpoch(database)).isEmpty();
    DATABASE.run("UPDATE fencing_epoch SET system_identifier = 1");
    assertThat(Schema.anchorEpoch(database).orElseThrow()).isGreaterThanOrEqualTo(64);
  }

  @Test
  void theOwnerKeepsTheDays() {
    Object day =
        DATABASE.value("SELECT max(tablename)::text FROM pg_tables WHERE tablename ~ '^idem.*_2'");
    DATABASE.run("DROP TABLE " + day);
    try (TestReaper reaper = new TestReaper(SessionOptions.of(database))) {
      reaper.pass();
    }
    assertThat(DATABASE.value("SELECT to_regclass(?)::text", day)).isEqualTo(day);
  }
}

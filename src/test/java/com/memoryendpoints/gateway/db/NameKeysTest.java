package com.memoryendpoints.gateway.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.config.CannotStart;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.DatabaseUri;
import com.memoryendpoints.gateway.config.SslMode;
import com.memoryendpoints.gateway.name.KeyVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Keys of two versions never stand in one database, and making them anew loses nobody's token. */
class NameKeysTest {
  private static final String TENANT = "0190aaaa-0000-7000-8000-000000000001";

  private final TestDatabase database = TestDatabase.migrated();
  private final List<String> told = new ArrayList<>();

  @BeforeEach
  void create() {
    database.beforeAll(null);
  }

  @AfterEach
  void drop() {
    database.close();
  }

  @Test
  void aDatabaseWithoutNamesTakesTheVersionOfTheGatewayThatStarts() throws Exception {
    database.run("DELETE FROM name_key_version");
    Schema.requireNameKeys(config());
    assertThat(version()).isEqualTo(KeyVersion.CURRENT);
  }

  @Test
  void keysOfAnotherVersionStopTheStartAndTheMessageSaysWhatToDo() {
    old();
    assertThatThrownBy(() -> Schema.requireNameKeys(config()))
        .isInstanceOf(CannotStart.class)
        .hasMessageContaining("made by ICU 70.1, Unicode 14.0.0")
        .hasMessageContaining(KeyVersion.CURRENT)
        .hasMessageContaining("Stop every gateway")
        .hasMessageContaining("rekey");
  }

  @Test
  void keysOfTheSameVersionAreLeftAlone() throws Exception {
    lease(1, "modern", "an odd key", 41, "0 min", true);
    assertThat(rekey()).isZero();
    assertThat(keys("leases")).containsExactly(Map.of("k", "an odd key"));
  }

  @Test
  void everyKeyIsMadeAnewAndEveryTokenIsKept() throws Exception {
    old();
    lease(1, "modern", "modern", 41, "0 min", true);
    lease(2, "agent7", "agent7", 42, "0 min", true);
    imported("9", "com", "com", "2020-01-01");

    assertThat(rekey()).isEqualTo(3);

    assertThat(version()).isEqualTo(KeyVersion.CURRENT);
    assertThat(keys("leases")).containsExactly(Map.of("k", "agent7"), Map.of("k", "rnodern"));
    assertThat(keys("agent_names")).containsExactly(Map.of("k", "agent7"), Map.of("k", "rnodern"));
    assertThat(keys("imported_agents")).containsExactly(Map.of("k", "corn"));
    assertThat(database.value("SELECT last_token FROM agent_names WHERE name_key = 'rnodern'"))
        .isEqualTo(41L);
    assertThat(told).isEmpty();
    assertThat(rekey()).isZero();
  }

  @Test
  void ofTwoLiveLookAlikesTheOldestKeepsItsLeaseAndTheOtherIsTold() throws Exception {
    old();
    lease(1, "modern", "modern", 41, "2 min", true);
    lease(2, "rnodern", "rnodern", 57, "1 min", true);

    rekey();

    assertThat(told)
        .containsExactly(
            "The lease on rnodern of tenant " + TENANT + " has ended: an older one looks alike.");
    assertThat(database.rows("SELECT canonical_name AS k FROM leases WHERE name_key = 'rnodern'"))
        .containsExactly(Map.of("k", "modern"));
    // The name is one now, and its next token is above both.
    assertThat(database.rows("SELECT canonical_name AS n, last_token AS t FROM agent_names"))
        .containsExactly(Map.of("n", "modern", "t", 57L));
  }

  @Test
  void aLiveLeaseKeepsItsNameBeforeAnOlderDeadOne() throws Exception {
    old();
    lease(1, "modern", "modern", 41, "9 min", false);
    lease(2, "rnodern", "rnodern", 57, "1 min", true);

    rekey();

    assertThat(told).isEmpty();
    assertThat(database.rows("SELECT canonical_name AS k FROM leases WHERE name_key IS NOT NULL"))
        .containsExactly(Map.of("k", "rnodern"));
  }

  @Test
  void keysThatChangePlacesAreAllMadeAnew() throws Exception {
    old();
    lease(1, "modern", "odd", 41, "0 min", true);
    lease(2, "odd", "rnodern", 42, "0 min", true);

    rekey();

    assertThat(database.rows("SELECT canonical_name AS n, name_key AS k FROM leases ORDER BY 1"))
        .containsExactly(Map.of("n", "modern", "k", "rnodern"), Map.of("n", "odd", "k", "odd"));
  }

  @Test
  void theYoungerOfTwoImportedLookAlikesGetsAMintedName() throws Exception {
    old();
    imported("1", "modern", "modern", "2021-01-01");
    imported("2", "rnodern", "rnodern", "2020-01-01");

    rekey();

    assertThat(told).singleElement().asString().contains("imported agent 1", "may claim modern-");
    assertThat(
            database.value(
                "SELECT canonical_name ~ '^modern-[0-9a-f-]{36}$' AND outcome = 2"
                    + " FROM imported_agents WHERE legacy_id = '1'"))
        .isEqualTo(true);
    assertThat(database.value("SELECT outcome FROM imported_agents WHERE legacy_id = '2'"))
        .isEqualTo(1);
  }

  private long rekey() throws Exception {
    return Schema.rekey(config(), told::add);
  }

  private void old() {
    database.run("UPDATE name_key_version SET version = 'ICU 70.1, Unicode 14.0.0'");
  }

  private Object version() {
    return database.value("SELECT version FROM name_key_version");
  }

  private List<Map<String, Object>> keys(String table) {
    return database.rows("SELECT name_key AS k FROM " + table + " ORDER BY 1");
  }

  private void lease(
      int n, String canonicalName, String key, long token, String age, boolean live) {
    String memoryId = "0190aaaa-0000-7000-8000-00000000000" + n;
    database.run(
        "INSERT INTO memory_instances (memory_id, tenant_id, created_at) VALUES ('%s', '%s', now())"
            .formatted(memoryId, TENANT));
    database.run(
        """
        INSERT INTO leases (memory_id, tenant_id, last_token, granted_at, expires_at, ended_as,
          name_key, canonical_name)
        VALUES ('%s', '%s', %d, now() - interval '%s', now() + interval '%s min', 0, '%s', '%s')
        """
            .formatted(memoryId, TENANT, token, age, live ? 5 : -5, key, canonicalName));
    database.run(
        """
        INSERT INTO agent_names (name_key, canonical_name, display_name, last_token,
          last_memory_id, last_granted_at)
        VALUES ('%s', '%s', '%s', %d, '%s', now() - interval '%s')
        """
            .formatted(key, canonicalName, canonicalName, token, memoryId, age));
  }

  private void imported(String legacyId, String canonicalName, String key, String createdAt) {
    database.run(
        """
        INSERT INTO imported_agents (tenant_id, legacy_id, created_at, outcome, display_name,
          canonical_name, name_key)
        VALUES ('%s', '%s', '%s', 1, 'Any', '%s', '%s')
        """
            .formatted(TENANT, legacyId, createdAt, canonicalName, key));
  }

  private Config.Database config() {
    return new Config.Database(DatabaseUri.parse(database.uri()), SslMode.DISABLE, null, 1, 0);
  }
}

package com.memoryendpoints.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the tests stand on. */
class TestDatabaseTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.empty();

  @Test
  void aTestClassHasADatabaseOfItsOwn() {
    DATABASE.run("CREATE TABLE t AS SELECT 42 AS n");
    assertThat(DATABASE.value("SELECT n FROM t WHERE n = ?", 42)).isEqualTo(42);
    assertThat(DATABASE.value("SELECT current_database()")).isEqualTo(DATABASE.name());
  }

  @Test
  void aServerOfOnesOwnKeepsItsDataOverAKill() {
    try (TestServer server = TestServer.start()) {
      int port = server.port();
      server.run("postgres", "CREATE TABLE kept AS SELECT 1");
      server.run("postgres", "CHECKPOINT");
      server.kill();
      assertThatThrownBy(() -> server.connect("postgres")).hasMessageContaining("no connection");
      server.restart();
      server.run("postgres", "INSERT INTO kept VALUES (2)");
      assertThat(server.port()).isEqualTo(port);
    }
  }
}

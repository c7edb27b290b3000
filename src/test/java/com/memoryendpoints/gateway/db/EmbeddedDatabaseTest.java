package com.memoryendpoints.gateway.db;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.memoryendpoints.gateway.GatewayProcess;
import com.memoryendpoints.gateway.config.CannotStart;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.DatabaseUri;
import com.memoryendpoints.gateway.config.SslMode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The database that is there when nobody named one: durable, alone, and never in the way. */
class EmbeddedDatabaseTest {

  /** Unpacked once for all tests of a machine. */
  static final Path BINARIES = GatewayProcess.HOME.resolve(".lease-gateway");

  /** Made once and copied for each test. */
  @TempDir private static Path made;

  @TempDir private Path directory;
  private EmbeddedDatabase database;

  @BeforeAll
  static void make() {
    EmbeddedDatabase.open(made, BINARIES, 0).close();
  }

  @AfterEach
  void close() {
    if (database != null) {
      database.close();
    }
  }

  @Test
  void theServerIsDurableAndOnLoopbackOnly() throws SQLException {
    database = open();
    Map<String, String> settings =
        Map.of(
            "fsync", "on",
            "synchronous_commit", "on",
            "full_page_writes", "on",
            "data_checksums", "on",
            "listen_addresses", "127.0.0.1",
            "unix_socket_directories", "",
            "server_encoding", "UTF8",
            "log_truncate_on_rotation", "on",
            "server_version_num", "18");
    for (String silent : List.of("log_parameter_max_length", "log_parameter_max_length_on_error")) {
      assertThat(ask(database.uri(), "SHOW " + silent)).isEqualTo("0");
    }
    assertThat(ask(database.uri(), "SHOW log_error_verbosity")).isEqualTo("terse");

    for (Map.Entry<String, String> setting : settings.entrySet()) {
      assertThat(ask(database.superuser(), "SHOW " + setting.getKey()))
          .as(setting.getKey())
          .startsWith(setting.getValue());
    }
    assertThat(PostgresBinaries.MAJOR).isEqualTo("18");
  }

  @Test
  void theGatewayIsAnOrdinaryRoleThatOwnsItsDatabaseAndNeedsItsPassword() throws SQLException {
    database = open();

    assertThat(ask(database.uri(), "SELECT rolsuper FROM pg_roles WHERE rolname = current_user"))
        .isEqualTo("f");
    run(database.uri(), "CREATE TABLE owned (id int)");
    DatabaseUri uri = database.uri();
    DatabaseUri nobody =
        new DatabaseUri(uri.host(), uri.port(), uri.database(), uri.user(), "another password");
    assertThatThrownBy(() -> ask(nobody, "SELECT 1")).hasMessageContaining("password");
  }

  /** At each start the role is there already, and the statement with its password fails. */
  @Test
  void noPasswordIsInItsLog() throws IOException {
    database = open();
    database.close();
    database = open();
    String password = database.uri().password();
    Path log = database.directory().resolve("log");

    await().atMost(20, SECONDS).until(() -> text(log).contains("already exists"));
    assertThat(text(log)).doesNotContain(password, "PASSWORD");
  }

  private static String text(Path directory) throws IOException {
    StringBuilder text = new StringBuilder();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        text.append(Files.readString(file));
      }
    }
    return text.toString();
  }

  @Test
  void aRestartKeepsWhatWasCommittedAndThePassword() throws SQLException {
    database = open();
    run(database.uri(), "CREATE TABLE kept AS SELECT 42 AS answer");
    String password = database.uri().password();
    database.close();

    database = open();

    assertThat(ask(database.uri(), "SELECT answer FROM kept")).isEqualTo("42");
    assertThat(database.uri().password()).isEqualTo(password);
  }

  @Test
  void closingStopsTheServer() {
    database = open();
    ProcessHandle process = database.postmaster().orElseThrow();

    database.close();

    await().atMost(10, SECONDS).until(() -> !isRunning(process));
    assertThat(EmbeddedDatabase.attach(directory)).isEmpty();
  }

  @Test
  void aSecondGatewayOnTheDirectoryIsRefusedAndTheFirstGoesOn() throws SQLException {
    database = open();

    assertThatThrownBy(this::open)
        .isInstanceOf(CannotStart.class)
        .hasMessageContaining(
            "is used by another gateway, process " + ProcessHandle.current().pid())
        .extracting(e -> ((CannotStart) e).exitCode())
        .isEqualTo(2);
    assertThat(ask(database.uri(), "SELECT 1")).isEqualTo("1");
  }

  @Test
  void dataOfAnotherMajorIsRefusedAndNotTouched() throws IOException {
    Path data = Files.createDirectory(directory.resolve("data"));
    Files.writeString(data.resolve("PG_VERSION"), "15\n");

    assertThatThrownBy(this::open)
        .isInstanceOf(CannotStart.class)
        .hasMessageContaining("was made by PostgreSQL 15")
        .hasMessageContaining("Nothing was changed");
    assertThat(data.toFile().list()).containsExactly("PG_VERSION");
  }

  @Test
  void aBareDataDirectoryIsRefusedAndNotTouched() throws IOException {
    Files.writeString(directory.resolve("PG_VERSION"), "18\n");

    assertThatThrownBy(this::open)
        .isInstanceOf(CannotStart.class)
        .hasMessageContaining("is itself the data directory of a PostgreSQL 18");
  }

  @Test
  void aServerThatAKilledGatewayLeftIsStoppedAndItsDataServedAgain() throws Exception {
    Leftover leftover = Leftover.in(directory);
    ProcessHandle process = leftover.process();
    assertThat(isRunning(process)).isTrue();

    database = open();

    await().atMost(10, SECONDS).until(() -> !isRunning(process));
    assertThat(ask(database.uri(), "SELECT 1")).isEqualTo("1");
  }

  @Test
  void aServerThatWasKilledWithItsGatewayIsRecovered() throws Exception {
    Leftover leftover = Leftover.in(directory);
    leftover.process().destroyForcibly();

    database = open();

    assertThat(ask(database.uri(), "SELECT 1")).isEqualTo("1");
  }

  @Test
  void aStalePidFileWhoseNumberIsAnotherProcessNowIsForgotten() throws Exception {
    database = open();
    database.close();
    Process stranger = new ProcessBuilder("cat").start();
    Files.write(
        directory.resolve("data/postmaster.pid"),
        List.of("" + stranger.pid(), directory.resolve("data").toString(), "0", "1", "", "", ""));

    database = open();

    assertThat(ask(database.uri(), "SELECT 1")).isEqualTo("1");
    assertThat(stranger.isAlive()).isTrue();
    stranger.destroy();
  }

  @Test
  void aServerThatDiesIsStartedAgainOnItsPort() throws SQLException {
    database = open();
    run(database.uri(), "CREATE TABLE kept AS SELECT 42 AS answer");
    ProcessHandle process = database.postmaster().orElseThrow();

    process.destroyForcibly();

    await()
        .atMost(30, SECONDS)
        .ignoreExceptions()
        .until(() -> ask(database.uri(), "SELECT answer FROM kept").equals("42"));
    assertThat(database.postmaster()).isPresent().get().isNotEqualTo(process);
  }

  @Test
  void aFrozenServerIsLeftAloneAndStillStopsWhenTheGatewayDoes() throws Exception {
    database = open();
    ProcessHandle process = database.postmaster().orElseThrow();

    signal("STOP", process);
    await().pollDelay(Duration.ofMillis(500)).until(() -> true);
    assertThat(database.postmaster()).contains(process);

    database.close();
    await().atMost(10, SECONDS).until(() -> !isRunning(process));
  }

  @Test
  void aSubcommandFindsTheRunningServer() throws SQLException {
    assertThat(EmbeddedDatabase.attach(directory)).isEmpty();
    database = open();

    DatabaseUri found = EmbeddedDatabase.attach(directory).orElseThrow();

    assertThat(found).isEqualTo(database.uri());
    assertThat(ask(found, "SELECT 1")).isEqualTo("1");
  }

  @Test
  void aPortThatIsTakenIsNamedAndTheDirectoryIsFreeAgain() throws Exception {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = socket.getLocalPort();
      assertThatThrownBy(() -> EmbeddedDatabase.open(directory, BINARIES, port))
          .isInstanceOf(CannotStart.class)
          .hasMessageContaining("database.embedded_port " + port + " is in use");
    }

    database = open();
    assertThat(database.postmaster()).isPresent();
  }

  /** As for root in a container that forbids user namespaces: the server runs as the owner. */
  @Test
  void rootStartsTheServerAsTheOwnerOfItsData() throws Exception {
    assumeThat(System.getProperty("user.name")).isEqualTo("root");
    copy(directory);
    run("chown", "-R", "65534", directory.resolve("data").toString());

    database = open();

    assertThat(ask(database.uri(), "SELECT 1")).isEqualTo("1");
    assertThat(database.postmaster().orElseThrow().info().user()).hasValue("nobody");
  }

  @Test
  void whatIsKeptIsReadableByItsOwnerOnly() throws IOException {
    database = open();

    assertThat(mode(database.directory().resolve("database-password"))).isEqualTo("rw-------");
    assertThat(mode(database.data())).isEqualTo("rwx------");
  }

  @Test
  void aDirectoryThatCannotBeMadeIsNamed() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));

    assertThatThrownBy(() -> EmbeddedDatabase.open(file.resolve("below"), BINARIES, 0))
        .isInstanceOf(CannotStart.class)
        .hasMessageContaining(file.resolve("below").toString())
        .hasMessageContaining("database.embedded_data_dir");
  }

  /** On a copy of the data that was made, unless the test has put data there itself. */
  private EmbeddedDatabase open() {
    if (!Files.exists(directory.resolve("data"))
        && !Files.exists(directory.resolve("PG_VERSION"))) {
      copy(directory);
    }
    return EmbeddedDatabase.open(directory, BINARIES, 0);
  }

  /** What a gateway leaves that is killed: a running server whose directory nobody locks. */
  private record Leftover(ProcessHandle process) {
    static Leftover in(Path directory) throws Exception {
      copy(directory);
      Path data = directory.resolve("data");
      PostgresBinaries binaries = PostgresBinaries.in(BINARIES);
      PostgresCommands.of(binaries, directory, data)
          .run(
              "pg_ctl",
              List.of("-D", data.toString(), "-w", "-l", directory + "/leftover.log", "start"));
      return new Leftover(Postmaster.of(data).orElseThrow().handle());
    }
  }

  /** A dead process that its parent has not waited for yet is no longer running. */
  private static boolean isRunning(ProcessHandle process) {
    return new Postmaster(process, 0).isAlive();
  }

  private static void copy(Path directory) {
    run("cp", "-a", made + "/.", directory.toString());
  }

  private static void run(String... command) {
    try {
      assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void signal(String name, ProcessHandle process) {
    run("sh", "-c", "kill -" + name + " " + process.pid());
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private static void run(DatabaseUri uri, String sql) throws SQLException {
    try (Connection connection = connect(uri);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String ask(DatabaseUri uri, String sql) throws SQLException {
    try (Connection connection = connect(uri);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }

  private static Connection connect(DatabaseUri uri) throws SQLException {
    return Jdbc.connect(new Config.Database(uri, SslMode.DISABLE, null, 1, 0));
  }
}

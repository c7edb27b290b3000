package com.memoryendpoints.gateway;

import com.memoryendpoints.gateway.name.KeyVersion;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;

/**
 * One embedded PostgreSQL. Most tests use {@link #shared()} through a {@link TestDatabase}; who
 * stops, kills or freezes the server takes one of their own with {@link #start}.
 */
public final class TestServer implements AutoCloseable {
  /** A database that is migrated once and copied for every test class. */
  private static final String TEMPLATE = "gateway_template";

  /** Crash recovery on a busy machine included. */
  private static final Duration STARTUP_MAX = Duration.ofSeconds(60);

  private static final String PROCESS_FILE = "postmaster.pid";
  private static final int PORT_MIN = 20_000;
  private static final int PORT_MAX = 32_000;

  private final Path dataDirectory;
  private final Map<String, String> settings;
  private final Thread closeAtExit = new Thread(this::close, "test-server-close");
  private int port;
  private EmbeddedPostgres postgres;
  private boolean templateMade;
  private int databases;

  private static final class Shared {
    static final TestServer SERVER = start(Map.of());
  }

  private TestServer(Path dataDirectory, Map<String, String> settings) {
    this.dataDirectory = dataDirectory;
    this.settings = settings;
  }

  /** The one server that this JVM's tests share; fast, not durable, stopped when the JVM ends. */
  public static TestServer shared() {
    return Shared.SERVER;
  }

  /** A server of the caller's own, not durable. */
  public static TestServer start() {
    return start(Map.of());
  }

  /**
   * A server of the caller's own.
   *
   * @param settings on top of the defaults, such as {@code fsync=on, synchronous_commit=on}
   */
  public static TestServer start(Map<String, String> settings) {
    try {
      return start(new TestServer(Files.createTempDirectory("gateway-test-server"), settings));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A copy of this server's data as it is on disk now, started on a port of its own: what a
   * restored volume would be. This server must be stopped or killed.
   */
  public TestServer copy() {
    return copy(Map.of());
  }

  /** The same as a standby, which replays what it has and stays one until {@link #promote}. */
  public TestServer standby() {
    return copy(Map.of("standby.signal", ""));
  }

  /** Makes a primary of a standby, on the next timeline; returns when it is one. */
  public void promote() {
    run("postgres", "SELECT pg_promote()");
  }

  /** The TCP port on 127.0.0.1; stays the same over restarts. */
  public int port() {
    return port;
  }

  /** Where the cluster lives. */
  public Path dataDirectory() {
    return dataDirectory;
  }

  /** Starts the server on the same data and port after {@link #stop} or {@link #kill}. */
  public synchronized void restart() {
    try {
      port = port == 0 ? freePort() : port;
      EmbeddedPostgres.Builder builder =
          EmbeddedPostgres.builder()
              .setDataDirectory(dataDirectory)
              .setCleanDataDirectory(false)
              .setRegisterShutdownHook(false)
              .setPGStartupWait(STARTUP_MAX)
              .setPort(port);
      settings.forEach(builder::setServerConfig);
      postgres = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Stops the server as an operator would: sessions are terminated, everything is written. */
  public synchronized void stop() {
    try {
      postgres.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Kills every process of the server at once, as a lost machine would. */
  public synchronized void kill() {
    List<ProcessHandle> processes = processes();
    processes.forEach(ProcessHandle::destroyForcibly);
    processes.forEach(process -> process.onExit().orTimeout(10, TimeUnit.SECONDS).join());
    stop();
  }

  /** Freezes every process of the server (SIGSTOP): connections stay open, nothing answers. */
  public void freeze() {
    signal("-STOP", processes());
  }

  /** Ends {@link #freeze}. */
  public void thaw() {
    signal("-CONT", processes());
  }

  /** The postmaster's process id. */
  public long postmaster() {
    try (Stream<String> lines = Files.lines(dataDirectory.resolve(PROCESS_FILE))) {
      return Long.parseLong(lines.findFirst().orElseThrow().strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A JDBC connection of the superuser. */
  public Connection connect(String database) {
    try {
      return postgres.getDatabase("postgres", database).getConnection();
    } catch (SQLException e) {
      throw new IllegalStateException("no connection to " + database, e);
    }
  }

  /** Stops the server and removes its data. */
  @Override
  public synchronized void close() {
    if (!Files.exists(dataDirectory)) {
      return;
    }
    stop();
    try (Stream<Path> files = Files.walk(dataDirectory)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes an empty database, or a copy of the migrated template; answers its name. */
  synchronized String create(boolean migrated) {
    if (migrated && !templateMade) {
      run("postgres", "CREATE DATABASE " + TEMPLATE);
      migrate(TEMPLATE);
      templateMade = true;
    }
    String name = "test_" + ++databases;
    run("postgres", "CREATE DATABASE " + name + (migrated ? " TEMPLATE " + TEMPLATE : ""));
    return name;
  }

  void drop(String database) {
    run("postgres", "DROP DATABASE IF EXISTS " + database + " WITH (FORCE)");
  }

  void run(String database, String sql) {
    try (Connection connection = connect(database);
        var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("failed: " + sql, e);
    }
  }

  /**
   * Below the ports that systems hand out to outgoing connections: a pod that dials a dead server
   * there can be given that very port, connect to itself, and keep the server from coming back.
   */
  private static int freePort() {
    return new Random()
        .ints(PORT_MIN, PORT_MAX)
        .filter(TestServer::isFree)
        .findFirst()
        .orElseThrow();
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }

  private static TestServer start(TestServer server) {
    server.restart();
    Runtime.getRuntime().addShutdownHook(server.closeAtExit);
    return server;
  }

  private TestServer copy(Map<String, String> filesAdded) {
    try (Stream<Path> files = Files.walk(dataDirectory)) {
      Path copy = Files.createTempDirectory("gateway-test-copy");
      for (Path file : files.filter(this::isCopied).toList()) {
        Files.copy(
            file, copy.resolve(dataDirectory.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
      }
      for (Map.Entry<String, String> file : filesAdded.entrySet()) {
        Files.writeString(copy.resolve(file.getKey()), file.getValue());
      }
      return start(new TestServer(copy, settings));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isCopied(Path file) {
    return !file.equals(dataDirectory) && !file.endsWith(PROCESS_FILE);
  }

  private void migrate(String database) {
    Flyway.configure()
        .dataSource(postgres.getDatabase("postgres", database))
        .locations("classpath:db/migration")
        .load()
        .migrate();
    run(database, "INSERT INTO name_key_version (version) VALUES ('" + KeyVersion.CURRENT + "')");
  }

  private List<ProcessHandle> processes() {
    ProcessHandle postmaster = ProcessHandle.of(postmaster()).orElseThrow();
    List<ProcessHandle> processes = new ArrayList<>(List.of(postmaster));
    postmaster.descendants().forEach(processes::add);
    return processes;
  }

  private static void signal(String signal, List<ProcessHandle> processes) {
    List<String> command = new ArrayList<>(List.of("kill", signal));
    processes.forEach(process -> command.add(Long.toString(process.pid())));
    try {
      // A backend may have ended by itself meanwhile; kill then signals the others and says so.
      new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}

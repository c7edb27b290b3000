package com.memoryendpoints.gateway.db;

import com.memoryendpoints.gateway.config.CannotStart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One PostgreSQL server process on one data directory: made, started, started again, stopped. Its
 * settings are written anew at each start, so that an upgrade of the gateway reaches old data.
 */
final class EmbeddedServer {
  static final String HOST = "127.0.0.1";

  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedServer.class);
  private static final String SETTINGS_FILE = "gateway.conf";
  private static final String VERSION_FILE = "PG_VERSION";
  private static final String LOG_FILE = "postgresql-start.log";
  private static final String LOG_DIRECTORY = "log";
  private static final int START_SECONDS_MAX = 120;
  private static final int STOP_SECONDS_MAX = 20;
  private static final int START_ATTEMPTS_MAX = 20;
  private static final int LOG_LINES_SHOWN = 3;

  /**
   * Below the ports that systems hand out to outgoing connections: a client that dials a dead
   * server there can be given that very port, connect to itself, and keep the server from its port.
   */
  private static final int PORT_MIN = 20_000;

  private static final int PORT_MAX = 32_000;

  private final Path directory;
  private final Path data;
  private final PostgresCommands commands;
  private final int port;
  private boolean stopped;

  private EmbeddedServer(Path directory, PostgresCommands commands, int port) {
    this.directory = directory;
    this.data = dataIn(directory);
    this.commands = commands;
    this.port = port;
  }

  /** Where the data is below a state directory. */
  static Path dataIn(Path directory) {
    return directory.resolve("data");
  }

  /** Whether there is data of a PostgreSQL in a directory; also when nobody may look. */
  static boolean hasData(Path directory) {
    return !Files.notExists(directory.resolve(VERSION_FILE))
        || !Files.notExists(dataIn(directory).resolve(VERSION_FILE));
  }

  /**
   * Refuses a directory with data that this server cannot open, before anything is touched.
   *
   * @throws CannotStart with what to do
   */
  static void refuseForeignData(Path directory) {
    if (Files.exists(directory.resolve(VERSION_FILE))) {
      throw CannotStart.misconfigured(
          "The directory "
              + directory
              + " is itself the data directory of a PostgreSQL "
              + versionIn(directory)
              + ". The gateway keeps more beside its data: set database.embedded_data_dir to a"
              + " directory of its own. Nothing was changed.");
    }
    String version = versionIn(dataIn(directory));
    if (!version.isEmpty() && !version.equals(PostgresBinaries.MAJOR)) {
      throw CannotStart.misconfigured(
          "The data in "
              + dataIn(directory)
              + " was made by PostgreSQL "
              + version
              + ", and the embedded PostgreSQL "
              + PostgresBinaries.MAJOR
              + " cannot open it. Set database.embedded_data_dir to another directory, or dump the"
              + " data with PostgreSQL "
              + version
              + " and restore it into the new one. Nothing was changed.");
    }
  }

  /** Starts the server, making its data first when there is none. */
  static EmbeddedServer start(
      Path directory, PostgresBinaries binaries, Path passwordFile, int wantedPort) {
    PostgresCommands commands = PostgresCommands.of(binaries, directory, dataIn(directory));
    try {
      stopLeftover(dataIn(directory), commands);
      if (versionIn(dataIn(directory)).isEmpty()) {
        initialize(directory, commands, passwordFile);
      }
      if (wantedPort != 0) {
        refuseTaken(wantedPort);
        return started(new EmbeddedServer(directory, commands, wantedPort));
      }
      return started(new EmbeddedServer(directory, commands, freePort()));
    } catch (IOException e) {
      throw CannotStart.misconfigured(
          "The embedded PostgreSQL cannot use " + directory + ": " + e + ".", e);
    }
  }

  int port() {
    return port;
  }

  Path data() {
    return data;
  }

  /** Whether the process is there, be it frozen. */
  boolean isRunning() {
    return Postmaster.of(data).isPresent();
  }

  /** Starts the server again after its process is gone, unless it was stopped. */
  synchronized void restart() throws IOException {
    if (!stopped) {
      launch();
    }
  }

  /** Stops the server for good: at once for its clients, but with everything written. */
  synchronized void stop() {
    stopped = true;
    stopLeftover(data, commands);
  }

  private static EmbeddedServer started(EmbeddedServer server) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        server.launch();
        return server;
      } catch (CannotStart e) {
        // The children of a killed server need a moment to notice; until then its memory is in use.
        if (attempt == START_ATTEMPTS_MAX
            || !String.valueOf(e.getMessage()).contains("shared memory")) {
          throw e;
        }
      }
    }
  }

  private void launch() throws IOException {
    Postmaster.forgetDead(data);
    Path log = directory.resolve(LOG_FILE);
    Files.deleteIfExists(log);
    Files.createFile(log);
    commands.give(log);
    writeSettings();
    PostgresCommands.Outcome outcome =
        commands.run(
            "pg_ctl",
            List.of(
                "-D",
                data.toString(),
                "-l",
                log.toString(),
                "-w",
                "-t",
                "" + START_SECONDS_MAX,
                "start"));
    if (!outcome.ok()) {
      throw CannotStart.failed(
          "The embedded PostgreSQL does not start on " + data + ": " + reason(log, outcome), null);
    }
  }

  private static void initialize(Path directory, PostgresCommands commands, Path passwordFile)
      throws IOException {
    LOG.info("Making a new database in {}.", dataIn(directory));
    Path draft = directory.resolve("data.draft");
    PostgresBinaries.delete(draft);
    Files.createDirectory(draft);
    commands.give(draft);
    PostgresCommands.Outcome outcome =
        commands.run(
            "initdb",
            List.of(
                "-D",
                draft.toString(),
                "--username=postgres",
                "--pwfile=" + passwordFile,
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--no-locale",
                "--data-checksums"));
    if (!outcome.ok()) {
      throw CannotStart.failed(
          "The embedded PostgreSQL cannot make its data in " + directory + ": " + outcome.output(),
          null);
    }
    Files.writeString(
        draft.resolve("postgresql.conf"),
        "\ninclude = '" + SETTINGS_FILE + "'\n",
        StandardOpenOption.APPEND);
    Files.move(draft, dataIn(directory), StandardCopyOption.ATOMIC_MOVE);
  }

  private void writeSettings() throws IOException {
    Path file = data.resolve(SETTINGS_FILE);
    Files.writeString(
        file,
        """
        # Written by the gateway at each start.
        listen_addresses = '%s'
        port = %d
        unix_socket_directories = ''
        max_connections = 200
        fsync = on
        synchronous_commit = on
        full_page_writes = on
        shared_buffers = 128MB
        max_wal_size = 2GB
        checkpoint_timeout = 15min
        timezone = 'UTC'
        log_timezone = 'UTC'
        logging_collector = on
        log_directory = '%s'
        log_filename = 'postgresql-%%a.log'
        log_rotation_age = 1d
        log_rotation_size = 0
        log_truncate_on_rotation = on
        log_checkpoints = off
        log_parameter_max_length = 0
        log_error_verbosity = terse
        """
            .formatted(HOST, port, directory.resolve(LOG_DIRECTORY).toString().replace("'", "''")));
    commands.give(file);
  }

  /** Stops the live server of a data directory, if there is one. */
  private static void stopLeftover(Path data, PostgresCommands commands) {
    Optional<Postmaster> running = Postmaster.of(data);
    if (running.isEmpty()) {
      return;
    }
    if (running.get().isFrozen()) {
      commands.signal("CONT", running.get().handle().pid());
    }
    for (String mode : List.of("fast", "immediate")) {
      PostgresCommands.Outcome outcome =
          commands.run(
              "pg_ctl",
              List.of(
                  "-D", data.toString(), "-m", mode, "-w", "-t", "" + STOP_SECONDS_MAX, "stop"));
      if (outcome.ok() || !running.get().isAlive()) {
        return;
      }
    }
    throw CannotStart.misconfigured(
        "The PostgreSQL server with process id "
            + running.get().handle().pid()
            + " on "
            + data
            + " does not stop. Stop it by hand and start the gateway again.");
  }

  private String reason(Path log, PostgresCommands.Outcome outcome) throws IOException {
    String lines = lastLines(log);
    Path collected = directory.resolve(LOG_DIRECTORY);
    if (Files.isDirectory(collected)) {
      try (Stream<Path> files = Files.list(collected)) {
        Optional<Path> newest = files.max(Comparator.comparing(EmbeddedServer::modified));
        lines += newest.isPresent() ? "\n" + lastLines(newest.get()) : "";
      }
    }
    return lines.isBlank() ? outcome.output() : lines;
  }

  private static String lastLines(Path log) throws IOException {
    List<String> lines = Files.readAllLines(log);
    return lines.stream()
        .skip(Math.max(0, lines.size() - LOG_LINES_SHOWN))
        .collect(Collectors.joining("\n"));
  }

  private static FileTime modified(Path file) {
    try {
      return Files.getLastModifiedTime(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String versionIn(Path data) {
    try {
      return Files.readString(data.resolve(VERSION_FILE)).strip();
    } catch (IOException e) {
      return "";
    }
  }

  private static void refuseTaken(int port) {
    if (!isFree(port)) {
      throw CannotStart.misconfigured(
          "database.embedded_port "
              + port
              + " is in use on "
              + HOST
              + ". Stop what listens there, or set another port, or 0 for a free one.");
    }
  }

  private static int freePort() {
    for (int attempt = 0; attempt < PORT_MAX - PORT_MIN; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(PORT_MIN, PORT_MAX);
      if (isFree(port)) {
        return port;
      }
    }
    throw CannotStart.failed("No port from " + PORT_MIN + " to " + PORT_MAX + " is free.", null);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}

package com.memoryendpoints.gateway.db;

import com.memoryendpoints.gateway.config.CannotStart;
import com.memoryendpoints.gateway.config.DatabaseUri;
import com.memoryendpoints.gateway.config.Secrets;
import com.memoryendpoints.gateway.config.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PostgreSQL of the gateway's own, for development and for trying things out: durable, on
 * loopback only, its data in a directory that survives the process. One gateway at a time owns the
 * directory. A server that a killed gateway left behind is stopped before the next one starts, and
 * a server that dies is started again; one that is merely frozen is left alone.
 *
 * <p>Blocking: opened before any event loop and closed after all of them.
 */
public final class EmbeddedDatabase implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedDatabase.class);
  private static final String SUPERUSER = "postgres";
  private static final String PASSWORD_FILE = "database-password";
  private static final int WATCH_INTERVAL_MS = 100;
  private static final int RESTART_BACKOFF_MS_MAX = 5_000;

  private final StateDirectory state;
  private final EmbeddedServer server;
  private final String password;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread watch = new Thread(this::watch, "embedded-database-watch");

  private EmbeddedDatabase(StateDirectory state, EmbeddedServer server, String password) {
    this.state = state;
    this.server = server;
    this.password = password;
  }

  /**
   * Starts the server on the directory's data, which is made when there is none. The first start
   * takes some seconds.
   *
   * @param directory the state directory; stays locked until {@link #close}
   * @param binaries where the server's programs are unpacked, shared between directories
   * @param port 0 for a free one
   * @throws CannotStart when this build has no server, or the directory cannot be used, is in use,
   *     or holds the data of another PostgreSQL; nothing is changed then
   */
  public static EmbeddedDatabase open(Path directory, Path binaries, int port) {
    PostgresBinaries.archive();
    StateDirectory state = StateDirectory.open(directory).lock();
    try {
      EmbeddedServer.refuseForeignData(state.path());
      PostgresBinaries programs = PostgresBinaries.in(binaries);
      String password = state.secret(PASSWORD_FILE, Secrets::mint);
      EmbeddedServer server =
          EmbeddedServer.start(state.path(), programs, state.path().resolve(PASSWORD_FILE), port);
      return watched(new EmbeddedDatabase(state, server, password));
    } catch (RuntimeException e) {
      state.close();
      throw e;
    }
  }

  /** Whether there is data in a state directory, be it such as {@link #open} refuses. */
  public static boolean isIn(Path directory) {
    return EmbeddedServer.hasData(directory);
  }

  private static EmbeddedDatabase watched(EmbeddedDatabase database) {
    try {
      Bootstrap.ensure(database.superuser(), database.password);
      database.watch.setDaemon(true);
      database.watch.start();
      return database;
    } catch (RuntimeException e) {
      database.server.stop();
      throw e;
    }
  }

  /**
   * The server that a running gateway keeps on this directory, for a subcommand beside it.
   *
   * @return where it listens, or nothing when none runs
   */
  public static Optional<DatabaseUri> attach(Path directory) {
    if (!Files.isReadable(directory.resolve(PASSWORD_FILE))) {
      return Optional.empty();
    }
    StateDirectory state = StateDirectory.open(directory);
    return Postmaster.of(EmbeddedServer.dataIn(state.path()))
        .map(
            running ->
                Bootstrap.gateway(running.port(), state.secret(PASSWORD_FILE, Secrets::mint)));
  }

  /** Where the gateway connects, as an ordinary role that owns its database. */
  public DatabaseUri uri() {
    return Bootstrap.gateway(server.port(), password);
  }

  /** The same database as the superuser, for what a test has to do to it. */
  public DatabaseUri superuser() {
    return new DatabaseUri(EmbeddedServer.HOST, server.port(), SUPERUSER, SUPERUSER, password);
  }

  /** Where everything is kept. */
  public Path directory() {
    return state.path();
  }

  /** Where PostgreSQL's own data is. */
  public Path data() {
    return server.data();
  }

  /** The server's process, or nothing while it is down. */
  public Optional<ProcessHandle> postmaster() {
    return Postmaster.of(server.data()).map(Postmaster::handle);
  }

  /** Stops the server, waiting for what it has to write, and gives the directory back. */
  @Override
  public void close() {
    closed.countDown();
    try {
      server.stop();
    } finally {
      state.close();
    }
  }

  /** Starts the server again whenever its process is gone. */
  private void watch() {
    int backoffMs = WATCH_INTERVAL_MS;
    try {
      while (!closed.await(backoffMs, TimeUnit.MILLISECONDS)) {
        if (server.isRunning()) {
          backoffMs = WATCH_INTERVAL_MS;
          continue;
        }
        LOG.warn("The embedded PostgreSQL is gone; starting it again.");
        backoffMs =
            restarted() ? WATCH_INTERVAL_MS : Math.min(backoffMs * 2, RESTART_BACKOFF_MS_MAX);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean restarted() {
    try {
      server.restart();
      return true;
    } catch (CannotStart | IOException e) {
      LOG.warn("The embedded PostgreSQL does not start yet: {}", e.getMessage());
      return false;
    }
  }
}

package com.memoryendpoints.gateway.cli;

import com.memoryendpoints.gateway.config.CannotStart;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.DatabaseUri;
import com.memoryendpoints.gateway.db.EmbeddedDatabase;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The database that the configuration means, with the embedded one running. */
public final class SystemOfRecord implements AutoCloseable {
  private final Config config;
  private final @Nullable EmbeddedDatabase embedded;

  private SystemOfRecord(Config config, @Nullable EmbeddedDatabase embedded) {
    this.config = config;
    this.embedded = embedded;
  }

  /**
   * For a gateway that serves: the configured database, reachable or not, or the embedded one,
   * started.
   *
   * @throws CannotStart when the embedded one does not start
   */
  public static SystemOfRecord open(Config config) {
    if (config.database().uri() != null) {
      return new SystemOfRecord(config, null);
    }
    EmbeddedDatabase embedded =
        EmbeddedDatabase.open(
            config.directories().state(),
            config.directories().programs(),
            config.database().embeddedPort());
    return new SystemOfRecord(config.at(embedded.uri()), embedded);
  }

  /** For a subcommand: the same, but beside a gateway that runs, its embedded database. */
  static SystemOfRecord find(Config config) {
    Optional<DatabaseUri> running =
        config.database().uri() == null
            ? EmbeddedDatabase.attach(config.directories().state())
            : Optional.empty();
    return running.isPresent() ? new SystemOfRecord(config.at(running.get()), null) : open(config);
  }

  /**
   * As {@link #find}, but makes no embedded database where there is none.
   *
   * @throws CannotStart when there is none
   */
  static SystemOfRecord findExisting(Config config) {
    Path state = config.directories().state();
    if (config.database().uri() == null && !EmbeddedDatabase.isIn(state)) {
      throw CannotStart.misconfigured(
          "There is no database in "
              + state
              + ". Set database.uri or database.embedded_data_dir to where it is. Nothing was"
              + " changed.");
    }
    return find(config);
  }

  /** The configuration with a database that has an address. */
  public Config config() {
    return config;
  }

  /** Whether the database is the gateway's own. */
  public boolean isEmbedded() {
    return embedded != null;
  }

  /** Stops the database if it is the gateway's own. */
  @Override
  public void close() {
    if (embedded != null) {
      embedded.close();
    }
  }
}

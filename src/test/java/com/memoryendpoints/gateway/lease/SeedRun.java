package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.lease.History.Act;
import com.memoryendpoints.gateway.lease.History.Deed;
import com.memoryendpoints.gateway.lease.History.Grant;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * A history by seed 1's own statements, as they stand in the report but for a shorter lease: the
 * six-step claim, renewal, release, and the write that reads the fence first.
 */
final class SeedRun {
  private static final int CONNECTIONS = 8;
  private static final int NAMES = 6;
  private static final String LEASE = "200 milliseconds";
  private static final List<UUID> TENANTS = List.of(new UUID(1, 1), new UUID(2, 2));
  private static final List<UUID> MEMORIES =
      IntStream.range(0, NAMES).mapToObj(n -> new UUID(3, n)).toList();
  private static final AtomicLong KEYS = new AtomicLong();

  private final History history = new History();
  private final List<Grant> known = Collections.synchronizedList(new ArrayList<>());
  private final TestDatabase database;

  private SeedRun(TestDatabase database) {
    this.database = database;
    database.run(text("schema"));
    for (UUID memory : MEMORIES) {
      database.run(
          "INSERT INTO memory_instances (memory_id, tenant_id) VALUES ('%s', '%s')"
              .formatted(memory, TENANTS.get(0)));
    }
  }

  /** Runs against an empty database. */
  static History of(TestDatabase database, long seed, int seconds) {
    SeedRun run = new SeedRun(database);
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
    try {
      IntStream.range(0, CONNECTIONS)
          .mapToObj(
              n -> CompletableFuture.runAsync(() -> run.act(new Random(seed + n), until), threads))
          .toList()
          .forEach(CompletableFuture::join);
    } finally {
      threads.shutdownNow();
    }
    return run.history;
  }

  private void act(Random random, long until) {
    try (Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      while (System.nanoTime() < until) {
        try {
          act(connection, random);
          connection.commit();
        } catch (SQLException refused) {
          connection.rollback(); // 23505 and the like: the seed's answer is a refusal.
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void act(Connection connection, Random random) throws SQLException {
    int what = random.nextInt(6);
    if (what < 3 || known.isEmpty()) {
      claim(connection, random);
      return;
    }
    int back = random.nextInt(Math.min(known.size(), 40));
    Grant grant = known.get(known.size() - 1 - back);
    switch (what) {
      case 3 -> renew(connection, grant);
      case 4 -> release(connection, grant);
      default -> write(connection, grant);
    }
  }

  private void claim(Connection connection, Random random) throws SQLException {
    UUID tenant = TENANTS.get(random.nextInt(2));
    String owner = "owner-" + random.nextInt(2);
    String name = "agent" + random.nextInt(NAMES);
    UUID memory = MEMORIES.get(random.nextInt(NAMES));
    UUID key = new UUID(KEYS.incrementAndGet(), 0);
    Instant asked = now(connection);
    update(connection, "claim_1_barrier", key.toString(), tenant, "fingerprint");
    update(connection, "claim_2_name", name, name, tenant);
    try (PreparedStatement lease =
            statement(connection, "claim_3_lease", tenant, name, memory, owner, key.toString());
        ResultSet row = lease.executeQuery()) {
      if (!row.next()) {
        connection.rollback();
        return;
      }
      update(connection, "claim_4_record", key.toString());
      connection.commit();
      Grant grant =
          new Grant(
              tenant + owner,
              memory,
              name,
              row.getLong("fencing_token"),
              key,
              asked,
              now(connection),
              instant(row, "granted_at"),
              instant(row, "expires_at"));
      history.grants.add(grant);
      known.add(grant);
    }
  }

  private void renew(Connection connection, Grant grant) throws SQLException {
    Instant asked = now(connection);
    connection.commit();
    try (PreparedStatement renewal = statement(connection, "renew", parts(grant));
        ResultSet row = renewal.executeQuery()) {
      if (row.next()) {
        connection.commit();
        Instant until = instant(row, "expires_at");
        note(Deed.RENEWED, grant, asked, now(connection), null, until);
      }
    }
  }

  private void release(Connection connection, Grant grant) throws SQLException {
    Instant asked = now(connection);
    try (PreparedStatement release = statement(connection, "release", parts(grant));
        ResultSet row = release.executeQuery()) {
      if (row.next()) {
        connection.commit();
        note(Deed.RELEASED, grant, asked, now(connection), instant(row, "released_at"), null);
      }
    }
  }

  /** Reads the fence, thinks for a moment, writes. */
  private void write(Connection connection, Grant grant) throws SQLException {
    Instant asked = now(connection);
    try (PreparedStatement fence = statement(connection, "fence", grant.memoryId());
        ResultSet row = fence.executeQuery()) {
      if (row.next() && grant.token() >= row.getLong("fencing_token")) {
        try (var pause = connection.createStatement()) {
          pause.execute("SELECT pg_sleep(0.005)");
        }
        Instant at = now(connection);
        note(Deed.BRANCHED, grant, asked, at, at, null);
      }
    }
  }

  private void note(
      Deed deed, Grant grant, Instant asked, Instant answered, Instant at, Instant until) {
    history.acts.add(new Act(deed, grant, asked, answered, at, until, 0));
  }

  private static Object[] parts(Grant grant) {
    String owner = grant.owner().substring(grant.owner().indexOf("owner-"));
    return new Object[] {grant.nameKey(), grant.memoryId(), grant.token(), owner};
  }

  private static void update(Connection connection, String name, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = statement(connection, name, parameters)) {
      statement.executeUpdate();
    }
  }

  private static PreparedStatement statement(
      Connection connection, String name, Object... parameters) throws SQLException {
    PreparedStatement statement =
        connection.prepareStatement(text(name).replace("30 seconds", LEASE));
    for (int i = 0; i < parameters.length; i++) {
      statement.setObject(i + 1, parameters[i]);
    }
    return statement;
  }

  private static Instant now(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT clock_timestamp() AS now")) {
      row.next();
      return instant(row, "now");
    }
  }

  private static Instant instant(ResultSet row, String column) throws SQLException {
    Timestamp at = row.getTimestamp(column);
    return at.toInstant();
  }

  private static String text(String name) {
    try (InputStream file = SeedRun.class.getResourceAsStream("/seed/" + name + ".sql")) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package com.memoryendpoints.gateway.db;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Every statement by its name: the file is {@code sql/<name in lower case>.sql}. */
public enum Sql {
  READ_FENCING_ANCHOR,
  ANCHOR_FENCING_EPOCH,
  CLAIM_LEASES,
  RENEW_LEASES,
  RELEASE_LEASES,
  VERIFY_LEASES,
  REVOKE_LEASES,
  FIND_LEASES,
  FIND_NAMED_LEASES,
  LIST_LEASES,
  REGISTER_MEMORIES,
  BRANCH_MEMORIES,
  COMMIT_MEMORIES,
  FIND_MEMORIES,
  LIST_MEMORIES,
  READ_LINEAGE,
  MEASURE_TABLES,
  FIND_LAPSED_LEASES,
  RECORD_LAPSED_LEASES,
  FORGET_IDLE_NAMES,
  LOCK_PARTITION_UPKEEP,
  PLAN_PARTITIONS,
  UNLOCK_PARTITION_UPKEEP,
  ADOPT_KEY_VERSION,
  READ_KEY_VERSION,
  LOCK_NAME_KEYS,
  READ_NAME_KEYS,
  STAGE_REKEYED_NAME,
  FIND_REKEYED_AGENTS,
  RENAME_IMPORTED_AGENT,
  REKEY_NAMES,
  WRITE_KEY_VERSION,
  TRY_IMPORT_LOCK,
  AWAIT_IMPORT_LOCK,
  MAKE_GIVEN_TABLES,
  GIVE_AGENT,
  GIVE_MEMORY,
  MEASURE_GIVEN_TABLES,
  FIND_CONTRADICTED_AGENTS,
  FIND_CONTRADICTED_MEMORIES,
  IMPORT_AGENTS,
  IMPORT_MEMORIES,
  REPORT_AGENTS,
  REPORT_MEMORIES;

  private final String text = load();

  /** The statement, as prepared. */
  public String text() {
    return text;
  }

  /** The name that metrics and logs use. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  private String load() {
    String path = "/sql/" + label() + ".sql";
    try (InputStream file = Sql.class.getResourceAsStream(path)) {
      if (file == null) {
        throw new IllegalStateException("the jar lacks " + path);
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

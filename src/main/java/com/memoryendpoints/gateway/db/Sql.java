package com.memoryendpoints.gateway.db;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Every statement by its name: the file is {@code sql/<name in lower case>.sql}. */
public enum Sql {
  READ_FENCING_ANCHOR,
  FIND_UNCONFIRMED_COMMITS,
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
  PUT_POOLS,
  FIND_POOLS,
  LIST_POOLS,
  DELETE_POOLS,
  LOAD_IDENTIFIERS,
  CLAIM_IDENTIFIERS,
  RENEW_HOLDS,
  RELEASE_HOLDS,
  CONSUME_IDENTIFIERS,
  FIND_IDENTIFIERS,
  REDRIVE_IDENTIFIERS,
  LIST_AUDIT_EVENTS,
  FIND_TOKENS,
  FIND_TENANTS,
  COUNT_USAGE,
  FIND_NEW_CLAIMS,
  FIND_NEW_MEMORIES,
  FIND_NEW_IDENTIFIERS,
  MEASURE_TABLES,
  FIND_LAPSED_LEASES,
  RECORD_LAPSED_LEASES,
  FORGET_IDLE_NAMES,
  FIND_LAPSED_HOLDS,
  RECLAIM_HOLDS,
  MERGE_POOL_COUNTS,
  CLEAR_DELETED_POOLS,
  LOCK_PARTITION_UPKEEP,
  PLAN_PARTITIONS,
  UNLOCK_PARTITION_UPKEEP,

  // Of subcommands, by JDBC: a question mark stands for each parameter.
  ADOPT_KEY_VERSION(false),
  READ_KEY_VERSION(false),
  LOCK_NAME_KEYS(false),
  READ_NAME_KEYS(false),
  STAGE_REKEYED_NAME(false),
  FIND_REKEYED_AGENTS(false),
  RENAME_IMPORTED_AGENT(false),
  REKEY_NAMES(false),
  WRITE_KEY_VERSION(false),
  TRY_IMPORT_LOCK(false),
  AWAIT_IMPORT_LOCK(false),
  MAKE_GIVEN_TABLES(false),
  GIVE_AGENT(false),
  GIVE_MEMORY(false),
  MEASURE_GIVEN_TABLES(false),
  FIND_CONTRADICTED_AGENTS(false),
  FIND_CONTRADICTED_MEMORIES(false),
  IMPORT_AGENTS(false),
  IMPORT_MEMORIES(false),
  REPORT_AGENTS(false),
  REPORT_MEMORIES(false),
  CREATE_TENANT(false),
  LIST_TENANTS(false),
  SUSPEND_TENANT(false),
  SET_TERMS(false),
  CREATE_TOKEN(false),
  LIST_TOKENS(false),
  REVOKE_TOKEN(false);

  private final String text = load();
  private final boolean served;

  Sql() {
    this(true);
  }

  Sql(boolean served) {
    this.served = served;
  }

  /** The statement, as prepared. */
  public String text() {
    return text;
  }

  /** Whether a gateway that serves runs it; else it is a subcommand's, and runs by JDBC. */
  public boolean isServed() {
    return served;
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

package com.memoryendpoints.gateway.legacy;

import com.memoryendpoints.gateway.db.Sql;
import java.util.List;

/** What the rows of a file are: the columns that each has, and the statements that import them. */
enum Kind {
  AGENT(
      "agents",
      List.of("legacy_id", "tenant_id", "display_name", "created_at"),
      Sql.GIVE_AGENT,
      Sql.FIND_CONTRADICTED_AGENTS,
      Sql.IMPORT_AGENTS,
      Sql.REPORT_AGENTS),
  MEMORY(
      "memories",
      List.of("legacy_memory_id", "tenant_id", "created_at"),
      Sql.GIVE_MEMORY,
      Sql.FIND_CONTRADICTED_MEMORIES,
      Sql.IMPORT_MEMORIES,
      Sql.REPORT_MEMORIES);

  final String plural;

  @SuppressWarnings("ImmutableEnumChecker") // A List.of.
  final List<String> columns;

  final Sql giving;
  final Sql contradicting;
  final Sql importing;
  final Sql reporting;

  Kind(
      String plural,
      List<String> columns,
      Sql giving,
      Sql contradicting,
      Sql importing,
      Sql reporting) {
    this.plural = plural;
    this.columns = columns;
    this.giving = giving;
    this.contradicting = contradicting;
    this.importing = importing;
    this.reporting = reporting;
  }

  /** The columns as a fault lists them. */
  String listed() {
    return String.join(", ", columns);
  }
}

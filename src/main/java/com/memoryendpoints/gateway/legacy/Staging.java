package com.memoryendpoints.gateway.legacy;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochRandomGenerator;
import com.memoryendpoints.gateway.audit.Redactor;
import com.memoryendpoints.gateway.name.AgentName;
import com.memoryendpoints.gateway.name.MintedName;
import com.memoryendpoints.gateway.name.Names;
import com.memoryendpoints.gateway.problem.Refusal;
import java.security.SecureRandom;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.UUID;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * What the database needs to know of each row to decide: its name by the rules, and what it is
 * called if it loses.
 */
final class Staging {
  /** With display names as long as a line may be, this many still fit a small heap. */
  static final int BATCH_ROWS = 200;

  /** What agents are called whose display names the rules refuse. */
  private static final String NEUTRAL_BASE = "agent";

  /** Times beyond it, and before 1970, do not fit a UUIDv7. */
  private static final long UUID_V7_MS_MAX = (1L << 48) - 1;

  private final Names names;
  private final @Nullable Redactor redactor;
  private final TimeBasedEpochRandomGenerator ids =
      Generators.timeBasedEpochRandomGenerator(new SecureRandom());

  private long given;

  Staging(Names names, @Nullable SecretKey auditKey) {
    this.names = names;
    this.redactor = auditKey == null ? null : new Redactor(auditKey);
  }

  /** Which audit key the memories' events are under; 0 where there are no memories. */
  int keyId() {
    return redactor == null ? 0 : redactor.keyId();
  }

  void give(GivenAgent agent, PreparedStatement row) throws SQLException {
    AgentName name = null;
    Object reason = null;
    try {
      name = names.of(agent.displayName());
    } catch (Refusal refusal) {
      reason = refusal.members().get("reason");
    }
    AgentName minted =
        MintedName.mint(name == null ? NEUTRAL_BASE : name.canonical(), ids.generate());
    String display = Values.storable(agent.displayName());
    set(
        row,
        agent.line(),
        agent.tenantId(),
        agent.legacyId(),
        agent.createdAt().atOffset(ZoneOffset.UTC),
        display,
        !display.equals(agent.displayName()),
        name == null ? null : name.canonical(),
        name == null ? null : name.key(),
        reason,
        minted.canonical(),
        minted.key());
  }

  void give(GivenMemory memory, PreparedStatement row) throws SQLException {
    UUID own = Values.uuidV7(memory.legacyId());
    UUID minted = minted(memory.createdAt().toEpochMilli());
    set(
        row,
        memory.line(),
        memory.tenantId(),
        memory.legacyId(),
        memory.createdAt().atOffset(ZoneOffset.UTC),
        own,
        own == null ? null : redacted(memory.tenantId(), own),
        minted,
        redacted(memory.tenantId(), minted),
        ids.generate());
  }

  private void set(PreparedStatement row, @Nullable Object... columns) throws SQLException {
    for (int i = 0; i < columns.length; i++) {
      row.setObject(i + 1, columns[i]);
    }
    row.addBatch();
    if (++given % BATCH_ROWS == 0) {
      row.executeBatch();
    }
  }

  /** A fresh id of the memory's own time, so that ids order as the memories came to be. */
  private UUID minted(long createdMs) {
    return createdMs < 0 || createdMs > UUID_V7_MS_MAX ? ids.generate() : ids.construct(createdMs);
  }

  private byte[] redacted(UUID tenantId, UUID memoryId) {
    return Objects.requireNonNull(redactor, "memories need the audit key")
        .memory(tenantId, memoryId)
        .getBytes();
  }
}

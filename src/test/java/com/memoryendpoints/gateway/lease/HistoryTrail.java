package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.audit.Redactor;
import com.memoryendpoints.gateway.lease.History.Act;
import com.memoryendpoints.gateway.lease.History.Deed;
import com.memoryendpoints.gateway.lease.History.Ending;
import com.memoryendpoints.gateway.lease.History.Grant;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The audit trail beside a history: it must say the same, and it says when what was acknowledged
 * without a time took effect.
 */
final class HistoryTrail {
  private final HistoryWorld world;
  private final Redactor redactor;
  private final Map<String, Instant> times = new HashMap<>();
  private final Map<String, UUID> memories = new HashMap<>();

  private HistoryTrail(HistoryWorld world, Redactor redactor) {
    this.world = world;
    this.redactor = redactor;
    world.memories.forEach(
        (tenant, ids) ->
            ids.forEach(id -> memories.put(hex(redactor.memory(tenant.tenantId(), id)), id)));
  }

  /** One effect as a text; a lapse is nobody's effect and only counted. */
  static String event(String type, String memoryHash, long token) {
    return type.equals("LEASE_LAPSED") ? type : type + " " + memoryHash + " " + token;
  }

  static String hex(io.vertx.core.buffer.Buffer hash) {
    return HexFormat.of().formatHex(hash.getBytes());
  }

  /** Completes the world's history from the database's audit events. */
  static void complete(HistoryWorld world, Redactor redactor, TestDatabase database) {
    HistoryTrail trail = new HistoryTrail(world, redactor);
    database
        .rows("SELECT * FROM audit_events WHERE event_type <> 'MEMORY_REGISTERED'")
        .forEach(trail::read);
    trail.releases();
    world.revocations.forEach(trail::revoked);
    for (int i = 0; i < world.lapsesRecorded.get(); i++) {
      world.history.effects.add("LEASE_LAPSED");
    }
  }

  private void read(Map<String, Object> row) {
    String type = (String) row.get("event_type");
    String hash = HexFormat.of().formatHex((byte[]) row.get("redacted_memory_hash"));
    long token = (Long) row.get("fencing_token");
    Instant at = ((Timestamp) row.get("created_at")).toInstant();
    String event = event(type, hash, token);
    world.history.audited.add(event);
    times.put(event, at);
    if (type.equals("LEASE_LAPSED")) {
      world.history.lapses.add(new Ending(memories.get(hash), "", token, 0, at, at));
    }
  }

  /** An owner may be told of one release many times: one effect, and one event. */
  private void releases() {
    List<Act> acts = new ArrayList<>(world.history.acts);
    world.history.acts.clear();
    Map<Grant, String> released = new HashMap<>();
    for (Act act : acts) {
      if (act.deed() != Deed.RELEASED) {
        world.history.acts.add(act);
      } else if (!released.containsKey(act.grant())) {
        String event = event("LEASE_RELEASED", hash(act.grant()), act.grant().token());
        released.put(act.grant(), event);
        world.history.effects.add(event);
        Instant at = times.getOrDefault(event, Instant.MIN);
        Instant answered = firstAnswer(acts, act.grant());
        world.history.acts.add(
            new Act(act.deed(), act.grant(), act.asked(), answered, at, null, 0));
      }
    }
  }

  private static Instant firstAnswer(List<Act> acts, Grant grant) {
    return acts.stream()
        .filter(act -> act.deed() == Deed.RELEASED && act.grant().equals(grant))
        .map(Act::answered)
        .min(Instant::compareTo)
        .orElseThrow();
  }

  private void revoked(HistoryWorld.Revoked revoked) {
    Grant grant = revoked.held().grant();
    String event = event("LEASE_REVOKED", hash(grant), revoked.raised());
    world.history.effects.add(event);
    @Nullable Instant at = times.get(event);
    if (at != null) {
      world.history.endings.add(
          new Ending(
              grant.memoryId(),
              grant.nameKey(),
              grant.token(),
              revoked.raised(),
              at,
              revoked.answered()));
    }
  }

  private String hash(Grant grant) {
    return world.hash(redactor, grant.memoryId());
  }
}

package com.memoryendpoints.gateway.audit;

import java.util.UUID;

/**
 * A place in the audit trail, behind one event. Positions order the trail; nothing else about them
 * means anything.
 *
 * @param position of the transaction that wrote the event, from 0
 * @param eventId which of its events
 */
public record AuditPosition(long position, UUID eventId) {
  /** Before every event. */
  public static final AuditPosition START = new AuditPosition(0, new UUID(0, 0));

  /** Refuses a position that none can be. */
  public AuditPosition {
    if (position < 0) {
      throw new IllegalArgumentException("a position is not negative");
    }
  }
}

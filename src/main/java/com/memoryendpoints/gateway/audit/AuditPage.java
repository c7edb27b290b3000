package com.memoryendpoints.gateway.audit;

import java.util.List;

/**
 * A stretch of the trail.
 *
 * @param records none when nothing more has been written, or may be shown, yet
 * @param next where to go on, now or at any later time
 */
public record AuditPage(List<AuditRecord> records, AuditPosition next) {
  /** Keeps its own copy. */
  public AuditPage {
    records = List.copyOf(records);
  }
}

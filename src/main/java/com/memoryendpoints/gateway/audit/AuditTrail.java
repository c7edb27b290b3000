package com.memoryendpoints.gateway.audit;

import com.memoryendpoints.gateway.db.Batcher;
import com.memoryendpoints.gateway.db.Database;
import com.memoryendpoints.gateway.tenant.Caller;
import io.vertx.core.Future;

/** What has happened, for the tenant whose it is. Confined to the event loop of its database. */
public final class AuditTrail {
  private final Batcher<ListAuditEvents.Wanted, AuditPage> pages;

  /** The trail as one event loop reads it, over its own connections. */
  public AuditTrail(Database database) {
    this.pages = database.reader(new ListAuditEvents());
  }

  /**
   * The tenant's own events in commit order: an event of a transaction that was over before another
   * began comes before the other's. Who goes on where the page before ended sees every event once,
   * whoever writes meanwhile.
   *
   * @param after where the page before ended, or {@link AuditPosition#START}
   * @param limit 1 to 1,000
   */
  public Future<AuditPage> read(Caller caller, AuditPosition after, int limit) {
    return pages.submit(
        caller.tenantId(), new ListAuditEvents.Wanted(caller.tenantId(), after, limit));
  }
}

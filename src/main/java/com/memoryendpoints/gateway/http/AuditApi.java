package com.memoryendpoints.gateway.http;

import static com.memoryendpoints.gateway.http.Endpoint.get;
import static com.memoryendpoints.gateway.tenant.Scope.AUDIT;

import com.memoryendpoints.gateway.audit.AuditPosition;
import com.memoryendpoints.gateway.audit.AuditTrail;
import io.vertx.core.Future;
import java.util.List;

/** The one call for the audit trail. */
final class AuditApi {
  private final AuditTrail trail;

  AuditApi(AuditTrail trail) {
    this.trail = trail;
  }

  List<Endpoint> endpoints() {
    return List.of(get("/v1/audit", AUDIT).query(Requests.AUDIT).by(this::read));
  }

  private Future<Reply> read(Call call) {
    AuditPosition after = call.query().find(Paging.AUDIT_CURSOR);
    return trail
        .read(
            call.caller(), after == null ? AuditPosition.START : after, Paging.limit(call.query()))
        .map(Replies::audit);
  }
}

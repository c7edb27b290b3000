package com.memoryendpoints.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.audit.AuditEvent;
import com.memoryendpoints.gateway.config.CannotStart;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.DatabaseUri;
import com.memoryendpoints.gateway.config.SslMode;
import com.memoryendpoints.gateway.tenant.Caller;
import com.memoryendpoints.gateway.tenant.Scope;
import com.memoryendpoints.gateway.tenant.Term;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an operator does to a tenant is in its trail, in the same transaction, and once. */
class RegisterAuditTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  private static Register register;

  private final UUID tenantId = UUID.randomUUID();
  private final Caller caller = new Caller(tenantId, "crawler");

  @BeforeAll
  static void open() throws Exception {
    DatabaseUri uri = DatabaseUri.parse(DATABASE.uri());
    register = new Register(new Config.Database(uri, SslMode.DISABLE, null, 1, 0));
  }

  private List<Map<String, Object>> events() {
    return DATABASE.rows(
        "SELECT e.*, e::text AS whole FROM audit_events e WHERE tenant_id = ? ORDER BY xid",
        tenantId);
  }

  private String issue() throws Exception {
    return register.createToken(caller, Set.of(Scope.LEASES), 7);
  }

  @Test
  void everyChangeIsOneEventOfItsTenant() throws Exception {
    register.createTenant(tenantId, "tenant " + tenantId);
    String token = issue();
    register.suspendTenant(tenantId, true);
    register.suspendTenant(tenantId, true);
    register.suspendTenant(tenantId, false);
    register.suspendTenant(tenantId, false);
    register.setTerms(tenantId, Map.of(Term.LEASES, OptionalLong.of(7)));
    register.setTerms(tenantId, Map.of(Term.LEASES, OptionalLong.of(7)));
    register.revokeToken(BearerToken.sha256(token));
    register.revokeToken(BearerToken.sha256(token));
    assertThat(events())
        .extracting(event -> AuditEvent.valueOf((String) event.get("event_type")))
        .containsExactly(
            AuditEvent.TENANT_CREATED,
            AuditEvent.TOKEN_ISSUED,
            AuditEvent.TENANT_SUSPENDED,
            AuditEvent.TENANT_RESUMED,
            AuditEvent.TENANT_TERMS_CHANGED,
            AuditEvent.TOKEN_REVOKED);
    assertThat(events())
        .allSatisfy(
            event -> {
              assertThat(event).containsEntry("actor", "operator").containsEntry("key_id", 0);
              assertThat((UUID) event.get("event_id")).matches(id -> id.version() == 7);
              assertThat((String) event.get("whole"))
                  .doesNotContain(token, HexFormat.of().formatHex(BearerToken.sha256(token)));
            });
  }

  @Test
  void whatChangesNothingIsNoEvent() throws Exception {
    assertThatThrownBy(this::issue).isInstanceOf(CannotStart.class);
    assertThatThrownBy(() -> register.suspendTenant(tenantId, true))
        .isInstanceOf(CannotStart.class);
    register.createTenant(tenantId, "tenant " + tenantId);
    assertThatThrownBy(() -> register.createTenant(tenantId, "another"))
        .isInstanceOf(CannotStart.class);
    assertThat(events()).hasSize(1);
  }

  @Test
  void aTokenThatManyRevokeAtOnceIsRevokedOnce() throws Exception {
    register.createTenant(tenantId, "tenant " + tenantId);
    byte[] sha256 = BearerToken.sha256(issue());
    IntStream.range(0, 8)
        .parallel()
        .forEach(
            i -> {
              try {
                register.revokeToken(sha256);
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    assertThat(events()).hasSize(3);
  }
}

package com.memoryendpoints.gateway.cli;

import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.Limits;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The line of the log that says what has started, in fields for whoever collects them. */
public final class Announcement {
  private static final Logger LOG = LoggerFactory.getLogger(Announcement.class);

  private Announcement() {}

  /**
   * Tells that both ports are open.
   *
   * @param config in effect, with a database that has an address; no secret of it is told
   * @param eventLoops that serve the API
   */
  public static void make(Config config, int eventLoops) {
    String api = config.http().host() + ":" + config.http().port();
    String management = config.management().host() + ":" + config.management().port();
    LOG.atInfo()
        .addKeyValue("version", CommandLineOf.version())
        .addKeyValue("api", api)
        .addKeyValue("tls", config.http().tls() != null)
        .addKeyValue("management", management)
        .addKeyValue("database", Objects.requireNonNull(config.database().uri()).toString())
        .addKeyValue("ssl_mode", config.database().sslMode().text())
        .addKeyValue("limits", limits(config, eventLoops))
        .log("The API listens on {}, health and metrics on {}.", api, management);
  }

  private static Map<String, Integer> limits(Config config, int eventLoops) {
    Config.RateLimit rates = config.rateLimit();
    Map<String, Integer> limits = new LinkedHashMap<>();
    limits.put("event_loops", eventLoops);
    limits.put("connections", eventLoops * config.database().connectionsPerEventLoop() + 1);
    limits.put("waiting", Limits.WAITING_MAX);
    limits.put("waiting_per_tenant", Limits.WAITING_PER_TENANT_MAX);
    limits.put("request_ms", Limits.REQUEST_MS_MAX);
    limits.put("statement_ms", Limits.STATEMENT_MS_MAX);
    limits.put("batch_items", Limits.BATCH_ITEMS_MAX);
    limits.put("lease_ttl_seconds", Limits.LEASE_TTL_SECONDS_MAX);
    limits.put("requests_per_second", rates.principal().perSecond());
    limits.put("tenant_requests_per_second", rates.tenant().perSecond());
    limits.put("address_requests_per_second", rates.address().perSecond());
    limits.put("audit_retention_days", config.audit().retentionDays());
    limits.put("shutdown_delay_seconds", config.shutdown().delaySeconds());
    limits.put("shutdown_grace_seconds", config.shutdown().graceSeconds());
    return limits;
  }
}

package com.memoryendpoints.gateway.http;

import com.memoryendpoints.gateway.audit.AuditTrail;
import com.memoryendpoints.gateway.auth.Tokens;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.db.Database;
import com.memoryendpoints.gateway.idempotency.InFlight;
import com.memoryendpoints.gateway.lease.Leases;
import com.memoryendpoints.gateway.lease.Memories;
import com.memoryendpoints.gateway.meter.Meters;
import com.memoryendpoints.gateway.name.Names;
import com.memoryendpoints.gateway.pool.Pools;
import com.memoryendpoints.gateway.quota.Quotas;
import io.vertx.core.Vertx;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What every {@link ApiVerticle} is made from: what they share, and how each makes its own.
 *
 * @param shown absent for plain HTTP
 * @param database opens the connections of one event loop, on it
 */
public record Gateway(
    Config.Http http,
    @Nullable Shown shown,
    Config.Log log,
    Drain drain,
    Names names,
    Throttle throttle,
    InFlight inFlight,
    Meters meters,
    Function<Vertx, Database> database,
    Function<Database, Tokens> tokens,
    Function<Database, Quotas> quotas,
    BiFunction<Database, Quotas, Leases> leases,
    BiFunction<Database, Quotas, Memories> memories,
    BiFunction<Database, Quotas, Pools> pools,
    Function<Database, AuditTrail> audit) {}

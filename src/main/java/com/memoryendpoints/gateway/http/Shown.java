package com.memoryendpoints.gateway.http;

import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.meter.Meters;
import com.memoryendpoints.gateway.meter.TlsMeter;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The certificate that all servers of the process show now. Safe from every thread. */
public final class Shown {
  private final Config.Tls tls;
  private final TlsMeter meter;
  private final Set<HttpServer> servers = ConcurrentHashMap.newKeySet();
  private volatile Certificates now;

  private Shown(Config.Tls tls, TlsMeter meter) {
    this.tls = tls;
    this.meter = meter;
    this.now = Certificates.load(tls);
    meter.begins(now.expiresAt());
  }

  /**
   * The configured one, or null where there is none. Reads files.
   *
   * @throws com.memoryendpoints.gateway.config.CannotStart when it is not good
   */
  public static @Nullable Shown of(Config.@Nullable Tls tls, Meters meters) {
    return tls == null ? null : new Shown(tls, meters.tls());
  }

  /** Only whether it is good, under the same conditions. */
  public static void check(Config.@Nullable Tls tls) {
    if (tls != null) {
      var unused = Certificates.load(tls);
    }
  }

  /** How often its files are looked at. */
  int reloadSeconds() {
    return tls.reloadSeconds();
  }

  /**
   * What is in its files now. Reads them.
   *
   * @throws com.memoryendpoints.gateway.config.CannotStart when it is another and not good
   */
  Certificates found() {
    return now.again();
  }

  /** Makes a server that is about to listen show it. */
  HttpServerOptions applyTo(HttpServerOptions options) {
    return now.applyTo(options);
  }

  /** A server that listens, to be told of every other one. */
  void by(HttpServer server) {
    servers.add(server);
  }

  /** Whether this is the one. */
  boolean is(Certificates certificates) {
    return now.areSame(certificates);
  }

  /** Shows another one to connections that come from now on; those that are open stay. */
  Future<?> become(Certificates other) {
    return Future.all(
            servers.stream().map(server -> server.updateSSLOptions(other.options())).toList())
        .onSuccess(
            done -> {
              now = other;
              meter.loaded(other.expiresAt());
            });
  }

  /** Another one was to be shown and is not good. */
  void refused() {
    meter.refused();
  }
}

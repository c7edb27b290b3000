package com.memoryendpoints.gateway.http;

import com.memoryendpoints.gateway.config.Subnet;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * From which address a request came: its connection's, or where that is a trusted proxy's, the last
 * one in {@code X-Forwarded-For} that is not. What stands before that may be made up.
 */
final class ClientAddress {
  /** Whoever has one IPv6 address has these many bits of them (RFC 6177). */
  private static final int IPV6_SITE_BITS = 64;

  private static final Subnet UNKNOWN = new Subnet(0, 0, 0);

  private final List<Subnet> trustedProxies;

  ClientAddress(List<Subnet> trustedProxies) {
    this.trustedProxies = trustedProxies;
  }

  /** The IPv4 address, or the IPv6 site, that a request came from. */
  Subnet of(HttpServerRequest request) {
    SocketAddress remote = request.remoteAddress();
    Subnet peer = remote == null ? null : address(remote.hostAddress());
    if (peer == null) {
      return UNKNOWN;
    }
    Subnet client = isTrusted(peer) ? forwarded(request, peer) : peer;
    return client.isIpv4() ? client : client.truncatedTo(IPV6_SITE_BITS);
  }

  private Subnet forwarded(HttpServerRequest request, Subnet peer) {
    String[] hops = String.join(",", request.headers().getAll("x-forwarded-for")).split(",", -1);
    Subnet client = peer;
    for (int i = hops.length - 1; i >= 0 && isTrusted(client); i--) {
      Subnet hop = address(withoutPort(hops[i].strip()));
      if (hop == null) {
        return client;
      }
      client = hop;
    }
    return client;
  }

  private boolean isTrusted(Subnet address) {
    return trustedProxies.stream().anyMatch(proxy -> proxy.contains(address));
  }

  private static @Nullable Subnet address(@Nullable String literal) {
    return literal == null || literal.isEmpty() ? null : Subnet.address(literal);
  }

  /** Some proxies write {@code 192.0.2.1:4711} and {@code [2001:db8::1]:4711}. */
  private static String withoutPort(String hop) {
    int colon = hop.lastIndexOf(':');
    boolean port = colon > 0 && (hop.charAt(colon - 1) == ']' || hop.indexOf(':') == colon);
    return port ? hop.substring(0, colon) : hop;
  }
}

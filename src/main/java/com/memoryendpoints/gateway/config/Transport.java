package com.memoryendpoints.gateway.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What must hold between the keys that say how the API is reached: encrypted, or from nowhere. */
final class Transport {
  private static final Subnet LOOPBACK = Subnet.parse("127.0.0.0/8");
  private static final Subnet LOOPBACK_6 = Subnet.parse("::1");

  private Transport() {}

  /** Null without a certificate. */
  static Config.@Nullable Tls tls(Settings section, StateHome home) {
    Config.Tls tls =
        new Config.Tls(
            section.optional("certificate", text -> Readings.readableFile(text, home)),
            section.optional("private_key", text -> Readings.readableFile(text, home)),
            section.optional("keystore", text -> Readings.readableFile(text, home)),
            section.optional("keystore_password", text -> text),
            section.required("client_auth", ClientAuth.NONE, Readings::clientAuth),
            section.optional("client_ca", text -> Readings.readableFile(text, home)),
            section.integer("reload_seconds", 1, Limits.TLS_RELOAD_SECONDS_MAX));
    together(section, "certificate", "private_key");
    together(section, "keystore", "keystore_password");
    boolean pem = section.has("certificate");
    boolean pkcs12 = section.has("keystore");
    if (pem && pkcs12) {
      section.fault("keystore", "is set, and so is certificate; the server shows one of them");
    }
    clients(section, tls.clientAuth(), pem || pkcs12);
    section.refuseUnknown();
    return pem || pkcs12 ? tls : null;
  }

  private static void together(Settings section, String one, String other) {
    for (List<String> pair : List.of(List.of(one, other), List.of(other, one))) {
      if (section.has(pair.get(0)) && !section.has(pair.get(1))) {
        section.fault(pair.get(1), "is missing; " + pair.get(0) + " needs it");
      }
    }
  }

  private static void clients(Settings section, ClientAuth auth, boolean certified) {
    boolean asked = auth != ClientAuth.NONE;
    if (asked && !certified) {
      section.fault("client_auth", "is set, but neither certificate nor keystore is");
    }
    if (asked && !section.has("client_ca")) {
      section.fault("client_ca", "is missing; client_auth " + auth.text() + " needs it");
    }
    if (!asked && section.has("client_ca")) {
      section.fault(
          "client_ca", "is set, but client_auth is none; set it to request or to required");
    }
  }

  /** Tokens in plain text never leave the machine unless somebody says that they may. */
  static void requireProtection(Settings section, Config.Http http) {
    boolean allowed = section.required("plaintext_allowed", false, Readings::flag);
    if (http.tls() == null && !allowed && !http.host().isEmpty() && !isLoopback(http.host())) {
      section.fault(
          "host",
          '"'
              + http.host()
              + "\" is reached from other machines, and tokens would cross the network in plain"
              + " text: set tls.certificate and tls.private_key (or tls.keystore), or"
              + " http.plaintext_allowed = true where a proxy in front ends TLS, or host ="
              + " \"127.0.0.1\"");
    }
  }

  /** Names other than localhost are not looked up: what they mean can change. */
  private static boolean isLoopback(String host) {
    Subnet address = Subnet.address(host);
    return address == null
        ? host.equalsIgnoreCase("localhost")
        : LOOPBACK.contains(address) || LOOPBACK_6.contains(address);
  }
}

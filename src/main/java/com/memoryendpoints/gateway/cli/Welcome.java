package com.memoryendpoints.gateway.cli;

import com.fasterxml.uuid.Generators;
import com.memoryendpoints.gateway.config.Config;
import java.io.PrintStream;
import java.util.UUID;

/** What is printed once a gateway with a database of its own is ready: how to hold a lease. */
public final class Welcome {
  /** The same at every start: its owner may always claim it anew, a stranger's name may be held. */
  private static final UUID MEMORY = UUID.fromString("0198c0de-0000-7000-8000-00000000d0d1");

  private Welcome() {}

  /**
   * Prints where everything is, and one line that can be pasted into a shell.
   *
   * @param config with the ports that are listened on
   */
  public static void print(PrintStream out, Config config, String token) {
    boolean tls = config.http().tls() != null;
    String api = url(tls ? "https" : "http", config.http().host(), config.http().port());
    out.println();
    out.println("The lease gateway is ready, with a database of its own (for development).");
    out.println("  API         " + api);
    out.println(
        "  management  "
            + url("http", config.management().host(), config.management().port())
            + "  /health/live /health/ready /metrics");
    out.println("  data        " + config.directories().state());
    out.println("  database    " + config.database().uri() + " (password beside the data)");
    out.println("  token       dev-token beside the data, every scope");
    out.println();
    out.println("Paste this to register a memory and hold a lease on it for five minutes:");
    out.println();
    out.println(claim(api, token));
    out.println();
    out.flush();
  }

  /**
   * The key is a UUIDv7 of now: pasted again the line is a replay, and that of a later start takes
   * the lease over from its own earlier self.
   */
  static String claim(String api, String token) {
    UUID key = Generators.timeBasedEpochGenerator().generate();
    // Of one's own machine, and perhaps for another name.
    String options = api.startsWith("https:") ? "-sSk" : "-sS";
    String headers =
        options + " -H 'Authorization: Bearer " + token + "' -H 'Content-Type: application/json'";
    return "curl "
        + headers
        + " -d '{\"memory_instance_id\":\""
        + MEMORY
        + "\"}' "
        + api
        + "/v1/memories -w '\\n' --next "
        + headers
        + " -H 'Idempotency-Key: "
        + key
        + "' -d '{\"display_name\":\"My Agent\",\"memory_instance_id\":\""
        + MEMORY
        + "\",\"owner_client_id\":\"me\",\"ttl_seconds\":300}' "
        + api
        + "/v1/leases -w '\\n'";
  }

  /** A wildcard is listened on, not dialled. */
  private static String url(String scheme, String host, int port) {
    String dialled =
        switch (host) {
          case "0.0.0.0" -> "127.0.0.1";
          case "::", "0:0:0:0:0:0:0:0" -> "::1";
          default -> host;
        };
    return scheme + "://" + (dialled.indexOf(':') < 0 ? dialled : "[" + dialled + "]") + ":" + port;
  }
}

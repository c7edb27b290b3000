package com.memoryendpoints.gateway.cli;

import com.fasterxml.uuid.Generators;
import com.memoryendpoints.gateway.config.Config;
import java.io.PrintStream;
import java.util.UUID;

/** What is printed once a gateway with a database of its own is ready: how to hold a lease. */
public final class Welcome {
  private Welcome() {}

  /**
   * Prints where everything is, and one line that can be pasted into a shell.
   *
   * @param config with the ports that are listened on
   */
  public static void print(PrintStream out, Config config, String token) {
    String api = url(config.http().host(), config.http().port());
    out.println();
    out.println("The lease gateway is ready, with a database of its own (for development).");
    out.println("  API         " + api);
    out.println(
        "  management  "
            + url(config.management().host(), config.management().port())
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

  /** The key is a UUIDv7 of now, so the line works for a day, and again: the second is a replay. */
  static String claim(String api, String token) {
    UUID memory = Generators.timeBasedEpochGenerator().generate();
    UUID key = Generators.timeBasedEpochGenerator().generate();
    String headers =
        "-sS -H 'Authorization: Bearer " + token + "' -H 'Content-Type: application/json'";
    return "curl "
        + headers
        + " -d '{\"memory_instance_id\":\""
        + memory
        + "\"}' "
        + api
        + "/v1/memories -w '\\n' --next "
        + headers
        + " -H 'Idempotency-Key: "
        + key
        + "' -d '{\"display_name\":\"My Agent\",\"memory_instance_id\":\""
        + memory
        + "\",\"owner_client_id\":\"me\",\"ttl_seconds\":300}' "
        + api
        + "/v1/leases -w '\\n'";
  }

  /** A wildcard is listened on, not dialled. */
  private static String url(String host, int port) {
    String dialled =
        switch (host) {
          case "0.0.0.0" -> "127.0.0.1";
          case "::", "0:0:0:0:0:0:0:0" -> "::1";
          default -> host;
        };
    return "http://" + (dialled.indexOf(':') < 0 ? dialled : "[" + dialled + "]") + ":" + port;
  }
}

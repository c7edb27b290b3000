package com.memoryendpoints.gateway.cli;

import com.memoryendpoints.gateway.config.CannotStart;
import com.memoryendpoints.gateway.config.Config;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** The ports that are listened on, looked at before anything is started. */
public final class Ports {
  private Ports() {}

  /**
   * The configuration with a port wherever the system was to choose one.
   *
   * @throws CannotStart when a port is in use, or its address is not this machine's
   */
  public static Config choose(Config config) {
    int http = choose("http", config.http().host(), config.http().port());
    int management = choose("management", config.management().host(), config.management().port());
    return config.listeningOn(http, management);
  }

  private static int choose(String section, String host, int port) {
    InetSocketAddress address = new InetSocketAddress(host, port);
    if (address.isUnresolved()) {
      throw CannotStart.misconfigured(
          section
              + ".host "
              + host
              + " is a name that is not known. Set an address of this machine.");
    }
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(address);
      return socket.getLocalPort();
    } catch (IOException e) {
      throw taken(section, host, port, e);
    }
  }

  /** What to say when an address cannot be listened on. */
  private static CannotStart taken(String section, String host, int port, IOException e) {
    return CannotStart.misconfigured(
        "Nothing can listen on "
            + host
            + " port "
            + port
            + ": "
            + e.getMessage()
            + ". Stop what uses it (another gateway?), or set "
            + section
            + ".host and "
            + section
            + ".port to a free address of this machine; "
            + section
            + ".port 0 takes a free port.",
        e);
  }
}

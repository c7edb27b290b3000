package com.memoryendpoints.gateway.config;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where the database is and who connects to it.
 *
 * @param host a host name or an address; an IPv6 address without its brackets
 * @param port 1 to 65535
 * @param database the database's name
 * @param user the role that connects
 * @param password absent where the server asks for none
 */
public record DatabaseUri(
    String host, int port, String database, String user, @Nullable String password) {

  /** What a {@code database.uri} has to look like. */
  static final String FORM = "postgresql://user[:password]@host:port/db";

  private static final int PORT_DEFAULT = 5432;

  /** Written by hand because {@link java.net.URI} refuses the host names of many a container. */
  private static final Pattern PARTS =
      Pattern.compile(
          "postgres(?:ql)?://(?<user>[^:@/?#\\s]+)(?::(?<password>[^:@/?#\\s]*))?@"
              + "(?:\\[(?<ipv6>[0-9A-Fa-f:.]+(?:%[^\\]\\s]+)?)\\]|(?<host>[^:@/?#\\[\\]\\s]+))"
              + "(?::(?<port>[0-9]{1,5}))?/(?<database>[^/?#\\s]+)");

  /** Refuses a port that is none. */
  public DatabaseUri {
    if (port < 1 || port > Limits.PORT_MAX) {
      throw new IllegalArgumentException("needs a port from 1 to " + Limits.PORT_MAX);
    }
  }

  /**
   * Reads {@code postgresql://user[:password]@host:port/db}; user, password and db percent-decoded.
   *
   * @throws IllegalArgumentException when it has another form; the text never repeats the value
   */
  public static DatabaseUri parse(String text) {
    Matcher parts = PARTS.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "must be of the form " + FORM + advice(text) + " (its value is not shown)");
    }
    String ipv6 = parts.group("ipv6");
    String port = parts.group("port");
    String password = parts.group("password");
    return new DatabaseUri(
        ipv6 == null ? decode(parts.group("host")) : ipv6,
        port == null ? PORT_DEFAULT : Integer.parseInt(port),
        decode(parts.group("database")),
        decode(parts.group("user")),
        password == null ? null : decode(password));
  }

  /** The same address without the password, safe to print. */
  @Override
  public String toString() {
    String bracketed = host.indexOf(':') < 0 ? host : "[" + host + "]";
    return "postgresql://" + user + "@" + bracketed + ":" + port + "/" + database;
  }

  private static String advice(String text) {
    if (text.indexOf('?') >= 0) {
      return ", without parameters: encryption is set with database.ssl_mode";
    }
    return ", with : / ? # @ and spaces in user, password or db percent-encoded";
  }

  /** A plus sign is itself here, unlike in a form. */
  private static String decode(String encoded) {
    try {
      String plain = URLDecoder.decode(encoded.replace("+", "%2B"), StandardCharsets.UTF_8);
      if (plain.chars().anyMatch(c -> c == 0 || c == '\uFFFD')) {
        throw new IllegalArgumentException("has a percent-encoding that is not UTF-8 text");
      }
      return plain;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "has a malformed percent-encoding (its value is not shown)", e);
    }
  }
}

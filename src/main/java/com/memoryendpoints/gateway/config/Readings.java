package com.memoryendpoints.gateway.config;

import com.memoryendpoints.gateway.tenant.Scope;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * How each kind of value is read. A refusal says what is allowed, and repeats the value only where
 * it cannot be a secret.
 */
public final class Readings {
  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern UUID_TEXT =
      Pattern.compile("[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
  private static final int SHOWN_CHARS_MAX = 80;

  private Readings() {}

  /** A whole number; {@code 8e1} is one, {@code 80.5} is not. */
  static int integer(String text, int min, int max) {
    String allowed = " is not a whole number from " + min + " to " + max;
    try {
      BigDecimal number = new BigDecimal(text.strip());
      int value = number.intValueExact();
      if (min <= value && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(shown(text) + allowed, e);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(shown(text) + allowed, e);
    }
    throw new IllegalArgumentException(shown(text) + allowed);
  }

  /** {@code true} or {@code false}. */
  static boolean flag(String text) {
    return switch (text.strip()) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException(shown(text) + " is neither true nor false");
    };
  }

  /** Of {@code -} and {@code _}: one, both or neither. */
  static String connectors(String text) {
    if (!text.chars().allMatch(c -> c == '-' || c == '_')) {
      throw new IllegalArgumentException(shown(text) + " has other characters than - and _");
    }
    return text;
  }

  /** {@code enforce} or {@code report}. */
  static boolean enforced(String text) {
    return switch (text.strip()) {
      case "enforce" -> true;
      case "report" -> false;
      default -> throw new IllegalArgumentException(shown(text) + " is neither enforce nor report");
    };
  }

  /** A host name or an address; whether it is this machine's shows when it is listened on. */
  static String host(String text) {
    String host = text.startsWith("[") && text.endsWith("]") ? inner(text) : text;
    if (host.isEmpty() || host.chars().anyMatch(c -> c <= ' ' || c == '/' || c > '~')) {
      throw new IllegalArgumentException(
          shown(text) + " is neither a host name nor an IP address (without scheme and port)");
    }
    return host;
  }

  /** One of libpq's words. */
  static SslMode sslMode(String text) {
    for (SslMode mode : SslMode.values()) {
      if (mode.text().equals(text)) {
        return mode;
      }
    }
    String allowed =
        Arrays.stream(SslMode.values()).map(SslMode::text).collect(Collectors.joining(", "));
    throw new IllegalArgumentException(shown(text) + " is not one of " + allowed);
  }

  /** {@code none}, {@code request} or {@code required}. */
  static ClientAuth clientAuth(String text) {
    for (ClientAuth auth : ClientAuth.values()) {
      if (auth.text().equals(text)) {
        return auth;
      }
    }
    throw new IllegalArgumentException(shown(text) + " is not one of none, request, required");
  }

  /** Any text but an empty one. */
  static String present(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("is empty");
    }
    return text;
  }

  /** One of those that are good for a JWT. */
  static JwtAlgorithm jwtAlgorithm(String text) {
    for (JwtAlgorithm algorithm : JwtAlgorithm.values()) {
      if (algorithm.name().equals(text)) {
        return algorithm;
      }
    }
    String allowed =
        Arrays.stream(JwtAlgorithm.values()).map(Enum::name).collect(Collectors.joining(", "));
    throw new IllegalArgumentException(shown(text) + " is not one of " + allowed);
  }

  /** An absolute https URL without a user; where else keys come from, anybody could answer. */
  static URI httpsUrl(String text) {
    String allowed = "must be an https URL with a host, without user and fragment";
    try {
      URI url = new URI(text);
      if ("https".equalsIgnoreCase(url.getScheme())
          && url.getHost() != null
          && url.getRawUserInfo() == null
          && url.getRawFragment() == null) {
        return url;
      }
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(allowed, e);
    }
    throw new IllegalArgumentException(allowed);
  }

  /** A path, absolute from here on. */
  static Path path(String text, StateHome home) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("is empty; name a path, or leave the key out");
    }
    try {
      return home.expand(text);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(shown(text) + " is not a path", e);
    }
  }

  /** A path of a file that can be read now. */
  static Path readableFile(String text, StateHome home) {
    Path file = path(text, home);
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw new IllegalArgumentException(shown(text) + " is not a file that can be read");
    }
    return file;
  }

  /** Base64, ordinary or for URLs, of exactly {@link Limits#AUDIT_KEY_BYTES}. */
  static SecretKey auditKey(String text) {
    String allowed =
        "must be the base64 of exactly "
            + Limits.AUDIT_KEY_BYTES
            + " bytes (its value is not shown)";
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(text.strip().replace('-', '+').replace('_', '/'));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(allowed, e);
    }
    if (bytes.length != Limits.AUDIT_KEY_BYTES) {
      throw new IllegalArgumentException(allowed + "; it has " + bytes.length);
    }
    return new SecretKeySpec(bytes, "HmacSHA256");
  }

  /** The digest of a token, which is not secret; what was put there instead may be. */
  static String sha256(String text) {
    if (!SHA256.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "must be the lower-case hex SHA-256 of a token, 64 digits (its value is not shown)");
    }
    return text;
  }

  /**
   * A UUID of the form 8-4-4-4-12, in either case.
   *
   * @throws IllegalArgumentException otherwise; it says why
   */
  public static UUID uuid(String text) {
    if (!UUID_TEXT.matcher(text).matches()) {
      throw new IllegalArgumentException(shown(text) + " is not a UUID of the form 8-4-4-4-12");
    }
    return UUID.fromString(text);
  }

  /**
   * 1 to {@link Limits#OWNER_CODE_POINTS_MAX} code points, none of control.
   *
   * @throws IllegalArgumentException otherwise; it says why
   */
  public static String principal(String text) {
    int length = text.codePointCount(0, text.length());
    if (length < 1 || length > Limits.OWNER_CODE_POINTS_MAX) {
      throw new IllegalArgumentException(
          "must have 1 to " + Limits.OWNER_CODE_POINTS_MAX + " characters; it has " + length);
    }
    if (text.codePoints().anyMatch(Readings::isRefused)) {
      throw new IllegalArgumentException(
          "must have neither control characters nor unpaired surrogates");
    }
    return text;
  }

  /** What to say about a scope that is none. */
  public static String noScope(String text) {
    String allowed =
        Arrays.stream(Scope.values()).map(Scope::wire).collect(Collectors.joining(", "));
    return "has " + shown(text) + ", which is not one of " + allowed;
  }

  private static boolean isRefused(int codePoint) {
    return Character.isISOControl(codePoint) || Character.getType(codePoint) == Character.SURROGATE;
  }

  private static String inner(String bracketed) {
    return bracketed.substring(1, bracketed.length() - 1);
  }

  private static String shown(String text) {
    String printable = text.replaceAll("\\p{Cntrl}", "?");
    return printable.length() <= SHOWN_CHARS_MAX
        ? '"' + printable + '"'
        : '"' + printable.substring(0, SHOWN_CHARS_MAX) + "...\"";
  }
}

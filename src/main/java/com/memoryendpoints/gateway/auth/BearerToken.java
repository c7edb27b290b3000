package com.memoryendpoints.gateway.auth;

import com.memoryendpoints.gateway.config.Secrets;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The form of a token that the gateway issues: {@code lgw_}, 256 random bits, a checksum. The
 * prefix lets those who look for leaked secrets recognise it; the checksum lets a gateway refuse
 * what was mistyped, cut or made up without asking its database.
 */
public final class BearerToken {
  private static final String PREFIX = "lgw_";
  private static final int CHECKSUM_CHARS = 6;
  private static final ThreadLocal<MessageDigest> SHA256 =
      ThreadLocal.withInitial(BearerToken::newSha256); // Looking one up costs as much as using it.
  private static final Pattern FORM = Pattern.compile(PREFIX + "[A-Za-z0-9_-]{49}");

  private BearerToken() {}

  /** A fresh token, 53 characters of ASCII. */
  public static String mint() {
    String token = PREFIX + Secrets.mint();
    return token + checksum(token);
  }

  /** Whether a text is of this form and its checksum is right. */
  public static boolean isWellFormed(String text) {
    if (!FORM.matcher(text).matches()) {
      return false;
    }
    int end = text.length() - CHECKSUM_CHARS;
    return text.substring(end).equals(checksum(text.substring(0, end)));
  }

  /**
   * What any token, of this form or not, is known by.
   *
   * @param token one character a byte, as a header field carries it
   */
  public static byte[] sha256(String token) {
    return SHA256.get().digest(token.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** The CRC-32 of what stands before it, in base64url. */
  private static String checksum(String text) {
    CRC32 crc = new CRC32();
    crc.update(text.getBytes(StandardCharsets.US_ASCII));
    int sum = (int) crc.getValue();
    byte[] bytes = {(byte) (sum >>> 24), (byte) (sum >>> 16), (byte) (sum >>> 8), (byte) sum};
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}

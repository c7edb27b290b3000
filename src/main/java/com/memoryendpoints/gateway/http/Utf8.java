package com.memoryendpoints.gateway.http;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Tells of bytes that come in parts whether they are UTF-8; Jackson lets some pass that are not.
 */
final class Utf8 {
  private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
  private final CharBuffer decoded = CharBuffer.allocate(4096);

  /** The bytes of a character whose end is still to come. */
  private byte[] rest = {};

  /** Whether the percent-encoded bytes of a query are; what is no such encoding passes. */
  static boolean isText(String query) {
    if (query.indexOf('%') < 0) {
      return true;
    }
    byte[] bytes = new byte[query.length()];
    int length = 0;
    for (int i = 0; i < query.length(); i++) {
      int escaped = query.charAt(i) == '%' ? escaped(query, i) : -1;
      bytes[length++] = (byte) (escaped < 0 ? '.' : escaped);
      i += escaped < 0 ? 0 : 2;
    }
    Utf8 utf8 = new Utf8();
    return utf8.continues(Arrays.copyOf(bytes, length)) && utf8.isComplete();
  }

  private static int escaped(String query, int percentAt) {
    if (percentAt + 2 >= query.length()) {
      return -1;
    }
    int high = Character.digit(query.charAt(percentAt + 1), 16);
    int low = Character.digit(query.charAt(percentAt + 2), 16);
    return high < 0 || low < 0 ? -1 : high << 4 | low;
  }

  /** Whether what has come so far is, or begins, well-formed text. */
  boolean continues(byte[] part) {
    ByteBuffer bytes = ByteBuffer.allocate(rest.length + part.length).put(rest).put(part).flip();
    while (true) {
      decoded.clear();
      var result = decoder.decode(bytes, decoded, false);
      if (result.isError()) {
        return false;
      }
      if (result.isUnderflow()) {
        rest = new byte[bytes.remaining()];
        bytes.get(rest);
        return true;
      }
    }
  }

  /** Whether no character is half come. */
  boolean isComplete() {
    return rest.length == 0;
  }
}

package com.memoryendpoints.gateway.http;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;

/**
 * Tells of bytes that come in parts whether they are UTF-8; Jackson lets some pass that are not.
 */
final class Utf8 {
  private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
  private final CharBuffer decoded = CharBuffer.allocate(4096);

  /** The bytes of a character whose end is still to come. */
  private byte[] rest = {};

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

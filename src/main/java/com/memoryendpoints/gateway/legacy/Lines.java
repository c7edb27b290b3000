package com.memoryendpoints.gateway.legacy;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import org.jspecify.annotations.Nullable;

/** The lines of a file in UTF-8, counted, with a checksum of what was read. */
final class Lines implements Closeable {
  /** The longest line, its end included. */
  static final int LINE_BYTES_MAX = 1 << 16;

  private final CRC32C checksum = new CRC32C();
  private final InputStream file;
  private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
  private final byte[] buffer = new byte[1 << 16];
  private final byte[] line = new byte[LINE_BYTES_MAX];
  private int at;
  private int end;
  private long number;

  Lines(Path path) throws IOException {
    this.file = new CheckedInputStream(Files.newInputStream(path), checksum);
  }

  /** The number of the line that was read last, from 1. */
  long number() {
    return number;
  }

  /** Of everything read so far. */
  long checksum() {
    return checksum.getValue();
  }

  /**
   * The next line with its end, or null after the last one.
   *
   * @throws BadLine when it is too long or not UTF-8; the next call goes on after it
   */
  @Nullable String next() throws IOException {
    int length = 0;
    while (at < end || fill()) {
      byte b = buffer[at++];
      if (length < LINE_BYTES_MAX) {
        line[length] = b;
      }
      length++;
      if (b == '\n') {
        break;
      }
    }
    return length == 0 ? null : decoded(length);
  }

  private boolean fill() throws IOException {
    at = 0;
    end = Math.max(0, file.read(buffer));
    return end > 0;
  }

  private String decoded(int length) throws BadLine {
    number++;
    if (length > LINE_BYTES_MAX) {
      throw new BadLine(number, "has more than " + LINE_BYTES_MAX + " bytes");
    }
    try {
      String text = decoder.decode(ByteBuffer.wrap(line, 0, length)).toString();
      return number == 1 && text.startsWith("\uFEFF") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new BadLine(number, "is not UTF-8; convert the file");
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}

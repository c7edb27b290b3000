package com.memoryendpoints.gateway.http;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** An HTTP/2 connection on which every frame is the test's own. */
final class RawHttp2 implements AutoCloseable {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;

  static final int END_STREAM = 1;
  static final int ACK = 1;
  static final int END_HEADERS = 4;
  private static final int PRIORITY = 32;
  private static final int PRIORITY_BYTES = 5;

  private static final JsonMapper JSON = new JsonMapper();
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  private final SSLSocket socket;
  private final DataInputStream in;
  private final DefaultHttp2HeadersDecoder hpack = new DefaultHttp2HeadersDecoder();
  private final Map<Integer, Answer> answers = new HashMap<>();
  private final boolean reading;

  /** The code of the GOAWAY that came; -1 before. */
  private long goneAway = -1;

  /** What came on one stream so far; {@code reset} is -1 unless it was. */
  static final class Answer {
    final Map<String, String> headers = new HashMap<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private boolean ended;
    private long reset = -1;

    int status() {
      return Integer.parseInt(headers.get(":status"));
    }

    String body() {
      return body.toString(StandardCharsets.UTF_8);
    }

    String code() throws IOException {
      return JSON.readTree(body.toByteArray()).path("code").asText();
    }

    long reset() {
      return reset;
    }
  }

  /**
   * Connects.
   *
   * @param reading whether it takes what it is sent; else no stream may send it anything
   */
  RawHttp2(SSLContext context, int port, boolean reading) throws IOException {
    this.reading = reading;
    this.socket = (SSLSocket) context.getSocketFactory().createSocket("localhost", port);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"});
    socket.setSSLParameters(parameters);
    socket.setSoTimeout(30_000);
    socket.startHandshake();
    if (!socket.getApplicationProtocol().equals("h2")) {
      throw new IOException("it speaks " + socket.getApplicationProtocol());
    }
    this.in = new DataInputStream(socket.getInputStream());
    socket.getOutputStream().write(PREFACE.getBytes(StandardCharsets.US_ASCII));
    byte[] window = {0, 4, 0, 0, 0, 0};
    frame(SETTINGS, 0, 0, reading ? new byte[0] : window);
  }

  RawHttp2 frame(int type, int flags, int stream, byte[] payload) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
    frame.put((byte) (payload.length >> 16)).putShort((short) payload.length);
    frame.put((byte) type).put((byte) flags).putInt(stream).put(payload);
    socket.getOutputStream().write(frame.array());
    socket.getOutputStream().flush();
    return this;
  }

  /** Sends a whole head; names and values in turn follow the target. */
  RawHttp2 head(int stream, boolean last, String method, String target, String... fields)
      throws IOException {
    int flags = END_HEADERS | (last ? END_STREAM : 0);
    byte[] block = block(method, target, fields);
    // The rest of a block goes into CONTINUATION frames.
    int first = Math.min(block.length, 16_000);
    int left = block.length - first;
    frame(HEADERS, left == 0 ? flags : flags & END_STREAM, stream, part(block, 0, first));
    for (int at = first; at < block.length; at += 16_000) {
      int length = Math.min(16_000, block.length - at);
      frame(9, at + length == block.length ? END_HEADERS : 0, stream, part(block, at, length));
    }
    return this;
  }

  RawHttp2 body(int stream, boolean last, String text) throws IOException {
    return frame(DATA, last ? END_STREAM : 0, stream, text.getBytes(StandardCharsets.UTF_8));
  }

  RawHttp2 reset(int stream) throws IOException {
    return frame(RST_STREAM, 0, stream, new byte[] {0, 0, 0, 8});
  }

  static byte[] block(String method, String target, String... fields) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    literal(block, ":method", method);
    literal(block, ":scheme", "https");
    literal(block, ":authority", "localhost");
    literal(block, ":path", target);
    for (int i = 0; i < fields.length; i += 2) {
      literal(block, fields[i], fields[i + 1]);
    }
    return block.toByteArray();
  }

  private static byte[] part(byte[] bytes, int from, int length) {
    return Arrays.copyOfRange(bytes, from, from + length);
  }

  /** A literal field that is not indexed (RFC 7541 section 6.2.2), without Huffman coding. */
  private static void literal(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    for (String text : new String[] {name, value}) {
      int length = text.length();
      if (length < 127) {
        block.write(length);
      } else {
        block.write(127);
        for (length -= 127; length >= 128; length >>= 7) {
          block.write((length & 127) | 128);
        }
        block.write(length);
      }
      block.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }
  }

  /** Reads on until a stream has ended, or was reset. */
  Answer answer(int stream) throws Exception {
    Answer answer = answers.computeIfAbsent(stream, id -> new Answer());
    while (!answer.ended && answer.reset < 0) {
      if (!read()) {
        throw new IOException("ended before stream " + stream + " did, gone away " + goneAway);
      }
    }
    return answer;
  }

  /** Reads on until a stream was reset, also after its end; answers the code. */
  long resetOf(int stream) throws Exception {
    Answer answer = answers.computeIfAbsent(stream, id -> new Answer());
    while (answer.reset < 0 && read()) {
      // What comes meanwhile is kept.
    }
    return answer.reset;
  }

  /** Reads on until a GOAWAY came; answers its code, -1 where the connection ends without. */
  long goAway() throws Exception {
    while (goneAway < 0 && read()) {
      // What comes meanwhile is kept.
    }
    return goneAway;
  }

  /** Reads on until the connection ends; answers the code of its GOAWAY, -1 where none came. */
  long end() throws Exception {
    while (read()) {
      // Everything before the end.
    }
    return goneAway;
  }

  /** One frame; false at the end. */
  private boolean read() throws Exception {
    int first = in.read();
    if (first < 0) {
      return false;
    }
    int length = (first << 16) | in.readUnsignedShort();
    int type = in.readUnsignedByte();
    int flags = in.readUnsignedByte();
    int stream = in.readInt();
    byte[] payload = in.readNBytes(length);
    switch (type) {
      case HEADERS -> headers(stream, flags, payload);
      case DATA -> data(stream, flags, payload);
      case RST_STREAM -> of(stream).reset = ByteBuffer.wrap(payload).getInt();
      case SETTINGS -> acknowledge(flags);
      case GOAWAY -> goneAway = ByteBuffer.wrap(payload).getInt(4);
      default -> {}
    }
    return true;
  }

  private Answer of(int stream) {
    return answers.computeIfAbsent(stream, id -> new Answer());
  }

  private void headers(int stream, int flags, byte[] payload) throws Exception {
    int from = (flags & PRIORITY) == 0 ? 0 : PRIORITY_BYTES;
    Http2Headers decoded =
        hpack.decodeHeaders(stream, Unpooled.wrappedBuffer(payload, from, payload.length - from));
    decoded.forEach(
        field -> of(stream).headers.put(field.getKey().toString(), field.getValue().toString()));
    of(stream).ended |= (flags & END_STREAM) != 0;
  }

  private void data(int stream, int flags, byte[] payload) throws IOException {
    of(stream).body.writeBytes(payload);
    of(stream).ended |= (flags & END_STREAM) != 0;
    if (reading && payload.length > 0) {
      byte[] more = ByteBuffer.allocate(4).putInt(payload.length).array();
      frame(WINDOW_UPDATE, 0, 0, more);
      if (!of(stream).ended) {
        frame(WINDOW_UPDATE, 0, stream, more);
      }
    }
  }

  private void acknowledge(int flags) throws IOException {
    if ((flags & ACK) == 0) {
      frame(SETTINGS, ACK, 0, new byte[0]);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

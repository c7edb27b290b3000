package com.memoryendpoints.gateway.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A connection on which every byte is the test's own. */
final class RawHttp implements AutoCloseable {
  private static final int WAIT_MS_MAX = 20_000;
  private static final JsonMapper JSON = new JsonMapper();

  private final Socket socket;
  private final InputStream in;

  RawHttp(int port) throws IOException {
    this(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  RawHttp(Socket socket) throws IOException {
    this.socket = socket;
    this.socket.setSoTimeout(WAIT_MS_MAX);
    this.socket.setTcpNoDelay(true);
    this.in = socket.getInputStream();
  }

  /** One answer; header names in lower case, a header's values joined with a comma. */
  record Answer(int status, Map<String, String> headers, String body) {
    JsonNode json() throws IOException {
      return JSON.readTree(body);
    }

    String code() throws IOException {
      return json().path("code").asText();
    }
  }

  /** Sends text, one byte a character. */
  RawHttp send(String bytes) throws IOException {
    socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
    return this;
  }

  /** Sends a request with a Host, these header lines, and a body in UTF-8 with its length. */
  RawHttp send(String method, String target, List<String> headers, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: h\r\n");
    headers.forEach(header -> head.append(header).append("\r\n"));
    if (bytes.length > 0) {
      head.append("Content-Length: ").append(bytes.length).append("\r\n");
    }
    return send(head + "\r\n" + new String(bytes, StandardCharsets.ISO_8859_1));
  }

  /** Reads an answer with a body of announced length. */
  Answer answer() throws IOException {
    return answer(true);
  }

  /** Reads an answer; that to HEAD has no body. */
  Answer answer(boolean body) throws IOException {
    String status = line();
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.merge(
          line.substring(0, colon).toLowerCase(Locale.ROOT),
          line.substring(colon + 1).strip(),
          (one, other) -> one + ", " + other);
    }
    int length = body ? Integer.parseInt(headers.getOrDefault("content-length", "0")) : 0;
    String text = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    return new Answer(Integer.parseInt(status.substring(9, 12)), headers, text);
  }

  /** Whether the gateway closes the connection and sends nothing more. */
  boolean ends() throws IOException {
    return in.read() < 0;
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new IOException("ended after: " + line);
      }
      line.write(b);
    }
    return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

package com.memoryendpoints.gateway.http;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * A file as browsers get it: plain, or compressed for whoever takes that, under a tag of its
 * content. Nothing on it may come from elsewhere, and nobody may frame it.
 */
record Page(Content plain, Content zipped) {
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

  /** A member of Accept-Encoding that allows gzip: a weight of zero forbids it. */
  private static final Pattern TAKES_GZIP =
      Pattern.compile("(?i)\\s*(?:x-)?gzip\\s*(?:;\\s*q=(?!0(?:\\.0*)?\\s*$).*)?");

  /**
   * Of a file of the jar. Compressing takes a tenth of a second a megabyte.
   *
   * @param type its media type
   */
  static Page of(byte[] file, String type) {
    String tag = tag(file);
    return new Page(
        new Content(Buffer.buffer(file), type, headers(tag)),
        new Content(Buffer.buffer(zipped(file)), type, zippedHeaders(tag)));
  }

  /** What these request headers ask for: one of the two, or the word that they have it. */
  Reply reply(MultiMap asked) {
    boolean zip =
        members(asked, HttpHeaders.ACCEPT_ENCODING)
            .anyMatch(member -> TAKES_GZIP.matcher(member).matches());
    Content content = zip ? zipped : plain;
    String tag = content.headers().get("etag");
    boolean known =
        members(asked, HttpHeaders.IF_NONE_MATCH)
            .map(String::strip)
            .anyMatch(each -> each.equals("*") || each.equals(tag) || each.equals("W/" + tag));
    return known
        ? new Reply(
            304, new Content(Buffer.buffer(), content.type(), content.headers()), null, false)
        : Reply.ok(content);
  }

  private static Stream<String> members(MultiMap headers, CharSequence name) {
    return headers.getAll(name).stream().flatMap(line -> Stream.of(line.split(",", -1)));
  }

  private static Map<String, String> headers(String tag) {
    return Map.of(
        "etag", "\"" + tag + "\"",
        // Kept, but asked for again each time: the next version is seen at once.
        "cache-control", "no-cache",
        "vary", "accept-encoding",
        "content-security-policy", POLICY,
        "x-content-type-options", "nosniff",
        "referrer-policy", "no-referrer");
  }

  private static Map<String, String> zippedHeaders(String tag) {
    Map<String, String> headers = new HashMap<>(headers(tag + "-gzip"));
    headers.put("content-encoding", "gzip");
    return Map.copyOf(headers);
  }

  private static String tag(byte[] file) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(file);
      return Base64.getUrlEncoder().withoutPadding().encodeToString(hash).substring(0, 22);
    } catch (NoSuchAlgorithmException everyPlatformHasIt) {
      throw new IllegalStateException(everyPlatformHasIt);
    }
  }

  private static byte[] zipped(byte[] file) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
      zip.write(file);
    } catch (IOException inMemory) {
      throw new IllegalStateException(inMemory);
    }
    return bytes.toByteArray();
  }
}

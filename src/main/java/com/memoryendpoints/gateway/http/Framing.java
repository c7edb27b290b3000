package com.memoryendpoints.gateway.http;

import static com.memoryendpoints.gateway.problem.Problem.HEADER_FIELDS_TOO_LARGE;
import static com.memoryendpoints.gateway.problem.Problem.MALFORMED_REQUEST;
import static com.memoryendpoints.gateway.problem.Problem.NOT_IMPLEMENTED;
import static com.memoryendpoints.gateway.problem.Problem.URI_TOO_LONG;

import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.problem.Refusal;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.AsciiString;
import io.vertx.core.http.HttpServerRequest;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with the HTTP of a request's head (RFC 9112), beyond what the decoder itself
 * refuses and in this service's own words.
 */
final class Framing {
  /** The longest request target, in bytes. */
  static final int URI_BYTES_MAX = 8 << 10;

  /** All header fields of a request together, in bytes. */
  static final int HEADER_BYTES_MAX = 16 << 10;

  /** The request line: the target, and room for a method and a version. */
  static final int REQUEST_LINE_BYTES_MAX = URI_BYTES_MAX + 64;

  /** A head by HTTP/2's own count: 32 more for each field, and the pseudo-header fields too. */
  static final int HEADER_LIST_BYTES_MAX = 32 << 10;

  /** Parts of bodies that one HTTP/2 connection may have unread, all its streams together. */
  static final int CONNECTION_WINDOW_BYTES = 1 << 20;

  /** What HTTP/1 writes around the name and the value of a field. */
  private static final int FIELD_BYTES = 4;

  private Framing() {}

  /** Why a request of HTTP/2 cannot be served, beyond what its codec refuses (RFC 9113). */
  static @Nullable Refusal refusal(HttpServerRequest request) {
    if (request.uri().length() > URI_BYTES_MAX) {
      return URI_TOO_LONG.because("target");
    }
    int fields = 0;
    int bytes = 0;
    int credentials = 0;
    for (Map.Entry<String, String> field : request.headers()) {
      fields++;
      bytes += field.getKey().length() + field.getValue().length() + FIELD_BYTES;
      credentials += is(field.getKey(), HttpHeaderNames.AUTHORIZATION) ? 1 : 0;
    }
    if (fields > Limits.HEADER_FIELDS_MAX || bytes > HEADER_BYTES_MAX) {
      return HEADER_FIELDS_TOO_LARGE.because("fields");
    }
    if (request.authority() == null) {
      return MALFORMED_REQUEST.because("no authority");
    }
    return credentials > 1 ? MALFORMED_REQUEST.because("more than one Authorization") : null;
  }

  /** Why the request cannot be served, or null when it can. */
  static @Nullable Refusal refusal(HttpRequest head) {
    return head.decoderResult().isSuccess()
        ? unacceptable(head)
        : undecodable(head, head.decoderResult().cause());
  }

  private static Refusal undecodable(HttpRequest head, Throwable cause) {
    if (cause instanceof TooLongHttpLineException) {
      return URI_TOO_LONG.because("request line");
    }
    if (cause instanceof TooLongHttpHeaderException) {
      return HEADER_FIELDS_TOO_LARGE.because("bytes");
    }
    if (cause instanceof Refusal refusal) {
      return refusal;
    }
    boolean length = head.headers().contains(HttpHeaderNames.CONTENT_LENGTH);
    return !length && otherCoding(head.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING))
        ? NOT_IMPLEMENTED.because("transfer coding")
        : MALFORMED_REQUEST.because(cause.getClass().getSimpleName());
  }

  private static @Nullable Refusal unacceptable(HttpRequest head) {
    if (head.uri().length() > URI_BYTES_MAX) {
      return URI_TOO_LONG.because("target");
    }
    boolean http11 = head.protocolVersion().equals(HttpVersion.HTTP_1_1);
    if (!http11 && !head.protocolVersion().equals(HttpVersion.HTTP_1_0)) {
      return MALFORMED_REQUEST.because("version");
    }
    return fields(head, http11);
  }

  private static @Nullable Refusal fields(HttpRequest head, boolean http11) {
    int fields = 0;
    int hosts = 0;
    int credentials = 0;
    boolean coded = false;
    boolean nameless = false;
    Iterator<Map.Entry<CharSequence, CharSequence>> all = head.headers().iteratorCharSequence();
    while (all.hasNext()) {
      CharSequence name = all.next().getKey();
      fields++;
      nameless |= name.length() == 0;
      hosts += is(name, HttpHeaderNames.HOST) ? 1 : 0;
      credentials += is(name, HttpHeaderNames.AUTHORIZATION) ? 1 : 0;
      coded |= is(name, HttpHeaderNames.TRANSFER_ENCODING);
    }
    if (fields > Limits.HEADER_FIELDS_MAX) {
      return HEADER_FIELDS_TOO_LARGE.because("fields");
    }
    if (nameless) {
      return MALFORMED_REQUEST.because("a field without a name");
    }
    if (hosts > 1 || (http11 && hosts == 0)) {
      return MALFORMED_REQUEST.because("not one Host");
    }
    if (credentials > 1) {
      return MALFORMED_REQUEST.because("more than one Authorization");
    }
    return coded ? coding(head.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING)) : null;
  }

  private static @Nullable Refusal coding(List<String> transferEncodings) {
    if (transferEncodings.stream().anyMatch(Framing::isFolded)) {
      return MALFORMED_REQUEST.because("a folded transfer coding");
    }
    return otherCoding(transferEncodings) ? NOT_IMPLEMENTED.because("transfer coding") : null;
  }

  /**
   * Whether a line of its value is empty. The decoder trims what stands on one line, and puts a
   * space for a fold (RFC 9112 section 5.2); a server on the way that has not put the lines
   * together has seen another body.
   */
  private static boolean isFolded(String value) {
    return !value.equals(value.strip());
  }

  private static boolean is(CharSequence name, AsciiString field) {
    return name.length() == field.length() && AsciiString.contentEqualsIgnoreCase(name, field);
  }

  /** Whether a coding beside chunked is named. */
  private static boolean otherCoding(List<String> transferEncodings) {
    for (String codings : transferEncodings) {
      for (String coding : codings.split(",", -1)) {
        if (!HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(coding.strip())) {
          return true;
        }
      }
    }
    return false;
  }
}

package com.memoryendpoints.gateway.http;

import static com.memoryendpoints.gateway.problem.Problem.NO_SUCH_ROUTE;
import static com.memoryendpoints.gateway.problem.Problem.OVERLOADED;
import static com.memoryendpoints.gateway.problem.Problem.REQUEST_TIMEOUT;

import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.problem.Refusal;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Stream;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.StreamResetException;
import io.vertx.core.http.impl.Http2ServerConnection;
import io.vertx.core.http.impl.Http2ServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/2 connection, to which each stream is what a connection is to HTTP/1: its head must be
 * acceptable, its body must come in time, and its answer must be taken. What a stream does costs
 * the others nothing, unless its peer stops in the middle of a frame or of a head.
 */
final class Streams extends ChannelDuplexHandler implements Watched {
  private static final long UNFINISHED_NANOS_MAX =
      TimeUnit.SECONDS.toNanos(Limits.UNFINISHED_REQUEST_SECONDS_MAX);
  private static final long UNREAD_NANOS_MAX = TimeUnit.SECONDS.toNanos(Limits.IDLE_SECONDS_MAX);

  /** How long an answer may take to leave while its request is still coming. */
  private static final long LINGER_NANOS_MAX = TimeUnit.SECONDS.toNanos(2);

  private final Http2ConnectionHandler codec;
  private final Set<Watched> open;
  private final Map<Integer, Stream> streams = new HashMap<>();
  private @Nullable ChannelHandlerContext channel;

  /** Bytes of answers that the peer has not taken. */
  private long unread;

  /** Bytes of bodies whose requests are not answered. */
  private long kept;

  /** Whether bytes of this read completed a frame, or the frames of a head. */
  private boolean progressed;

  private boolean unfinished;
  private long deadlineNanos;

  private Streams(Http2ConnectionHandler codec, Set<Watched> open) {
    this.codec = codec;
    this.open = open;
  }

  /** Watches a new connection; {@code open} holds it while it is open. */
  static void watch(Http2ServerConnection connection, Set<Watched> open) {
    var pipeline = connection.channel().pipeline();
    Http2ConnectionHandler codec = pipeline.get(Http2ConnectionHandler.class);
    Streams streams = new Streams(codec, open);
    codec.decoder().frameListener(new Frames(codec.decoder().frameListener(), streams::progress));
    codec.connection().addListener(streams.closing());
    pipeline.addBefore("handler", "streams", streams);
    open.add(streams);
  }

  /** The streams of a connection that is watched. */
  static Streams of(HttpConnection connection) {
    return ((ConnectionBase) connection).channel().pipeline().get(Streams.class);
  }

  /** What this request came on. */
  Carrier carrierOf(HttpServerRequest request) {
    Stream stream = streams.get(request.streamId());
    return stream == null ? Carrier.GONE : stream;
  }

  /**
   * Takes a request in.
   *
   * @return false when it was reset, because too many answers wait for its peer to take them: it
   *     has had no effect, and may be sent again (RFC 9113 section 8.7)
   */
  boolean admits(HttpServerRequest request) {
    if (unread > Limits.UNREAD_BYTES_MAX) {
      reset(request, Http2Error.REFUSED_STREAM);
      return false;
    }
    Http2Stream stream = codec.connection().stream(request.streamId());
    streams.put(request.streamId(), new Stream((Http2ServerRequest) request, stream));
    return true;
  }

  /** Why a request that was taken in cannot be served, or null when it can. */
  static @Nullable Refusal refusal(HttpServerRequest request) {
    return request.method().equals(HttpMethod.CONNECT)
        ? NO_SUCH_ROUTE.because("CONNECT")
        : Framing.refusal(request);
  }

  /** Whether a body comes whose length nobody announced. */
  static boolean isOpenEnded(HttpServerRequest request) {
    return !request.headers().contains(HttpHeaders.CONTENT_LENGTH)
        && Carrier.of(request) instanceof Stream stream
        && !stream.isWhole();
  }

  /** Ends an answer whose head is ready, and what of its request nobody waits for any more. */
  static void end(HttpServerRequest request, @Nullable Buffer body) {
    if (Carrier.of(request) instanceof Stream stream) {
      stream.answer(body);
    }
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    channel = added;
  }

  @Override
  public void channelInactive(ChannelHandlerContext inactive) {
    open.remove(this);
    inactive.fireChannelInactive();
  }

  /**
   * Of a server that stops, the codec closes when it has read the end of the last request, whose
   * answer may wait for the end of that read to be sent; and TLS drops what waits.
   */
  @Override
  public void close(ChannelHandlerContext closing, ChannelPromise closed) {
    closing.flush();
    var unused = closing.close(closed);
  }

  /** Bytes came that completed nothing: a frame has begun, or a head. */
  @Override
  public void channelReadComplete(ChannelHandlerContext read) {
    if (!progressed && !unfinished) {
      deadlineNanos = System.nanoTime() + UNFINISHED_NANOS_MAX;
    }
    unfinished = !progressed;
    progressed = false;
    read.fireChannelReadComplete();
  }

  private void progress() {
    progressed = true;
  }

  private Http2ConnectionAdapter closing() {
    return new Http2ConnectionAdapter() {
      @Override
      public void onStreamClosed(Http2Stream stream) {
        Stream closed = streams.remove(stream.id());
        kept -= closed == null ? 0 : closed.keptBytes;
      }
    };
  }

  @Override
  public void cutOverdue(long nowNanos) {
    if (unfinished && nowNanos - deadlineNanos >= 0 && channel != null) {
      var unused = channel.channel().close();
      return;
    }
    for (Stream each : List.copyOf(streams.values())) {
      each.cutOverdue(nowNanos);
    }
  }

  private static void reset(HttpServerRequest request, Http2Error code) {
    var unused = request.response().reset(code.code());
  }

  /** One request and its answer. */
  private final class Stream implements Carrier {
    private final Http2ServerRequest request;
    private final Http2Stream stream;
    private long overdueNanos = System.nanoTime() + UNFINISHED_NANOS_MAX;
    private long bytesRead;
    private long keptBytes;
    private boolean streaming;
    private boolean failed;
    private boolean answered;

    private Stream(Http2ServerRequest request, Http2Stream stream) {
      this.request = request;
      this.stream = stream;
    }

    private boolean isWhole() {
      return request.isEnded() || !stream.state().remoteSideOpen();
    }

    @Override
    public void stream() {
      streaming = true;
    }

    @Override
    public void keep(int bytes) {
      keptBytes += bytes;
      kept += bytes;
      if (kept > Limits.KEPT_BODIES_BYTES_MAX) {
        fail(OVERLOADED.because("bodies of one connection"));
      }
    }

    @Override
    public void fail(Refusal refusal) {
      if (failed || request.isEnded()) {
        return;
      }
      failed = true;
      overdueNanos = System.nanoTime() + LINGER_NANOS_MAX;
      // Whatever still comes stays with the peer, which may send no more than fits a window.
      request.pause();
      request.handleException(refusal);
    }

    private void answer(@Nullable Buffer body) {
      HttpServerResponse response = request.response();
      Buffer sent = body;
      if (body != null && request.method().equals(HttpMethod.HEAD)) {
        response.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length()));
        sent = null;
      }
      int bytes = sent == null ? 0 : sent.length();
      unread += bytes;
      answered = true;
      overdueNanos = System.nanoTime() + (failed ? LINGER_NANOS_MAX : UNREAD_NANOS_MAX);
      Future<Void> written = sent == null ? response.end() : response.end(sent);
      written.onComplete(
          done -> {
            unread -= bytes;
            // What the codec refused it resets, and says why.
            if (done.succeeded() && !isWhole()) {
              reset(request, Http2Error.NO_ERROR);
            }
          });
    }

    private void cutOverdue(long nowNanos) {
      long more = request.bytesRead() - bytesRead;
      if (streaming && more >= Limits.POOL_LOAD_BYTES_MIN && !failed && !answered) {
        bytesRead = request.bytesRead();
        overdueNanos = nowNanos + UNFINISHED_NANOS_MAX;
      }
      if (nowNanos - overdueNanos < 0 || (isWhole() && !answered)) {
        return;
      }
      if (failed || answered) {
        request.handleException(new StreamResetException(Http2Error.CANCEL.code()));
        reset(request, Http2Error.CANCEL);
      } else {
        fail(REQUEST_TIMEOUT.because("body"));
      }
    }
  }
}

package com.memoryendpoints.gateway.http;

import static com.memoryendpoints.gateway.problem.Problem.BODY_TOO_LARGE;
import static com.memoryendpoints.gateway.problem.Problem.MALFORMED_REQUEST;
import static com.memoryendpoints.gateway.problem.Problem.REQUEST_TIMEOUT;

import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.problem.Refusal;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.Http1xServerConnection;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.core.net.impl.ShutdownEvent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * One connection, between the decoder and the server: refuses what is framed badly, cuts what does
 * not arrive in time, and lets nothing through after an answer that ends the connection. What it
 * refuses becomes a request that the server calls invalid, or the failure of the body that is being
 * read, so that the one writer of problems answers it. Nor is a peer served more while it leaves
 * its answers unread.
 *
 * <p>When the server stops, a connection is not closed at once, as the server would: a request that
 * is on its way would be lost. The next answer says that it is the last, and a connection that has
 * been quiet for a while ends without.
 */
final class Wire extends ChannelDuplexHandler implements Carrier, Watched {
  private static final long UNFINISHED_NANOS_MAX =
      TimeUnit.SECONDS.toNanos(Limits.UNFINISHED_REQUEST_SECONDS_MAX);

  /** How long the rest of a request is still read after its last answer, so that it is seen. */
  private static final long LINGER_NANOS_MAX = TimeUnit.SECONDS.toNanos(2);

  /** How long a connection of a server that stops has to be quiet before it ends. */
  private static final long QUIET_NANOS_MIN = TimeUnit.SECONDS.toNanos(1);

  private final Http1xServerConnection connection;
  private final Set<Watched> open;
  private final ChannelHandlerContext server;
  private final HeadDecoder decoder;
  private final boolean secure;

  /** Whether a request has begun to come and is not complete. */
  private boolean unfinished;

  private long deadlineNanos;
  private boolean inBody;
  private long bodyBytes;

  /** Whether the body is read as it comes: as long as it comes, however long it is. */
  private boolean streaming;

  /** How much of it had come when it was last given more time. */
  private long bytesInTime;

  /** Whether bytes of this read completed a part of a message. */
  private boolean progressed;

  private boolean deaf;
  private boolean closing;

  /** Requests that were passed on and have no whole answer yet. */
  private int unanswered;

  /** Whether the server stops: then the connection ends as soon as that cuts nothing off. */
  private boolean leaving;

  /** Whether anything came or went since the last look at the clock. */
  private boolean stirred;

  private long quietSinceNanos;

  /** What came while the peer left its answers unread: at most what one read brings. */
  private final Deque<HttpObject> held = new ArrayDeque<>();

  private Wire(Http1xServerConnection connection, Set<Watched> open) {
    this.connection = connection;
    this.open = open;
    this.server = connection.channelHandlerContext();
    this.decoder = HeadDecoder.in(server.pipeline());
    this.secure = connection.isSsl();
  }

  /**
   * Watches a new connection; {@code open} holds it while it is open.
   *
   * @param stopping whether the server stops already
   */
  static void watch(Http1xServerConnection connection, Set<Watched> open, boolean stopping) {
    Wire wire = new Wire(connection, open);
    wire.leaving = stopping;
    wire.stirred = true;
    // Over TLS what is being read completed the handshake, and is no head that has begun.
    wire.progressed = wire.secure;
    wire.server.pipeline().addBefore("handler", "wire", wire);
    open.add(wire);
  }

  /** The wire of a connection that is watched. */
  static Wire of(HttpConnection connection) {
    return ((ConnectionBase) connection).channel().pipeline().get(Wire.class);
  }

  /** The answer that is being written is the last: nothing that follows is heard. */
  void deafen() {
    deaf = true;
  }

  /** Whether nothing that follows is heard: then the answer that is being written is the last. */
  boolean isDeaf() {
    return deaf;
  }

  /** Whether the answer that is being written should be the last, because nothing else waits. */
  boolean isToEnd() {
    return leaving && unanswered <= 1 && held.isEmpty();
  }

  /** The server stops. It would close what is idle now; here it is closed when it is quiet. */
  @Override
  public void userEventTriggered(ChannelHandlerContext channel, Object event) {
    if (event instanceof ShutdownEvent) {
      leaving = true;
      stirred = true;
    } else {
      channel.fireUserEventTriggered(event);
    }
  }

  /** Ends a connection of a server that stops once it has been quiet for long enough. */
  private void leaveIfQuiet(ChannelHandlerContext channel, long nowNanos) {
    if (stirred || unfinished || unanswered > 0 || !held.isEmpty() || isUnread(channel)) {
      stirred = false;
      quietSinceNanos = nowNanos;
    } else if (nowNanos - quietSinceNanos > QUIET_NANOS_MIN) {
      linger(channel);
    }
  }

  /** Whether the peer has yet to take answers, or the ends of them. */
  private static boolean isUnread(ChannelHandlerContext channel) {
    ChannelOutboundBuffer sent = channel.channel().unsafe().outboundBuffer();
    return sent != null && sent.totalPendingWriteBytes() > 0;
  }

  /** Cuts what began too long ago, and the second time closes, whatever the first time did. */
  @Override
  public void cutOverdue(long nowNanos) {
    ChannelHandlerContext channel = server.pipeline().context(this);
    if (leaving && !closing) {
      leaveIfQuiet(channel, nowNanos);
    }
    if (!held.isEmpty() && !deaf) {
      // What is held has come; what follows it cannot come before.
      deadlineNanos = nowNanos + UNFINISHED_NANOS_MAX;
    }
    if (streaming && !closing && bodyBytes - bytesInTime >= Limits.POOL_LOAD_BYTES_MIN) {
      bytesInTime = bodyBytes;
      deadlineNanos = nowNanos + UNFINISHED_NANOS_MAX;
    }
    if (!(unfinished || closing) || nowNanos - deadlineNanos < 0) {
      return;
    }
    if (deaf) {
      end(channel);
    } else if (inBody) {
      fail(REQUEST_TIMEOUT.because("body"));
    } else {
      HttpRequest head = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
      refuse(channel, head, REQUEST_TIMEOUT.because("head"));
      channel.fireChannelReadComplete();
    }
  }

  /** Passes a part on, unless the peer leaves its answers unread: then it is held until it does. */
  @Override
  public void channelRead(ChannelHandlerContext channel, Object message) {
    HttpObject part = (HttpObject) message;
    progressed = true;
    stirred = true;
    if (held.isEmpty() && (channel.channel().isWritable() || deaf)) {
      read(channel, part);
    } else {
      held.add(part);
      channel.channel().config().setAutoRead(false);
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext channel) {
    if (!held.isEmpty() && channel.channel().isWritable()) {
      channel.executor().execute(() -> readHeld(channel));
    }
    channel.fireChannelWritabilityChanged();
  }

  private void readHeld(ChannelHandlerContext channel) {
    while (!held.isEmpty() && (channel.channel().isWritable() || deaf)) {
      read(channel, held.remove());
    }
    channel.fireChannelReadComplete();
    if (held.isEmpty()) {
      beginIfBegun();
      channel.channel().config().setAutoRead(true);
    }
  }

  private void read(ChannelHandlerContext channel, HttpObject part) {
    if (deaf) {
      drop(channel, part);
    } else if (part instanceof HttpRequest head) {
      readHead(channel, head);
    } else {
      readBody(channel, (HttpContent) part);
    }
  }

  private void readHead(ChannelHandlerContext channel, HttpRequest head) {
    begin();
    inBody = true;
    streaming = false;
    bodyBytes = 0;
    bytesInTime = 0;
    Refusal refusal = Framing.refusal(head);
    if (refusal == null) {
      unanswered++;
      channel.fireChannelRead(head);
    } else if (!(head.decoderResult().cause() instanceof PrematureChannelClosureException)) {
      refuse(channel, head, refusal);
    }
  }

  private void readBody(ChannelHandlerContext channel, HttpContent content) {
    bodyBytes += content.content().readableBytes();
    if (content.decoderResult().isFailure()) {
      content.release();
      fail(MALFORMED_REQUEST.because("chunk"));
    } else if (bodyBytes > Limits.BATCH_BODY_BYTES_MAX && !streaming) {
      content.release();
      fail(BODY_TOO_LARGE.because("larger than any body"));
    } else {
      unfinished &= !(content instanceof LastHttpContent);
      channel.fireChannelRead(content);
    }
  }

  @Override
  public void write(ChannelHandlerContext channel, Object message, ChannelPromise written) {
    stirred = true;
    if (message instanceof LastHttpContent && !isInterim(message)) {
      unanswered--;
    }
    var unused = channel.write(message, written);
  }

  private static boolean isInterim(Object message) {
    return message instanceof HttpResponse head
        && head.status().codeClass() == HttpStatusClass.INFORMATIONAL;
  }

  @Override
  public void stream() {
    streaming = true;
  }

  /** There is one body at a time, and that is bounded. */
  @Override
  public void keep(int bytes) {}

  @Override
  public void channelReadComplete(ChannelHandlerContext channel) {
    if (secure && !progressed) {
      begin(); // Bytes that completed no TLS record, or nothing in it.
    }
    beginIfBegun();
    progressed = false;
    channel.fireChannelReadComplete();
  }

  /** A head has begun when bytes came behind what was read, or before anything was. */
  private void beginIfBegun() {
    if (decoder.hasBegun()) {
      begin();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext channel) {
    open.remove(this);
    held.forEach(ReferenceCountUtil::release);
    held.clear();
    channel.fireChannelInactive();
  }

  /**
   * Closes for writing first while a request is unfinished, or another may be on its way: closed at
   * once, with bytes unread, the connection would be reset and the answer lost on its way (RFC 9112
   * section 9.6).
   */
  @Override
  public void close(ChannelHandlerContext channel, ChannelPromise closed) {
    if (closing || !(unfinished || leaving) || !channel.channel().isActive()) {
      var unused = channel.close(closed);
      return;
    }
    var unused = channel.channel().closeFuture().addListener(done -> closed.trySuccess());
    linger(channel);
  }

  private void linger(ChannelHandlerContext channel) {
    closing = true;
    deaf = true;
    bodyBytes = 0;
    deadlineNanos = System.nanoTime() + LINGER_NANOS_MAX;
    channel.channel().config().setAutoRead(true);
    DuplexChannel connected = (DuplexChannel) channel.channel();
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    if (tls == null) {
      // Behind what waits to be sent, which would fail with the output.
      var unused =
          channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(done -> endOutput(connected));
    } else {
      // Without its farewell TLS would take the end for somebody else's doing.
      var unused = tls.closeOutbound().addListener(done -> endOutput(connected));
    }
  }

  private static void endOutput(DuplexChannel connected) {
    var unused = connected.shutdownOutput();
  }

  private void begin() {
    if (!unfinished) {
      unfinished = true;
      inBody = false;
      deadlineNanos = System.nanoTime() + UNFINISHED_NANOS_MAX;
    }
  }

  /** The server calls the request invalid, has it answered, and ends the connection. */
  private void refuse(ChannelHandlerContext channel, HttpRequest head, Refusal refusal) {
    deaf = true;
    unanswered++;
    head.setDecoderResult(DecoderResult.failure(refusal));
    channel.fireChannelRead(head);
  }

  /** Whoever reads the body answers; where nobody does, the next look at the clock closes. */
  @Override
  public void fail(Refusal refusal) {
    deaf = true;
    connection.handleException(refusal);
  }

  private static void end(ChannelHandlerContext channel) {
    var unused = channel.close();
  }

  private void drop(ChannelHandlerContext channel, HttpObject part) {
    if (part instanceof HttpContent content) {
      bodyBytes += content.content().readableBytes();
    }
    unfinished &= !(part instanceof LastHttpContent);
    ReferenceCountUtil.release(part);
    if (closing && (!unfinished || bodyBytes > Limits.BATCH_BODY_BYTES_MAX)) {
      end(channel);
    }
  }
}

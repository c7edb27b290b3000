package com.memoryendpoints.gateway.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;
import java.util.List;

/**
 * The server's own decoder, which also tells whether a head has begun that has not come whole: only
 * it knows what stands behind the last whole part of what was read.
 */
final class HeadDecoder extends VertxHttpRequestDecoder {
  private static final String NAME = "httpDecoder";
  private static final HttpServerOptions OPTIONS = ApiVerticle.options();

  private boolean begun;

  private HeadDecoder() {
    super(OPTIONS);
  }

  /** Takes the place of the server's decoder, before anything is read. */
  static HeadDecoder in(ChannelPipeline pipeline) {
    HeadDecoder decoder = new HeadDecoder();
    pipeline.replace(NAME, NAME, decoder);
    return decoder;
  }

  /** Whether bytes came that are the beginning of a head, and not yet all of it. */
  boolean hasBegun() {
    return begun;
  }

  @Override
  protected void decode(ChannelHandlerContext channel, ByteBuf in, List<Object> out)
      throws Exception {
    int parts = out.size();
    int from = in.readerIndex();
    int length = in.readableBytes();
    super.decode(channel, in, out);
    boolean blank = out.size() > parts || in.forEachByte(from, length, HeadDecoder::isBlank) < 0;
    begun = out.size() == parts && (begun || !blank);
  }

  /** Empty lines before a head are no part of it (RFC 9112 section 2.2). */
  private static boolean isBlank(byte b) {
    return b == '\r' || b == '\n';
  }
}

package com.memoryendpoints.gateway.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;

/** Tells of every frame that is complete, and of a head once all of its frames are. */
final class Frames extends Http2FrameListenerDecorator {
  private final Runnable each;

  /**
   * Before another listener.
   *
   * @param each told of each
   */
  Frames(Http2FrameListener next, Runnable each) {
    super(next);
    this.each = each;
  }

  @Override
  public int onDataRead(
      ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean endOfStream)
      throws Http2Exception {
    each.run();
    return super.onDataRead(ctx, streamId, data, padding, endOfStream);
  }

  @Override
  public void onHeadersRead(
      ChannelHandlerContext ctx, int streamId, Http2Headers headers, int padding, boolean end)
      throws Http2Exception {
    each.run();
    super.onHeadersRead(ctx, streamId, headers, padding, end);
  }

  @Override
  public void onHeadersRead(
      ChannelHandlerContext ctx,
      int streamId,
      Http2Headers headers,
      int dependency,
      short weight,
      boolean exclusive,
      int padding,
      boolean end)
      throws Http2Exception {
    each.run();
    super.onHeadersRead(ctx, streamId, headers, dependency, weight, exclusive, padding, end);
  }

  @Override
  public void onPriorityRead(
      ChannelHandlerContext ctx, int streamId, int dependency, short weight, boolean exclusive)
      throws Http2Exception {
    each.run();
    super.onPriorityRead(ctx, streamId, dependency, weight, exclusive);
  }

  @Override
  public void onRstStreamRead(ChannelHandlerContext ctx, int streamId, long errorCode)
      throws Http2Exception {
    each.run();
    super.onRstStreamRead(ctx, streamId, errorCode);
  }

  @Override
  public void onSettingsAckRead(ChannelHandlerContext ctx) throws Http2Exception {
    each.run();
    super.onSettingsAckRead(ctx);
  }

  @Override
  public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings)
      throws Http2Exception {
    each.run();
    super.onSettingsRead(ctx, settings);
  }

  @Override
  public void onPingRead(ChannelHandlerContext ctx, long data) throws Http2Exception {
    each.run();
    super.onPingRead(ctx, data);
  }

  @Override
  public void onPingAckRead(ChannelHandlerContext ctx, long data) throws Http2Exception {
    each.run();
    super.onPingAckRead(ctx, data);
  }

  @Override
  public void onGoAwayRead(
      ChannelHandlerContext ctx, int lastStreamId, long errorCode, ByteBuf debugData)
      throws Http2Exception {
    each.run();
    super.onGoAwayRead(ctx, lastStreamId, errorCode, debugData);
  }

  @Override
  public void onWindowUpdateRead(ChannelHandlerContext ctx, int streamId, int increment)
      throws Http2Exception {
    each.run();
    super.onWindowUpdateRead(ctx, streamId, increment);
  }

  @Override
  public void onUnknownFrame(
      ChannelHandlerContext ctx, byte type, int streamId, Http2Flags flags, ByteBuf payload)
      throws Http2Exception {
    each.run();
    super.onUnknownFrame(ctx, type, streamId, flags, payload);
  }
}

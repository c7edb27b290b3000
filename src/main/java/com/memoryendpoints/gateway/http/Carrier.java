package com.memoryendpoints.gateway.http;

import com.memoryendpoints.gateway.problem.Refusal;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;

/** What a request comes on: the whole of an HTTP/1 connection, or one stream of an HTTP/2 one. */
interface Carrier {
  /** Of a request whose caller went away. */
  Carrier GONE =
      new Carrier() {
        @Override
        public void stream() {}

        @Override
        public void keep(int bytes) {}

        @Override
        public void fail(Refusal refusal) {}
      };

  /** What this request came on. */
  static Carrier of(HttpServerRequest request) {
    return request.version() == HttpVersion.HTTP_2
        ? Streams.of(request.connection()).carrierOf(request)
        : Wire.of(request.connection());
  }

  /** Lets a request go on that was paused, unless its caller went away. */
  static void resume(HttpServerRequest request) {
    if (!request.response().closed()) {
      request.resume();
    }
  }

  /** Whoever serves the request reads its body as it comes, and no faster than it can. */
  void stream();

  /** So much more of the body is in memory until the request is answered. */
  void keep(int bytes);

  /** Whoever reads the body is told that it will not come; nothing more of it is read. */
  void fail(Refusal refusal);
}

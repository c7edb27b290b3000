package com.memoryendpoints.gateway.http;

import static com.memoryendpoints.gateway.http.Endpoint.get;

import io.vertx.core.Future;
import java.util.List;

/** What the gateway tells of itself, to everybody. */
final class AboutApi {
  private final Pages pages;

  AboutApi(Pages pages) {
    this.pages = pages;
  }

  List<Endpoint> endpoints() {
    return List.of(
        page("/"),
        get("/version", null).by(call -> Future.succeededFuture(Reply.ok(About.VERSION))),
        page("/openapi.json"),
        page("/openapi.yaml"),
        page("/docs"),
        get("/docs/:file", null).by(call -> pages.page(call, "/docs/" + call.path().get("file"))));
  }

  private Endpoint page(String path) {
    return get(path, null).by(call -> pages.page(call, path));
  }
}

package com.memoryendpoints.gateway.http;

import static com.memoryendpoints.gateway.problem.Problem.NO_SUCH_ROUTE;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is told to browsers and to machines that read the description of the API: the files of the
 * jar, by their paths. They are read and compressed once, for the first who asks and beside the
 * event loops, so that neither the start nor a claim waits for them.
 */
final class Pages {
  private static final String SWAGGER_UI =
      "/META-INF/resources/webjars/swagger-ui/" + About.SWAGGER_UI + "/";
  private static final String HTML = "text/html; charset=utf-8";
  private static final String CSS = "text/css; charset=utf-8";
  private static final String SCRIPT = "text/javascript; charset=utf-8";

  private static @Nullable Map<String, Page> byPath;

  private final Vertx vertx;
  private @Nullable Future<Map<String, Page>> read;

  /** For the event loop that calls. */
  Pages(Vertx vertx) {
    this.vertx = vertx;
  }

  /**
   * All of them, by path: read by whoever needs it first; the others wait. Takes some tenths of a
   * second the first time, and once more after each time that it failed.
   */
  static synchronized Map<String, Page> all() {
    Map<String, Page> all = byPath;
    if (all == null) {
      all = readAll();
      byPath = all;
    }
    return all;
  }

  /** The page at a path, as the call asks for it; NO_SUCH_ROUTE where there is none. */
  Future<Reply> page(Call call, String path) {
    if (read == null || read.failed()) {
      read = vertx.executeBlocking(Pages::all);
    }
    return read.compose(
        all -> {
          Page page = all.get(path);
          return page == null
              ? NO_SUCH_ROUTE.refuse("no such file")
              : Future.succeededFuture(page.reply(call.request().headers()));
        });
  }

  private static Map<String, Page> readAll() {
    byte[] yaml = file("/openapi.yaml");
    return Map.of(
        "/", Page.of(file("/pages/index.html"), HTML),
        "/openapi.yaml", Page.of(yaml, "application/yaml"),
        "/openapi.json", Page.of(json(yaml), "application/json"),
        "/docs", Page.of(file("/pages/docs.html"), HTML),
        "/docs/init.js", Page.of(file("/pages/init.js"), SCRIPT),
        "/docs/page.css", Page.of(file("/pages/page.css"), CSS),
        "/docs/swagger-ui.css", Page.of(file(SWAGGER_UI + "swagger-ui.css"), CSS),
        "/docs/swagger-ui-bundle.js", Page.of(file(SWAGGER_UI + "swagger-ui-bundle.js"), SCRIPT),
        "/docs/favicon-32x32.png", Page.of(file(SWAGGER_UI + "favicon-32x32.png"), "image/png"));
  }

  private static byte[] json(byte[] yaml) {
    try {
      return new JsonMapper().writeValueAsBytes(new YAMLMapper().readTree(yaml));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] file(String path) {
    try (InputStream file = Pages.class.getResourceAsStream(path)) {
      if (file == null) {
        throw new IllegalStateException("the jar lacks " + path);
      }
      return file.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

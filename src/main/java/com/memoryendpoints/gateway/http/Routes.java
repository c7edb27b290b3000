package com.memoryendpoints.gateway.http;

import static com.memoryendpoints.gateway.problem.Problem.MALFORMED_REQUEST;
import static com.memoryendpoints.gateway.problem.Problem.METHOD_NOT_ALLOWED;
import static com.memoryendpoints.gateway.problem.Problem.NO_SUCH_ROUTE;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** From endpoints to a router that answers everything else with a problem, too. */
final class Routes {
  private final Router router;
  private final Exchanges exchanges;

  private Routes(Vertx vertx, Exchanges exchanges) {
    this.router = Router.router(vertx);
    this.exchanges = exchanges;
  }

  /** The router over these endpoints; literal paths stand before those with parameters. */
  static Router router(Vertx vertx, List<Endpoint> endpoints, Exchanges exchanges) {
    Routes routes = new Routes(vertx, exchanges);
    Map<Boolean, List<Endpoint>> literal =
        endpoints.stream().collect(Collectors.partitioningBy(each -> each.path().contains(":")));
    routes.addAll(literal.getOrDefault(false, List.of()));
    routes.addAll(literal.getOrDefault(true, List.of()));
    routes.router.route().handler(routes::noSuchRoute);
    // What the router itself refuses before any route: an undecodable path, a missing host.
    routes.router.errorHandler(400, routes::malformed);
    routes.router.errorHandler(404, routes::noSuchRoute);
    routes.router.errorHandler(500, ctx -> routes.refuse(ctx, ctx.failure()));
    return routes.router;
  }

  private void addAll(List<Endpoint> endpoints) {
    for (Endpoint endpoint : endpoints) {
      for (HttpMethod method : methods(endpoint).toList()) {
        router.route(method, endpoint.path()).handler(exchanges.serving(endpoint, method));
      }
    }
    endpoints.stream()
        .collect(Collectors.groupingBy(Endpoint::path))
        .forEach((path, same) -> router.route(path).handler(methodNotAllowed(same)));
  }

  /** HEAD is where GET is. */
  private static Stream<HttpMethod> methods(Endpoint endpoint) {
    return endpoint.method().equals(HttpMethod.GET)
        ? Stream.of(HttpMethod.GET, HttpMethod.HEAD)
        : Stream.of(endpoint.method());
  }

  private Handler<RoutingContext> methodNotAllowed(List<Endpoint> same) {
    List<String> allowed =
        List.copyOf(
            same.stream()
                .flatMap(Routes::methods)
                .map(HttpMethod::name)
                .collect(Collectors.toCollection(TreeSet::new)));
    return ctx -> refuse(ctx, METHOD_NOT_ALLOWED.because("method").with("allow", allowed));
  }

  private void noSuchRoute(RoutingContext ctx) {
    refuse(ctx, NO_SUCH_ROUTE.because("path"));
  }

  private void malformed(RoutingContext ctx) {
    refuse(ctx, MALFORMED_REQUEST.because("path or host"));
  }

  private void refuse(RoutingContext ctx, Throwable failure) {
    HttpServerRequest request = ctx.request();
    exchanges.refuse(request, "outside the routes", failure);
  }
}

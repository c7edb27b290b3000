import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;

/** The least that a Vert.x server can do. Arguments: port, event loops. */
final class Hello {
  public static void main(String[] arguments) {
    int port = Integer.parseInt(arguments[0]);
    int loops = Integer.parseInt(arguments[1]);
    Vertx vertx =
        Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(loops));
    vertx.deployVerticle(
        () ->
            new AbstractVerticle() {
              @Override
              public void start() {
                vertx
                    .createHttpServer()
                    .requestHandler(request -> request.response().end("Hello, World!"))
                    .listen(port, "127.0.0.1");
              }
            },
        new DeploymentOptions().setInstances(loops));
  }
}

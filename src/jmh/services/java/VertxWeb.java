import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.*;
import java.util.logging.*;

// Vert.x with the router of Vert.x Web, one for each loop. It logs to java.util.logging, as by default.
void main() throws IOException {
    String log = System.getProperty("log");
    if (log != null) {
        System.setProperty("java.util.logging.SimpleFormatter.format", "%5$s%n");
        var file = new java.util.logging.FileHandler(log);
        file.setFormatter(new SimpleFormatter());
        Logger.getLogger("").removeHandler(Logger.getLogger("").getHandlers()[0]);
        Logger.getLogger("").addHandler(file);
    }
    Vertx vertx = Vertx.vertx();
    vertx.deployVerticle(() -> context -> vertx.createHttpServer().requestHandler(router(vertx, log != null))
                    .listen(Integer.getInteger("port"), "127.0.0.1"),
            new DeploymentOptions().setInstances(Integer.getInteger("loops"))).await();
}

Router router(Vertx vertx, boolean logs) {
    Router router = Router.router(vertx);
    if (logs) router.route().handler(LoggerHandler.create(LoggerFormat.SHORT));
    router.get("/").handler(context ->
            context.response().putHeader("Content-Type", "text/plain").end(Orders.HELLO));
    router.get("/users/:id/orders").handler(context -> {
        String user = context.pathParam("id");
        answer(context, Orders.list(user, context.queryParam("limit").get(0)), user);
    });
    router.post("/orders").handler(BodyHandler.create(false)).handler(context -> {
        context.response().setStatusCode(201);
        answer(context, Orders.add(context.body().asString()), "42");
    });
    return router;
}

void answer(RoutingContext context, String json, String user) {
    context.response().putHeader("Content-Type", Orders.JSON).putHeader("Cache-Control", Orders.CACHE)
            .putHeader("ETag", Orders.tag(user)).end(json);
}

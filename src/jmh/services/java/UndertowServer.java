import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.accesslog.*;
import io.undertow.util.Headers;

// Undertow's RoutingHandler, answering on the I/O thread; another thread writes its access log.
void main() {
    HttpHandler handler = Handlers.routing()
            .get("/", exchange -> {
                exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "text/plain");
                exchange.getResponseSender().send(Orders.HELLO);
            })
            .get("/users/{id}/orders", exchange -> {
                String user = exchange.getQueryParameters().get("id").getFirst();
                String limit = exchange.getQueryParameters().get("limit").getFirst();
                answer(exchange, Orders.list(user, limit), user);
            })
            .post("/orders", exchange -> exchange.getRequestReceiver().receiveFullString((same, body) ->
                    answer(same.setStatusCode(201), Orders.add(body), "42")));
    String log = System.getProperty("log");
    if (log != null) {
        var receiver = DefaultAccessLogReceiver.builder().setOutputDirectory(Path.of("/")).setLogBaseName(log)
                .setLogNameSuffix("").setRotate(false)
                .setLogWriteExecutor(Executors.newSingleThreadExecutor()).build();
        handler = new AccessLogHandler(handler, receiver, "common", Handlers.class.getClassLoader());
    }
    Undertow.builder().addHttpListener(Integer.getInteger("port"), "127.0.0.1")
            .setIoThreads(Integer.getInteger("loops")).setHandler(handler).build().start();
}

void answer(HttpServerExchange exchange, String json, String user) {
    exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, Orders.JSON)
            .put(Headers.CACHE_CONTROL, Orders.CACHE).put(Headers.ETAG, Orders.tag(user));
    exchange.getResponseSender().send(json);
}

import org.microhttp.*;
import org.microhttp.extras.accesslog.*;
import org.microhttp.extras.routing.*;

// Answers on the loop's thread, or with the property "blocking" each request on a virtual thread.
void main() throws IOException {
    Router router = new Router().on("GET", "/", handler(request -> Response.text(200, Orders.HELLO)))
            .on("GET", "/users/{id}/orders", handler(request -> {
                String user = Router.variable(request, "id");
                return answer(200, Orders.list(user, Parameters.query(request).text("limit", 3)), user);
            }))
            .on("POST", "/orders", handler(request ->
                    answer(201, Orders.add(new String(request.body(), StandardCharsets.UTF_8)), "42")));
    Options options = new Options().withHost("127.0.0.1").withPort(Integer.getInteger("port"));
    String log = System.getProperty("log");
    if (log != null) {
        options = options.withExchangeListener(
                new AccessLogger(new LogFile(Path.of(log)), AccessFormat.COMMON, Trust.nobody()));
    }
    new EventLoopGroup(options, new NoopLogger(), router, Integer.getInteger("loops")).start();
}

Handler handler(Responder responder) {
    return Boolean.getBoolean("blocking") ? Route.blocking(responder) : Handler.of(responder);
}

Response answer(int status, String json, String user) {
    return Response.json(status, json).withHeader("Cache-Control", Orders.CACHE)
            .withHeader("ETag", Orders.tag(user));
}

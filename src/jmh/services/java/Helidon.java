import io.helidon.webserver.WebServer;
import io.helidon.webserver.accesslog.*;
import io.helidon.webserver.http.ServerResponse;
import java.util.logging.LogManager;

// Helidon SE: a virtual thread for each connection. Its access log goes to a handler of java.util.logging.
void main() throws IOException {
    var server = WebServer.builder().host("127.0.0.1").port(Integer.getInteger("port"))
            .routing(routing -> routing.get("/", (request, response) -> response.send(Orders.HELLO))
                    .get("/users/{id}/orders", (request, response) -> {
                        String user = request.path().pathParameters().get("id");
                        answer(response, Orders.list(user, request.query().get("limit")), user);
                    })
                    .post("/orders", (request, response) -> {
                        String body = request.content().as(String.class);
                        answer(response.status(201), Orders.add(body), "42");
                    }));
    String log = System.getProperty("log");
    if (log != null) {
        String logging = """
                io.helidon.webserver.AccessLog.handlers=io.helidon.webserver.accesslog.AccessLogHandler
                io.helidon.webserver.AccessLog.level=INFO
                io.helidon.webserver.accesslog.AccessLogHandler.level=INFO
                io.helidon.webserver.accesslog.AccessLogHandler.pattern=""" + log;
        LogManager.getLogManager().readConfiguration(new ByteArrayInputStream(logging.getBytes()));
        server.addFeature(AccessLogFeature.builder().commonLogFormat().build());
    }
    server.build().start();
}

void answer(ServerResponse response, String json, String user) {
    response.header("Content-Type", Orders.JSON).header("Cache-Control", Orders.CACHE)
            .header("ETag", Orders.tag(user)).send(json);
}

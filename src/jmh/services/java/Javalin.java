import io.javalin.http.Context;
import org.eclipse.jetty.server.CustomRequestLog;

// Javalin on virtual threads. It has no access log: that of Jetty, on which it runs, is used.
void main() {
    io.javalin.Javalin.start(config -> {
        config.concurrency.useVirtualThreads = true;
        config.jetty.host = "127.0.0.1";
        config.jetty.port = Integer.getInteger("port");
        String log = System.getProperty("log");
        if (log != null) {
            // the writer that a file name stands for: with AsyncRequestLogWriter a run has stopped answering
            config.jetty.modifyServer(server ->
                    server.setRequestLog(new CustomRequestLog(log, CustomRequestLog.NCSA_FORMAT)));
        }
        config.routes.get("/", context -> context.result(Orders.HELLO));
        config.routes.get("/users/{id}/orders", context -> {
            String user = context.pathParam("id");
            answer(context, Orders.list(user, context.queryParam("limit")), user);
        });
        config.routes.post("/orders", context ->
                answer(context.status(201), Orders.add(context.body()), "42"));
    });
}

void answer(Context context, String json, String user) {
    context.header("Cache-Control", Orders.CACHE).header("ETag", Orders.tag(user))
            .contentType(Orders.JSON).result(json);
}

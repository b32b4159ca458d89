import org.eclipse.jetty.http.pathmap.UriTemplatePathSpec;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.*;
import org.eclipse.jetty.util.Callback;

// A handler of Jetty's, without servlets, which may block a thread of its pool.
void main() throws Exception {
    var orders = new UriTemplatePathSpec("/users/{id}/orders");
    var server = new Server();
    var connector = new ServerConnector(server, -1, Integer.getInteger("loops"));
    connector.setHost("127.0.0.1");
    connector.setPort(Integer.getInteger("port"));
    server.addConnector(connector);
    String log = System.getProperty("log");
    if (log != null) {
        server.setRequestLog(
                new CustomRequestLog(new AsyncRequestLogWriter(log), CustomRequestLog.NCSA_FORMAT));
    }
    server.setHandler(new Handler.Abstract() {
        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            String path = Request.getPathInContext(request);
            if (path.equals("/")) {
                response.getHeaders().put("Content-Type", "text/plain");
                Content.Sink.write(response, true, Orders.HELLO, callback);
            } else if (path.equals("/orders")) {
                response.setStatus(201);
                answer(response, Orders.add(Content.Source.asString(request)), "42", callback);
            } else {
                String user = orders.getPathParams(path).get("id");
                String limit = Request.extractQueryParameters(request).getValue("limit");
                answer(response, Orders.list(user, limit), user, callback);
            }
            return true;
        }
    });
    server.start();
}

void answer(Response response, String json, String user, Callback callback) {
    response.getHeaders().put("Content-Type", Orders.JSON).put("Cache-Control", Orders.CACHE)
            .put("ETag", Orders.tag(user));
    Content.Sink.write(response, true, json, callback);
}

import io.fusionauth.http.server.*;

// FusionAuth java-http: a virtual thread for each connection. It has no router and no access log.
void main() throws Exception {
    var address = InetAddress.getByName("127.0.0.1");
    new HTTPServer().withHandler(this::handle).withCompressByDefault(false)
            .withListener(new HTTPListenerConfiguration(address, Integer.getInteger("port"))).start();
    Thread.currentThread().join();
}

void handle(HTTPRequest request, HTTPResponse response) throws IOException {
    String path = request.getPath();
    if (path.equals("/")) {
        send(response, 200, "text/plain", Orders.HELLO);
        return;
    }
    boolean adds = request.getMethod().is("POST");
    String user = adds ? "42" : Orders.user(path);
    String json = adds ? Orders.add(new String(request.getBodyBytes(), StandardCharsets.UTF_8))
            : Orders.list(user, request.getURLParameter("limit"));
    response.setHeader("Cache-Control", Orders.CACHE);
    response.setHeader("ETag", Orders.tag(user));
    send(response, adds ? 201 : 200, Orders.JSON, json);
}

void send(HTTPResponse response, int status, String type, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    response.setStatus(status);
    response.setContentType(type);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
    response.getOutputStream().close();
}

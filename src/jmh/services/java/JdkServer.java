import com.sun.net.httpserver.*;

// The JDK's HttpServer, or robaho's, on virtual threads. It has no router; the log is the JDK's filter.
void main() throws IOException {
    var address = new InetSocketAddress("127.0.0.1", Integer.getInteger("port"));
    HttpServer server = HttpServer.create(address, 1024);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    var contexts = List.of(
            server.createContext("/", exchange -> send(exchange, 200, "text/plain", Orders.HELLO)),
            server.createContext("/users/", exchange -> {
                String user = Orders.user(exchange.getRequestURI().getPath());
                String limit = exchange.getRequestURI().getQuery().substring("limit=".length());
                answer(exchange, 200, Orders.list(user, limit), user);
            }),
            server.createContext("/orders", exchange -> {
                byte[] body = exchange.getRequestBody().readAllBytes();
                answer(exchange, 201, Orders.add(new String(body, StandardCharsets.UTF_8)), "42");
            }));
    String log = System.getProperty("log");
    if (log != null) {
        Filter filter = SimpleFileServer.createOutputFilter(new FileOutputStream(log),
                SimpleFileServer.OutputLevel.INFO);
        contexts.forEach(context -> context.getFilters().add(filter));
    }
    server.start();
}

void answer(HttpExchange exchange, int status, String json, String user) throws IOException {
    exchange.getResponseHeaders().set("Cache-Control", Orders.CACHE);
    exchange.getResponseHeaders().set("ETag", Orders.tag(user));
    send(exchange, status, Orders.JSON, json);
}

void send(HttpExchange exchange, int status, String type, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
}

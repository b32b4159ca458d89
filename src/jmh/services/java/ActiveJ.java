import io.activej.eventloop.Eventloop;
import io.activej.http.*;
import io.activej.promise.Promise;

// ActiveJ's RoutingServlet on one loop; more loops are a program's own work. It has no access log.
void main() throws IOException {
    Eventloop loop = Eventloop.create();
    RoutingServlet servlet = RoutingServlet.builder(loop)
            .with(HttpMethod.GET, "/", request ->
                    HttpResponse.ok200().withPlainText(Orders.HELLO).toPromise())
            .with(HttpMethod.GET, "/users/:id/orders", request -> {
                String user = request.getPathParameter("id");
                return answer(200, Orders.list(user, request.getQueryParameter("limit")), user);
            })
            .with(HttpMethod.POST, "/orders", request -> request.loadBody().then(body ->
                    answer(201, Orders.add(body.getString(StandardCharsets.UTF_8)), "42")))
            .build();
    var address = new InetSocketAddress("127.0.0.1", Integer.getInteger("port"));
    HttpServer.builder(loop, servlet).withListenAddress(address).build().listen();
    loop.run();
}

Promise<HttpResponse> answer(int status, String json, String user) {
    return HttpResponse.ofCode(status).withHeader(HttpHeaders.CONTENT_TYPE, Orders.JSON)
            .withHeader(HttpHeaders.CACHE_CONTROL, Orders.CACHE)
            .withHeader(HttpHeaders.ETAG, Orders.tag(user)).withBody(json).toPromise();
}

package org.microhttp.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.net.InetSocketAddress;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.Consumer;
import org.microhttp.*;

/** Answers with the body of the request, or with its target; what else it does is in wire.txt. */
final class WireHandler implements Handler {

    /** What answers the requests that are held. */
    final BlockingQueue<Runnable> held = new LinkedBlockingQueue<>();

    static String reason(int status) {
        return status == 200 ? "OK" : "Reason";
    }

    @Override
    public void handle(Request request, Consumer<Response> callback) {
        Response response = response(request);
        if (List.of(words(request)).contains("later")) {
            held.add(() -> callback.accept(response));
        } else {
            callback.accept(response);
        }
    }

    /** Answers the request that has been held for the longest time. */
    void answer() throws InterruptedException {
        Runnable first = held.poll(30, TimeUnit.SECONDS);
        if (first == null) throw new AssertionError("no request is held");
        first.run();
    }

    private static String[] words(Request request) {
        return request.target().substring(request.target().indexOf('?') + 1).split("&");
    }

    private static Response response(Request request) {
        int status = 200;
        String body = request.body().length > 0 ? new String(request.body(), ISO_8859_1) : request.target();
        var headers = new ArrayList<Header>();
        for (String word : words(request)) {
            String value = word.substring(word.indexOf('=') + 1);
            switch (word.replaceFirst("=.*", "")) {
                case "close" -> headers.add(new Header("Connection", "close"));
                case "date" -> headers.add(new Header("Date", "Mon, 01 Jan 2001 00:00:00 GMT"));
                case "length" -> headers.add(new Header("Content-Length", value));
                case "size" -> body = "x".repeat(Integer.parseInt(value));
                case "status" -> status = Integer.parseInt(value);
                case "client" -> body = client(request);
                default -> { }
            }
        }
        return new Response(status, reason(status), headers, body.getBytes(ISO_8859_1));
    }

    private static String client(Request request) {
        return request.remoteAddress() instanceof InetSocketAddress address
                && !address.getAddress().isLoopbackAddress()
                ? address.getAddress().getHostAddress() + ":" + address.getPort() : "the other end";
    }
}

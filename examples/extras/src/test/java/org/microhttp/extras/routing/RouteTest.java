package org.microhttp.extras.routing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.util.List;
import java.util.concurrent.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.*;
import org.microhttp.testing.*;

/** What routes limit, stream and answer, over sockets; also below prefixes. */
final class RouteTest {

    private static final int MOST = 10;

    private static final String TOO_LARGE = "the body is too large; allowed: up to 10 bytes\n";
    private static final String CHUNKED = "Transfer-Encoding: chunked\r\n";

    /** Answers with a body that was received or kept. */
    private static final ReceivedHandler<BodySubscriber<String>> ECHO = (request, received, callback) -> {
        if (received == null) {
            callback.accept(Response.text(200, "kept " + new String(request.body(), UTF_8)));
        } else {
            received.getBody().thenAccept(body -> callback.accept(Response.text(200, "received " + body)));
        }
    };

    private static final Responder NUMBER = request ->
            Response.text(200, "" + Parameters.query(request).number("n", 1, 9));

    private static BodySubscriber<String> subscriber(Request request) {
        return BodySubscribers.ofString(UTF_8);
    }

    private static final Handler RECEIVING = Handler.receiving(RouteTest::subscriber, ECHO);

    private static final Router LIMITED = new Router()
            .on("POST", "/kept", Route.of(Handler.receiving(request -> null, ECHO)).withMaxBody(MOST))
            .on("POST", "/streamed", Route.receiving(RouteTest::subscriber, ECHO).withMaxBody(MOST))
            .on("POST", "/sometimes", Route.<BodySubscriber<String>>receiving(request -> null, ECHO)
                    .withMaxBody(MOST))
            .on("POST", "/other", Route.of(RECEIVING).withMaxBody(MOST))
            .on("POST", "/free", Route.receiving(RouteTest::subscriber, ECHO))
            .on("POST", "/none", Route.of(RECEIVING).withMaxBody(0))
            .below("/outer", Route.of(new Router()
                    .on("POST", "/streamed", Route.receiving(RouteTest::subscriber, ECHO).withMaxBody(1000))
                    .on("POST", "/lower", Route.receiving(RouteTest::subscriber, ECHO).withMaxBody(2))
                    .andThen((request, response) -> response.withHeader("X-Inner", "1"))).withMaxBody(MOST));

    private static String post(String path, String fields) {
        return "POST " + path + " HTTP/1.1\r\nHost: x\r\n" + fields + "\r\n";
    }

    private static String chunk(String text) {
        return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
    }

    private static void assertAnswer(int status, String text, RawResponse response) {
        assertEquals(status + " " + text, response.status() + " " + response.text());
    }

    @ParameterizedTest
    @CsvSource({"/kept, kept", "/sometimes, kept", "/streamed, received", "/other, received",
        "/outer/streamed, received", "/free, received"})
    void aBodyUpToTheLimitIsTaken(String path, String how) throws Exception {
        try (var server = new TestServer(LIMITED)) {
            RawClient client = server.connect();
            for (String body : List.of("0123456789", "0", "")) {
                String length = "Content-Length: " + body.length() + "\r\n";
                // there is nothing to receive of no body
                String expected = (body.isEmpty() ? "kept" : how) + " " + body;
                assertAnswer(200, expected, client.send(post(path, length) + body).response());
            }
            if (!path.equals("/other")) {
                client.send(post(path, CHUNKED) + chunk("01234") + chunk("56789") + "0\r\n\r\n");
                assertAnswer(200, how + " 0123456789", client.response());
            }
        }
    }

    /** With the head alone, so that it is known that nothing is waited for. */
    @ParameterizedTest
    @ValueSource(strings = {"/kept", "/streamed", "/sometimes", "/other", "/outer/streamed"})
    void bodyDeclaredAboveTheLimitIsRefusedBeforeItComes(String path) throws Exception {
        try (var server = new TestServer(LIMITED)) {
            for (String fields : List.of("", "Expect: 100-continue\r\n")) {
                RawResponse refused = server.connect()
                        .send(post(path, fields + "Content-Length: 11\r\n")).response();
                assertAnswer(413, TOO_LARGE, refused);
                assertTrue(refused.closes());
            }
            RawClient client = server.connect().send(post(path, "Content-Length: 900000\r\n"));
            assertAnswer(413, TOO_LARGE, client.send("x".repeat(900_000)).response());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/streamed", "/outer/streamed"})
    void aBodyInChunksIsRefusedWhenItExceedsTheLimit(String path) throws Exception {
        try (var server = new TestServer(LIMITED)) {
            RawClient client = server.connect().send(post(path, CHUNKED) + chunk("0123456789"));
            RawResponse refused = client.send("1\r\n0").response();
            assertAnswer(413, TOO_LARGE, refused);
            assertTrue(refused.closes());
            assertEquals(path.startsWith("/outer") ? "1" : null, refused.header("X-Inner"));
        }
    }

    @Test
    void aBodyInChunksThatIsKeptIsRefusedWhenItIsComplete() throws Exception {
        try (var server = new TestServer(LIMITED)) {
            RawClient client = server.connect();
            for (String path : List.of("/kept", "/sometimes")) {
                client.send(post(path, CHUNKED) + chunk("01234567890") + "0\r\n\r\n");
                assertAnswer(413, TOO_LARGE, client.response());
            }
            client.send(post("/kept", "Content-Length: 1\r\n") + "x");
            assertAnswer(200, "kept x", client.response());
        }
    }

    @Test
    void aBodyInChunksThatCannotBeCountedIsRefused() throws Exception {
        try (var server = new TestServer(LIMITED)) {
            for (String path : List.of("/other", "/none")) {
                RawResponse refused = server.connect().send(post(path, CHUNKED)).response();
                assertAnswer(411, "the body is in chunks; allowed: a Content-Length\n", refused);
                assertTrue(refused.closes());
            }
        }
    }

    private static final Router TYPED = new Router()
            .on("POST", "/kept", Route.of(Handler.receiving(request -> null, ECHO))
                    .withTypes("Application/JSON", "text/x+y").withMaxBody(MOST))
            .on("POST", "/streamed", Route.receiving(RouteTest::subscriber, ECHO).withMaxBody(MOST)
                    .withTypes("image/png").withTypes("application/json", "text/x+y"));

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "APPLICATION/json; charset=utf-8", "application/json ;",
        "text/x+y", "application/json;a=\", text/html\""})
    void aBodyOfATypeThatIsAllowedIsTaken(String type) throws Exception {
        try (var server = new TestServer(TYPED)) {
            RawClient client = server.connect();
            for (String path : List.of("/kept", "/streamed")) {
                String how = path.equals("/kept") ? "kept " : "received ";
                String field = "Content-Type: " + type + "\r\n";
                client.send(post(path, field + "Content-Length: 1\r\n") + "x");
                assertAnswer(200, how + "x", client.response());
                client.send(post(path, field + CHUNKED) + chunk("x") + "0\r\n\r\n");
                assertAnswer(200, how + "x", client.response());
                assertAnswer(200, "kept ", client.send(post(path, "")).response());
                assertAnswer(200, "kept ", client.send(post(path, "Content-Length: 0\r\n")).response());
            }
        }
    }

    /** With the head alone; the type is judged before the length. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "A: b | missing", "Content-Type: text/plain | \"text/plain\"", "Content-Type: | \"\"",
        "Content-Type: application/jsonp | \"application/jsonp\"", "Content-Type: text/* | \"text/*\"",
        "Content-Type: application/json, text/plain | \"application/json, text/plain\"",
        "Content-Type: text/plain; application/json | \"text/plain; application/json\"",
        "Content-Type: <b>\u00e9 | \"\\u003Cb\\u003E\\u00C3\\u00A9\""})
    void aBodyOfAnotherTypeIsRefusedBeforeItComes(String field, String given) throws Exception {
        try (var server = new TestServer(TYPED)) {
            for (String path : List.of("/kept", "/streamed")) {
                for (String framing : List.of("Content-Length: 11\r\n", CHUNKED,
                        "Expect: 100-continue\r\nContent-Length: 1\r\n")) {
                    String head = post(path, field + "\r\n" + framing);
                    RawResponse refused = server.connect().send(head.getBytes(UTF_8)).response();
                    assertAnswer(415, "the type of the body is " + given
                            + "; allowed: application/json, text/x+y\n", refused);
                    assertTrue(refused.closes());
                }
            }
            assertEquals(0, server.log.count("handler_error"));
        }
    }

    /** A lambda around a route keeps bodies without asking the route. */
    @Test
    void aBodyThatWasKeptIsRefusedForItsTypeToo() throws Exception {
        Handler around = (request, callback) -> TYPED.handle(request, callback);
        try (var server = new TestServer(around)) {
            RawClient client = server.connect();
            client.send(post("/kept", CHUNKED) + chunk("x") + "0\r\n\r\n");
            assertEquals(415, client.response().status());
            assertEquals(200, client.send(post("/kept", CHUNKED) + "0\r\n\r\n").response().status());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "json", "*/*", "image/*", "a/b/c", "a/b; c=d", " a/b", "a/b\n", "a/\u00e9"})
    void invalidTypesAreRefused(String type) {
        Route route = Route.of(RECEIVING);
        var refused = assertThrows(IllegalArgumentException.class, () -> route.withTypes("a/b", type));
        assertEquals("a type is \"" + type + "\"; allowed: such as application/json", refused.getMessage());
        assertThrows(IllegalArgumentException.class, route::withTypes);
    }

    @Test
    void theLowerOfTwoLimitsCounts() throws Exception {
        String text = "the body is too large; allowed: up to 2 bytes\n";
        try (var server = new TestServer(LIMITED)) {
            String declared = post("/outer/lower", "Content-Length: 3\r\n");
            String inChunks = post("/outer/lower", CHUNKED) + chunk("123");
            for (String request : List.of(declared, inChunks)) {
                RawResponse refused = server.connect().send(request).response();
                assertAnswer(413, text, refused);
                assertEquals("1", refused.header("X-Inner"));
            }
        }
        assertThrows(IllegalArgumentException.class, () -> Route.of(LIMITED).withMaxBody(-1));
    }

    /** The subscriber of a body above the limit can remove what it has; its handler is not called. */
    @Test
    void aSubscriberLearnsThatItsBodyIsTooLarge() throws Exception {
        var received = new LinkedBlockingQueue<CompletionStage<String>>();
        Handler handler = Route.<BodySubscriber<String>>receiving(request -> {
            BodySubscriber<String> subscriber = subscriber(request);
            received.add(subscriber.getBody());
            return subscriber;
        }, (request, body, callback) -> fail("the handler is called")).withMaxBody(MOST);
        try (var server = new TestServer(handler)) {
            RawClient client = server.connect().send(post("/", CHUNKED) + chunk("0123456789a"));
            assertAnswer(413, TOO_LARGE, client.response());
            CompletionStage<String> body = received.take();
            var failure = assertThrows(ExecutionException.class, () -> body.toCompletableFuture().get());
            assertInstanceOf(IOException.class, failure.getCause());
            assertEquals("the body has more than 10 bytes", failure.getCause().getMessage());
            server.connect().send(post("/", CHUNKED) + chunk("0123")).reset();
            CompletionStage<String> aborted = received.take();
            assertThrows(ExecutionException.class, () -> aborted.toCompletableFuture().get());
        }
    }

    /** A handler below two prefixes has what it would have at the root. */
    @Test
    void handlerBelowAPrefixHasAddressReceiverAndAbandonment() throws Exception {
        var pending = new LinkedBlockingQueue<Request>();
        var abandoned = new CountDownLatch(1);
        Router inner = new Router()
                .on("GET", "/address", request -> Response.text(200, "" + request.remoteAddress()))
                .on("POST", "/received", RECEIVING)
                .on("GET", "/later", (request, callback) -> {
                    request.onAbandoned(abandoned::countDown);
                    pending.add(request);
                })
                .on("GET", "/fails", Handler.blocking(request -> {
                    throw new IOException("disk");
                }));
        Router router = new Router().below("/a", new Router().below("/b", new Prefixed("/c", inner)));
        try (var server = new TestServer(router)) {
            RawClient client = server.connect();
            String address = client.get("/a/b/c/address").response().text();
            assertEquals("" + client.localAddress(), address);
            client.send(post("/a/b/c/received", "Content-Length: 4\r\n") + "body");
            assertAnswer(200, "received body", client.response());
            assertEquals(500, client.get("/a/b/c/fails").response().status());
            assertEquals(1, server.log.count("handler_error"));
            client.get("/a/b/c/later");
            Request request = pending.take();
            assertFalse(request.isAbandoned());
            client.reset();
            assertTrue(abandoned.await(20, TimeUnit.SECONDS));
            assertTrue(request.isAbandoned());
        }
    }

    @Test
    void aRouterAnswersWrongParametersHoweverTheHandlerIsMade() throws Exception {
        Handler json = Handler.of(NUMBER).andThen((request, response) ->
                response.failure() instanceof RequestException e
                        ? Response.text(e.status(), "{" + e.getMessage() + "}") : response);
        Router router = new Router()
                .on("GET", "/responder", NUMBER)
                .on("GET", "/throws", (request, callback) -> {
                    throw new RequestException(409, "n is odd");
                })
                .on("GET", "/async", Handler.async(request -> CompletableFuture.supplyAsync(() ->
                        Response.text(200, "" + Parameters.query(request).number("n", 1, 9)))))
                .on("GET", "/blocking", Route.blocking(NUMBER).withMaxBody(MOST))
                .on("GET", "/executor", Route.blocking(Runnable::run, NUMBER))
                .on("GET", "/json", json)
                .on("POST", "/form", request -> Response.text(200, "" + Parameters.form(request).names()))
                .below("/below", Handler.of(NUMBER));
        try (var server = new TestServer(router)) {
            RawClient client = server.connect();
            for (String path : List.of("/responder", "/async", "/blocking", "/executor", "/below/")) {
                assertAnswer(400, "n is \"x\"; allowed: a whole number from 1 to 9\n",
                        client.get(path + "?n=x").response());
                assertAnswer(200, "7", client.get(path + "?n=7").response());
            }
            assertAnswer(409, "n is odd\n", client.get("/throws").response());
            assertAnswer(400, "{n is missing; allowed: a whole number from 1 to 9}",
                    client.get("/json").response());
            assertEquals(415, client.send(post("/form", "")).response().status());
            assertEquals(0, server.log.count("handler_error"));
        }
    }

    /** Also where they decide where a body goes: nothing of it is received. */
    @Test
    void aWrongParameterOfAStreamingRouteIsAnsweredBeforeItsBodyComes() throws Exception {
        Router router = new Router().on("PUT", "/", Route.receiving(request ->
                Parameters.query(request).flag("keep") ? subscriber(request) : null, ECHO));
        try (var server = new TestServer(router)) {
            String fields = " HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n";
            RawResponse refused = server.connect().send("PUT /?keep=x" + fields).response();
            assertAnswer(400, "keep is \"x\"; allowed: true, on, 1, false, off, 0\n", refused);
            assertEquals(0, server.log.count("handler_error"));
            RawClient client = server.connect().send("PUT /?keep=on" + fields);
            assertEquals(100, client.response().status());
            assertAnswer(200, "received x", client.send("x").response());
        }
    }

    @Test
    void aRequestExceptionHasAStatusOfAnError() {
        assertEquals(599, new RequestException(599, "").status());
        for (int status : new int[] {399, 600, 200, -1}) {
            var refused = assertThrows(IllegalArgumentException.class,
                    () -> new RequestException(status, "a"));
            assertEquals("status is " + status + "; allowed: 400 to 599", refused.getMessage());
        }
        assertThrows(NullPointerException.class, () -> new RequestException(null));
    }

    @Test
    void otherFailuresStayFailures() throws Exception {
        Router router = new Router()
                .on("GET", "/mistake", request -> {
                    throw new IllegalArgumentException("of the program");
                })
                .on("GET", "/null", (request, callback) -> callback.accept(null));
        try (var server = new TestServer(router)) {
            RawClient client = server.connect();
            for (String path : List.of("/mistake", "/null")) {
                assertEquals(500, client.get(path).response().status());
            }
            server.log.await("handler_error", 2);
        }
    }
}

package org.microhttp.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.*;

import java.io.*;
import java.net.*;
import java.net.http.*;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.*;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.microhttp.*;
import org.microhttp.testing.*;

/** Bodies over sockets: of each kind, from publishers and to subscribers of the JDK, whole or visibly cut. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BodiesTest {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    /** Lines, each of which is another. */
    private static final String TEXT = IntStream.range(0, 200_000).mapToObj(i -> "line " + i + "\n")
            .collect(Collectors.joining());

    @TempDir
    private Path folder;

    private static TestServer serve(Options options, Supplier<Body> body) throws IOException {
        return new TestServer(options, (request, callback) -> callback.accept(
                request.target().equals("/alive") ? TestServer.ok("")
                        : new Response(200, List.of(), body.get())));
    }

    private static String send(TestServer server, HttpRequest.Builder request) throws Exception {
        var address = URI.create("http://127.0.0.1:" + server.port() + "/");
        return CLIENT.send(request.uri(address).build(), BodyHandlers.ofString()).body();
    }

    private Path file() throws IOException {
        return Files.writeString(Files.createTempFile(folder, "file", null), TEXT);
    }

    private static InputStream open(Path file) {
        try {
            return Files.newInputStream(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assertText(String received) {
        assertTrue(TEXT.equals(received), received.length() + " bytes of another text");
    }

    /** The kernel moves a file and a mapping itself. Others are served while the client reads slowly. */
    @Test
    void largeResponsesLeaveInPartsWhole() throws Exception {
        try (var file = FileChannel.open(file())) {
            ByteBuffer mapped = file.map(FileChannel.MapMode.READ_ONLY, 0, TEXT.length());
            for (Body body : List.of(Body.of(ByteBuffer.wrap(TEXT.getBytes())), Body.of(mapped),
                    Body.of(file, 0, TEXT.length()))) {
                try (var server = serve(TestServer.options(), () -> body)) {
                    RawClient slow = server.connect(4096).get("/").get("/alive").get("/");
                    server.awaitEvent("write");
                    server.assertServes();
                    assertText(slow.response().text());
                    slow.expectOk("");
                    assertText(slow.response().text());
                }
            }
        }
    }

    @Test
    void publishersOfTheJdkAreBodies() throws Exception {
        Path file = file();
        List<BodyPublisher> publishers = List.of(BodyPublishers.ofString(TEXT), BodyPublishers.ofFile(file),
                BodyPublishers.ofByteArray(TEXT.getBytes()), BodyPublishers.ofInputStream(() -> open(file)),
                BodyPublishers.fromPublisher(BodyPublishers.ofString(TEXT)));
        for (BodyPublisher publisher : publishers) {
            try (var server = serve(TestServer.options(),
                    () -> Body.of(publisher, publisher.contentLength()))) {
                assertText(send(server, HttpRequest.newBuilder()));
                assertText(send(server, HttpRequest.newBuilder()));
            }
        }
    }

    @Test
    void aSubmissionPublisherBroadcastsTheSameBuffers() throws Exception {
        var publisher = new SubmissionPublisher<ByteBuffer>();
        try (var server = serve(TestServer.options(), () -> Body.of(publisher).withHeadAtOnce())) {
            var clients = List.of(server.connect(), server.connect(), server.connect());
            for (RawClient client : clients) {
                client.get("/").read(4);
            }
            server.awaitEvent("write", 3);
            while (publisher.getNumberOfSubscribers() < 3) {
                Thread.onSpinWait();
            }
            var expected = new StringBuilder("\r\n\r\n");
            for (int i = 0; i < 100; i++) {
                publisher.submit(ByteBuffer.wrap(("" + i).getBytes()));
                expected.append(("" + i).length()).append("\r\n").append(i).append("\r\n");
            }
            publisher.close();
            expected.append("0\r\n\r\n");
            for (RawClient client : clients) {
                client.readUntil("" + expected);
            }
        }
    }

    @Test
    void anIncompleteBodyWithoutFramingIsAReset() throws Exception {
        Flow.Publisher<ByteBuffer> failing = subscriber -> subscriber.onSubscribe(new Flow.Subscription() {

            @Override
            public void request(long count) {
                subscriber.onNext(ByteBuffer.wrap("abc".getBytes()));
                subscriber.onError(new IllegalStateException("wanted"));
            }

            @Override
            public void cancel() { }
        });
        try (var server = serve(TestServer.options(), () -> Body.of(failing));
                var client = server.connect()) {
            client.send("GET / HTTP/1.0\r\n\r\n");
            assertThrows(SocketException.class, client::readToEnd);
        }
    }

    /** A proxy such as nginx sees no reset there. */
    @Test
    void atAUnixSocketHttp10GetsNoBodyWithoutFraming() throws Exception {
        var address = UnixDomainSocketAddress.of(folder.resolve("socket"));
        Options options = TestServer.options().withUnixSocket(address.getPath());
        try (var server = serve(options, () -> Body.of(subscriber -> { }).withHeadAtOnce());
                var client = server.connect()) {
            RawResponse refused = client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").response();
            assertEquals(505, refused.status());
            assertTrue(refused.text().contains("proxy_http_version 1.1"), refused.text());
            client.expectEnd();
            assertEquals("unframed", server.awaitEvent("refuse").value("code"));
            assertEquals(1, server.itself.stats().refusals().get("unframed"));
        }
    }

    /** A subscriber, and the text of the body that it receives. */
    private record Receiving(BodySubscriber<?> subscriber, CompletionStage<String> text) {

        /** A thread reads what comes, while it comes. */
        Receiving(BodySubscriber<?> subscriber) {
            this(subscriber, subscriber.getBody().thenApplyAsync(Receiving::text,
                    task -> new Thread(task).start()));
        }

        private static String text(Object result) {
            if (result instanceof byte[] bytes) return new String(bytes, US_ASCII);
            if (result instanceof Path file) return text(open(file));
            if (result instanceof Stream<?> lines) return lines(lines.toList());
            if (result instanceof Collecting<?> collecting) return collecting.text();
            if (!(result instanceof InputStream stream)) return "" + result;
            try (stream) {
                return text(stream.readAllBytes());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static String lines(List<?> lines) {
            return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
        }
    }

    /** A subscriber to lists of buffers or to lines. */
    private static final class Collecting<T> implements Flow.Subscriber<T> {

        private final List<Object> all = new ArrayList<>();
        private Flow.Subscription subscription;

        String text() {
            if (all.isEmpty() || all.get(0) instanceof String) return Receiving.lines(all);
            return all.stream().map(list -> "" + ((List<?>) list).stream()
                    .map(buffer -> "" + US_ASCII.decode((ByteBuffer) buffer)).collect(Collectors.joining()))
                    .collect(Collectors.joining());
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            subscription.request(1);
        }

        @Override
        public void onNext(T item) {
            all.add(item);
            subscription.request(1);
        }

        @Override
        public void onError(Throwable cause) { }

        @Override
        public void onComplete() { }
    }

    private static Receiving published() {
        var publisher = BodySubscribers.ofPublisher();
        var whole = BodySubscribers.ofString(US_ASCII);
        publisher.getBody().thenAccept(one -> one.subscribe(whole));
        return new Receiving(publisher, whole.getBody());
    }

    private static BodySubscriber<String> consuming() {
        var text = new ByteArrayOutputStream();
        return BodySubscribers.mapping(BodySubscribers.ofByteArrayConsumer(
                piece -> piece.ifPresent(text::writeBytes)), nothing -> text.toString(US_ASCII));
    }

    private static Stream<Arguments> subscribers() {
        var all = new TreeMap<String, Supplier<BodySubscriber<?>>>(Map.of(
                "ofString", () -> BodySubscribers.ofString(US_ASCII),
                "ofByteArray", BodySubscribers::ofByteArray,
                "ofInputStream", BodySubscribers::ofInputStream,
                "ofLines", () -> BodySubscribers.ofLines(US_ASCII),
                "ofByteArrayConsumer", BodiesTest::consuming,
                "fromSubscriber", () -> BodySubscribers.fromSubscriber(
                        new Collecting<List<ByteBuffer>>(), Collecting::text),
                "fromLineSubscriber", () -> BodySubscribers.fromLineSubscriber(
                        new Collecting<String>(), Collecting::text, US_ASCII, "\n"),
                "discarding", BodySubscribers::discarding,
                "replacing", () -> BodySubscribers.replacing("replaced"),
                "buffering", () -> BodySubscribers.buffering(BodySubscribers.ofString(US_ASCII), 1000)));
        return Stream.concat(Stream.of(Arguments.of("ofPublisher", (Supplier<?>) BodiesTest::published)),
                all.keySet().stream().map(name -> Arguments.of(name,
                        (Supplier<?>) () -> new Receiving(all.get(name).get()))));
    }

    /** Has each body received by a subscriber of its own, and answers with what came of that. */
    private static TestServer receive(Supplier<Receiving> subscribers) throws IOException {
        var results = new ConcurrentHashMap<Object, CompletionStage<String>>();
        return new TestServer(Handler.receiving(request -> {
            Receiving receiving = subscribers.get();
            results.put(receiving.subscriber(), receiving.text());
            return receiving.subscriber();
        }, (request, receiver, callback) -> results.remove(receiver).whenComplete((text, failure) ->
                callback.accept(failure == null ? Response.text(200, text)
                        : Response.text(422, "" + failure)))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("subscribers")
    void subscribersOfTheJdkReceiveBodies(String name, Supplier<Receiving> subscribers) throws Exception {
        for (String body : List.of("", "line\n", TEXT)) {
            try (var server = receive(subscribers)) {
                String chunked = send(server, HttpRequest.newBuilder()
                        .POST(BodyPublishers.fromPublisher(BodyPublishers.ofString(body))));
                // where a length says that there is no body, none is received
                String counted = body.isEmpty() ? chunked
                        : send(server, HttpRequest.newBuilder().POST(BodyPublishers.ofString(body)));
                String expected = switch (name) {
                    case "discarding" -> "null";
                    case "replacing" -> "replaced";
                    default -> body;
                };
                assertTrue(chunked.equals(expected) && counted.equals(expected), "another body is received");
            }
        }
    }

    /** It cancels, so the client is answered, which sends no more. */
    @Test
    void aFileThatCannotBeWrittenIsAnAnswerAtOnce() throws Exception {
        Path missing = folder.resolve("missing").resolve("body");
        for (Path file : List.of(folder.resolve("body"), missing)) {
            try (var server = receive(() -> new Receiving(BodySubscribers.ofFile(file)))) {
                RawClient client = server.connect();
                client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n");
                client.send("x".repeat(2000));
                if (file != missing) client.send("x".repeat(98_000));
                RawResponse response = client.response();
                assertEquals(file == missing ? 422 : 200, response.status());
                assertTrue(response.text().contains(file == missing ? "NoSuchFile" : "x".repeat(100_000)));
            }
        }
    }

    /**
     * A body goes to the subscriber that was chosen for it, and the subscriber to the handler, also through
     * handlers around it; without one, a body is in memory.
     */
    @Test
    void theHandlerGetsTheSubscriberThatHasReceivedTheBody() throws Exception {
        Handler inner = Handler.receiving(
                request -> request.path().equals("/file") ? BodySubscribers.ofString(US_ASCII) : null,
                (request, receiver, callback) -> {
                    String kept = new String(request.body(), US_ASCII);
                    if (receiver == null) {
                        callback.accept(Response.text(200, "kept " + kept));
                    } else {
                        receiver.getBody().thenAccept(body -> callback.accept(
                                Response.text(200, request.path() + " received " + body + kept)));
                    }
                });
        Handler changed = inner.andThen((request, response) -> response.withHeader("X", "1"));
        Handler outer = changed.wrappedBy((request, callback) ->
                changed.handle(request.withTarget("/copy").withHeader("A", "b"), callback));
        try (var server = new TestServer(outer); var client = server.connect()) {
            String post = " HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc";
            client.send("POST /file" + post + "POST /other" + post);
            for (String body : List.of("/copy received abc", "kept abc")) {
                assertEquals(body, client.response().text());
            }
            assertEquals("kept ", client.get("/file").response().text());
        }
    }

    /** A program that mixes handlers up finds its mistake in the log. */
    @Test
    void aSubscriberThatAnotherHandlerHasChosenIsAFailure() throws Exception {
        Handler lengths = Handler.receiving(request -> BodySubscribers.ofByteArray(),
                (request, receiver, callback) -> receiver.getBody().thenAccept(
                        body -> callback.accept(Response.text(200, "" + body.length))));
        Handler mixed = Handler.receiving(request -> new Collecting<List<ByteBuffer>>(),
                (request, receiver, callback) -> lengths.handle(request, callback));
        try (var server = new TestServer(mixed); var client = server.connect()) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc");
            assertEquals(500, client.response().status());
            assertSame(ClassCastException.class, server.awaitEvent("handler_error").cause().getClass());
        }
    }

    @Test
    void anOpenUploadIsARequestThatAStopWaitsFor() throws Exception {
        try (var server = receive(() -> new Receiving(BodySubscribers.ofString(US_ASCII)));
                var client = server.connect()) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc");
            server.awaitEvent("read_bytes", 1);
            var dropped = CompletableFuture.supplyAsync(() -> server.itself.stop(Duration.ofSeconds(20)));
            server.awaitEvent("leave", 1);
            client.send("defghij");
            assertEquals("abcdefghij", client.response().text());
            assertEquals(0, dropped.get(20, TimeUnit.SECONDS));
        }
    }
}

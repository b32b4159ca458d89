package org.microhttp.wire;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.net.*;
import java.net.http.*;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.*;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.Supplier;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.*;
import org.microhttp.testing.*;

/** Streamed bodies over sockets: what the publishers of the JDK, and clients that leave, make of them. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StreamedBodiesTest {

    private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    private static Response streamed(Body body) {
        return new Response(200, List.of(), body);
    }

    private static TestServer serve(Options options, Supplier<Body> body) throws IOException {
        return new TestServer(options, (request, callback) -> callback.accept(
                request.target().equals("/alive") ? TestServer.ok("") : streamed(body.get())));
    }

    private static String get(TestServer server) throws Exception {
        var address = URI.create("http://127.0.0.1:" + server.port() + "/");
        return CLIENT.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString()).body();
    }

    /** A publisher that never ends, and counts its cancels. */
    private static final class Endless implements Flow.Publisher<ByteBuffer>, Flow.Subscription {

        private final ByteBuffer buffer;
        final CountDownLatch cancelled = new CountDownLatch(1);
        private Flow.Subscriber<? super ByteBuffer> subscriber;

        /** @param size how long each buffer is; 0 for none */
        Endless(int size) {
            buffer = ByteBuffer.allocate(size);
        }

        @Override
        public void subscribe(Flow.Subscriber<? super ByteBuffer> one) {
            subscriber = one;
            one.onSubscribe(this);
        }

        @Override
        public void request(long count) {
            for (long i = 0; i < count && buffer.capacity() > 0; i++) {
                subscriber.onNext(buffer);
            }
        }

        @Override
        public void cancel() {
            cancelled.countDown();
        }
    }

    @Test
    void thePublishersOfTheJdkAreBodies() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "of a file ".repeat(20_000));
        String text = Files.readString(file);
        List<HttpRequest.BodyPublisher> publishers = List.of(BodyPublishers.ofString(text),
                BodyPublishers.ofFile(file), BodyPublishers.ofByteArray(text.getBytes()),
                BodyPublishers.ofInputStream(() -> {
                    try {
                        return Files.newInputStream(file);
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                }), BodyPublishers.fromPublisher(BodyPublishers.ofString(text)));
        for (HttpRequest.BodyPublisher publisher : publishers) {
            try (var server = serve(TestServer.options(),
                    () -> Body.of(publisher, publisher.contentLength()))) {
                assertEquals(text, get(server));
                assertEquals(text, get(server));
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
            for (int i = 0; i < 100; i++) {
                publisher.submit(ByteBuffer.wrap(("" + i).getBytes()));
            }
            publisher.close();
            var expected = new StringBuilder();
            for (int i = 0; i < 100; i++) {
                expected.append(("" + i).length()).append("\r\n").append(i).append("\r\n");
            }
            for (RawClient client : clients) {
                String body = expected + "0\r\n\r\n";
                String rest = client.readUntil(body);
                assertTrue(rest.endsWith("\r\n\r\n" + body), rest);
            }
        }
    }

    @Test
    void aResetCancelsAtOnce() throws Exception {
        var silent = new Endless(0);
        try (var server = serve(TestServer.options(), () -> Body.of(silent).withHeadAtOnce())) {
            RawClient client = server.connect();
            client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").read(10);
            client.reset();
            assertTrue(silent.cancelled.await(30, TimeUnit.SECONDS));
            server.assertServes();
        }
    }

    @Test
    void theEndOfTheServerCancels() throws Exception {
        var silent = new Endless(0);
        var server = serve(TestServer.options(), () -> Body.of(silent).withHeadAtOnce());
        server.connect().get("/").read(10);
        assertEquals(1, server.itself.stop(Duration.ZERO));
        assertTrue(silent.cancelled.await(30, TimeUnit.SECONDS));
        server.close();
    }

    @Test
    void aClientThatDoesNotReadHoldsNobody() throws Exception {
        var endless = new Endless(100_000);
        Options options = TestServer.options().withSocketTimeout(Duration.ofMillis(500));
        try (var server = serve(options, () -> Body.of(endless))) {
            server.connect(1024).get("/").read(10);
            server.assertServes();
            assertTrue(endless.cancelled.await(30, TimeUnit.SECONDS));
            server.awaitEvent("socket_timeout");
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
            public void cancel() {
            }
        });
        try (var server = serve(TestServer.options(), () -> Body.of(failing));
                var client = server.connect()) {
            client.send("GET / HTTP/1.0\r\n\r\n");
            assertThrows(SocketException.class, client::readToEnd);
        }
    }

    @Test
    void atAUnixSocketHttp10IsToldOfHttp11() throws Exception {
        var address = UnixDomainSocketAddress.of(folder.resolve("socket"));
        Options options = TestServer.options().withUnixSocket(address.getPath());
        var endless = new Endless(10);
        try (var server = serve(options, () -> Body.of(endless)); var client = server.connect()) {
            RawResponse refused = client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").response();
            assertEquals(505, refused.status());
            assertTrue(refused.text().contains("proxy_http_version 1.1"), refused.text());
            client.expectEnd();
            assertEquals("unframed", server.awaitEvent("refuse").value("code"));
            assertEquals(1, server.itself.stats().refusals().get("unframed"));
            assertEquals(CHUNKED.length(), server.connect().get("/").read(CHUNKED.length()));
        }
    }

    /** The place is released when the response is given, and the stream stays open. */
    @Test
    void anOpenStreamTakesNoPlace() throws Exception {
        Options options = TestServer.options().withMaxPendingRequests(1);
        try (var server = serve(options, () -> Body.of(new Endless(0)).withHeadAtOnce())) {
            for (int i = 0; i < 5; i++) {
                server.connect().get("/").read(10);
            }
            server.assertServes();
        }
    }
}

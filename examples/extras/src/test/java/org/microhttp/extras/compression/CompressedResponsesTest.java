package org.microhttp.extras.compression;

import static org.junit.jupiter.api.Assertions.*;

import java.io.*;
import java.net.URI;
import java.net.http.*;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.*;
import org.microhttp.extras.events.*;
import org.microhttp.testing.*;

/** Compressed responses over sockets: the clients of the JDK and curl get each kind of body. */
@Tier.Program
final class CompressedResponsesTest {

    private static final int MOST = 2;
    private static final byte[] LARGE = "one line of many, all of which are the same\n".repeat(100_000)
            .getBytes(StandardCharsets.US_ASCII);
    private static final String ACCEPTING =
            " / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n";

    @TempDir
    private Path folder;
    private Path file;
    private final EventStream events = new EventStream(EventLimits.DEFAULT, Duration.ofHours(1));
    private CompressionHandler handler;
    private TestServer server;

    @BeforeEach
    void start() throws IOException {
        file = Files.write(folder.resolve("large.txt"), LARGE);
        handler = new CompressionHandler(Handler.blocking(this::respond),
                CompressionOptions.DEFAULT.withMaxStreams(MOST));
        Options options = TestServer.options().withSendBufferSize(8192);
        server = new TestServer(options, handler);
    }

    /** All places are free in the end, whatever the clients have done. */
    @AfterEach
    void end() throws Exception {
        events.close();
        server.close();
        assertTrue(handler.places.tryAcquire(MOST, 20, TimeUnit.SECONDS));
    }

    private Response respond(Request request) throws Exception {
        Body body = switch (request.path()) {
            case "/small" -> Body.of(ByteBuffer.wrap(LARGE, 0, 5000));
            case "/direct" -> Body.of(ByteBuffer.allocateDirect(LARGE.length).put(LARGE).flip());
            case "/file" -> Body.of(file);
            case "/publisher" -> Body.of(BodyPublishers.ofFile(file), LARGE.length);
            default -> Body.of(ByteBuffer.wrap(LARGE));
        };
        return request.path().equals("/events") ? events.response(request)
                : Response.of(200, "text/plain", body);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/array", "/small", "/direct", "/file", "/publisher"})
    void theJdksClientGetsEachKindOfBody(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .header("Accept-Encoding", "gzip").build();
        HttpClient client = HttpClient.newHttpClient();
        for (int i = 0; i < 3; i++) {
            HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
            assertEquals("gzip", response.headers().firstValue("Content-Encoding").orElse(""));
            assertEquals(path.equals("/small"), response.headers().firstValue("Content-Length").isPresent());
            assertTrue(response.body().length < LARGE.length / 50);
            try (var plain = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
                byte[] all = plain.readAllBytes();
                assertArrayEquals(path.equals("/small") ? new String(LARGE, 0, 5000).getBytes() : LARGE, all);
            }
        }
    }

    @Test
    void curlGetsPlainAndCompressed() throws Exception {
        Assumptions.assumeTrue(Programs.isInstalled("curl"));
        String url = "http://127.0.0.1:" + server.port() + "/file";
        String text = new String(LARGE, StandardCharsets.US_ASCII);
        assertEquals(text, Programs.run(0, "curl", "-sS", "--compressed", url));
        assertEquals(text, Programs.run(0, "curl", "-sS", url));
        String head = Programs.run(0, "curl", "-sSI", "--compressed", url);
        assertTrue(head.contains("Content-Encoding: gzip") && !head.contains("Content-Length"), head);
    }

    /** Each event can be decompressed when it is there. */
    @Test
    void anEventDoesNotWaitForTheNext() throws Exception {
        try (var client = new RawClient(server.port())) {
            client.send("GET" + ACCEPTING.replace(" / ", " /events ")).readUntil("\r\n\r\n");
            var inflater = new Inflater(true);
            for (int i = 1; i <= 20; i++) {
                events.publish(ServerEvent.of("event " + i));
                int size = Integer.parseInt(client.readUntil("\r\n").strip(), 16);
                byte[] chunk = client.take(size + 2);
                int head = i == 1 ? 10 : 0;
                inflater.setInput(chunk, head, size - head);
                var text = new ByteArrayOutputStream();
                byte[] buffer = new byte[1000];
                for (int count; (count = inflater.inflate(buffer)) > 0; ) {
                    text.write(buffer, 0, count);
                }
                assertEquals("id: " + i + "\ndata: event " + i + "\n\n", text.toString());
            }
            inflater.end();
        }
    }

    /** Clients that do not read hold all places; then others get the response as it is, and one goes. */
    @Test
    void aboveTheMostStreamsItIsPlain() throws Exception {
        String get = "GET" + ACCEPTING.replace(" / ", " /events ");
        RawClient[] holding = new RawClient[MOST];
        for (int i = 0; i < MOST; i++) {
            holding[i] = new RawClient(server.port());
            assertTrue(holding[i].send(get).readUntil("\r\n\r\n").contains("Content-Encoding: gzip"));
        }
        try (var client = new RawClient(server.port())) {
            String head = client.send("GET" + ACCEPTING).readUntil("\r\n\r\n");
            assertTrue(head.contains("Content-Length: " + LARGE.length), head);
            assertTrue(head.contains("Vary: Accept-Encoding") && !head.contains("gzip"), head);
            client.read(LARGE.length);
            client.send("HEAD" + ACCEPTING).response(true);
            holding[0].reset();
            assertTrue(handler.places.tryAcquire(20, TimeUnit.SECONDS));
            handler.places.release();
            assertTrue(client.send("GET" + ACCEPTING).readUntil("\r\n\r\n").contains("gzip"));
        }
        holding[1].close();
    }

    /** Clients that go at any point, also before the response is theirs. */
    @Test
    void clientsThatLeaveHoldNothing() throws IOException {
        for (int i = 0; i < 60; i++) {
            try (var client = new RawClient(server.port(), 4096)) {
                client.send(("GET" + ACCEPTING.replace(" / ", " /file ")).repeat(1 + i % 3));
                client.read(i * 10);
                client.reset();
            }
        }
        server.assertServes();
    }

    /** As it is without compression. */
    @Test
    void aBodyThatFailsBeforeItsFirstByteIsA500() throws Exception {
        handler = new CompressionHandler(Handler.of(request -> Response.of(200, "text/plain",
                Body.of(subscriber -> subscriber.onSubscribe(new Flow.Subscription() {

                    @Override
                    public void request(long count) {
                        subscriber.onError(new IOException("on purpose"));
                    }

                    @Override
                    public void cancel() { }
                })))), CompressionOptions.DEFAULT.withMaxStreams(MOST));
        try (var failing = new TestServer(handler); var client = new RawClient(failing.port())) {
            assertEquals(500, client.send("GET" + ACCEPTING).response().status());
            failing.awaitEvent("body_error");
        }
    }
}

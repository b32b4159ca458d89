package org.microhttp.services;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.*;
import java.net.URI;
import java.net.http.*;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.microhttp.testing.*;
import org.microhttp.tools.testing.ToolProcesses;

/** The short programs that stream: CsvServer, EventsServer, RelayServer. */
@Tier.Program
final class StreamingExamplesTest {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final byte[] SQUARES = squares();

    @RegisterExtension
    final ToolProcesses processes = new ToolProcesses();

    private ServerProcess start(String... arguments) throws IOException {
        return processes.add(ServerProcess.start(arguments)).listening();
    }

    private static HttpRequest.Builder to(ServerProcess server, String target) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + server.port + target));
    }

    private static BufferedReader events(ServerProcess server, String... field) throws Exception {
        HttpRequest.Builder request = to(server, "/events");
        if (field.length > 0) {
            request.headers(field);
        }
        HttpResponse<InputStream> answer = CLIENT.send(request.build(), BodyHandlers.ofInputStream());
        assertEquals("text/event-stream", answer.headers().firstValue("Content-Type").orElseThrow());
        return new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
    }

    private static void post(ServerProcess server, String text) throws Exception {
        HttpRequest request = to(server, "/events").POST(BodyPublishers.ofString(text)).build();
        assertEquals(204, CLIENT.send(request, BodyHandlers.discarding()).statusCode());
    }

    private static void expect(BufferedReader events, String... lines) throws IOException {
        for (String line : lines) {
            assertEquals(line, events.readLine());
        }
    }

    private static byte[] squares() {
        var lines = new StringBuilder("number,square\r\n");
        for (long number = 1; number <= 1_000_000; number++) {
            lines.append(number).append(',').append(number * number).append("\r\n");
        }
        return lines.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static void expectSquares(HttpResponse<byte[]> answer) {
        assertEquals("text/csv", answer.headers().firstValue("Content-Type").orElseThrow());
        assertTrue(Arrays.equals(SQUARES, answer.body()), "other squares");
    }

    /** With a heap that could not hold it. */
    @Test
    void csvHasAMillionLines() throws Exception {
        ServerProcess server = start("-Xmx12m", "CsvServer", "0");
        expectSquares(CLIENT.send(to(server, "/").build(), BodyHandlers.ofByteArray()));
    }

    /** Sixteen threads write; each ends when its client has gone. */
    @Test
    void csvGoesOnAfterClientsThatLeave() throws Exception {
        ServerProcess server = start("CsvServer", "0");
        for (int i = 0; i < 40; i++) {
            try (var client = new RawClient(server.port, 1024)) {
                client.get("/").read(1000);
                client.reset();
            }
        }
        expectSquares(CLIENT.send(to(server, "/").build(), BodyHandlers.ofByteArray()));
    }

    /** More than there are threads; none of them reads, nor goes. */
    @Test
    void csvIsWrittenBesideClientsThatDoNotRead() throws Exception {
        ServerProcess server = start("CsvServer", "0", "2");
        List<RawClient> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 8; i++) {
                slow.add(new RawClient(server.port, 1024));
                slow.get(i).get("/").read(1000);
            }
            CompletableFuture<Void> whole = CompletableFuture.runAsync(() -> expectSquares(
                    CLIENT.sendAsync(to(server, "/").build(), BodyHandlers.ofByteArray()).join()));
            whole.get(30, TimeUnit.SECONDS);
        } finally {
            for (RawClient client : slow) {
                client.close();
            }
        }
    }

    /** A hundred megabytes, of lines without text, in a heap of a quarter; one listener does not read. */
    @Test
    void eventsAreBoundedInBytes() throws Exception {
        ServerProcess server = start("-Xmx24m", "EventsServer", "0");
        try (var slow = new RawClient(server.port, 1024)) {
            slow.get("/events").readUntil("\r\n\r\n");
            for (int i = 0; i < 250; i++) {
                post(server, "\n".repeat(60_000));
            }
            assertFalse(slow.readUntilItFails().contains("0\r\n\r\n"), "the end, though more follows");
        }
        HttpRequest large = to(server, "/events").POST(BodyPublishers.ofString("x".repeat(70_000))).build();
        assertEquals(413, CLIENT.send(large, BodyHandlers.discarding()).statusCode());
        post(server, "last");
        try (var next = events(server, "Last-Event-ID", "250")) {
            expect(next, "id: 251", "data: last", "");
        }
    }

    @Test
    void eventsReachEveryListenerOnce() throws Exception {
        ServerProcess server = start("EventsServer", "0");
        try (var first = events(server); var second = events(server)) {
            post(server, "one");
            post(server, "two\nlines");
            for (BufferedReader listener : List.of(first, second)) {
                expect(listener, "id: 1", "data: one", "", "id: 2", "data: two", "data: lines", "");
            }
        }
    }

    @Test
    void eventsThatWereMissedComeAgain() throws Exception {
        ServerProcess server = start("EventsServer", "0");
        for (int i = 1; i <= 1100; i++) {
            post(server, "e" + i);
        }
        try (var next = events(server, "Last-Event-ID", "1098")) {
            expect(next, "id: 1099", "data: e1099", "", "id: 1100", "data: e1100", "");
        }
        // no more than some are kept; an unknown number is of another server
        for (String known : List.of("3", "999999", "x")) {
            try (var next = events(server, "Last-Event-ID", known)) {
                expect(next, "id: 101", "data: e101", "");
            }
        }
    }

    @Test
    void eventsEndCleanlyWithTheServer() throws Exception {
        ServerProcess server = start("EventsServer", "0");
        assumeTrue(server.process.supportsNormalTermination(), "no SIGTERM");
        try (var listener = events(server)) {
            post(server, "last");
            expect(listener, "id: 1", "data: last", "");
            server.terminate();
            assertNull(listener.readLine(), "more follows the last event");
        }
        assertEquals(143, server.process.waitFor());
    }

    @Test
    void relayStreamsTheResponse() throws Exception {
        ServerProcess origin = start("CsvServer", "0");
        ServerProcess relay = start("-Xmx32m", "RelayServer", "0", "http://localhost:" + origin.port);
        expectSquares(CLIENT.send(to(relay, "/").build(), BodyHandlers.ofByteArray()));
        HttpRequest head = to(relay, "/").method("HEAD", BodyPublishers.noBody()).build();
        for (int i = 0; i < 20; i++) {
            assertEquals(200, CLIENT.send(head, BodyHandlers.discarding()).statusCode());
        }
        try (var client = new RawClient(relay.port)) {
            assertEquals(400, client.get("http://localhost:" + origin.port + "/").response().status());
            assertEquals(400, client.get("/a[0]").response().status());
        }
        origin.process.destroyForcibly().waitFor();
        assertEquals(502, CLIENT.send(to(relay, "/").build(), BodyHandlers.discarding()).statusCode());
    }

    /** The other way: what its class makes of lists is the body of a request. */
    @Test
    void flattenedListsAreTheBodyOfARequest() throws Exception {
        var lists = new ArrayList<List<ByteBuffer>>();
        var expected = new StringBuilder();
        for (int i = 0; i < 500; i++) {
            var list = new ArrayList<ByteBuffer>();
            for (int j = i % 4; j > 0; j--) {
                list.add(ByteBuffer.wrap(("" + i).getBytes()));
                expected.append(i);
            }
            lists.add(list);
        }
        Iterator<List<ByteBuffer>> rest = lists.iterator();
        Flow.Publisher<List<ByteBuffer>> all = subscriber -> subscriber.onSubscribe(new Flow.Subscription() {

            @Override
            public void request(long count) {
                for (long i = 0; i < count && rest.hasNext(); i++) {
                    subscriber.onNext(rest.next());
                    if (!rest.hasNext()) subscriber.onComplete();
                }
            }

            @Override
            public void cancel() {
            }
        });
        try (var server = new TestServer(TestServer::echoBody)) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + server.port()))
                    .POST(BodyPublishers.fromPublisher(flatten(all))).build();
            assertEquals(expected.toString(), CLIENT.send(request, BodyHandlers.ofString()).body());
        }
    }

    @SuppressWarnings("unchecked")
    private static Flow.Publisher<ByteBuffer> flatten(Flow.Publisher<List<ByteBuffer>> lists)
            throws ReflectiveOperationException {
        var constructor = Class.forName("RelayServer$Flattened").getDeclaredConstructor(Flow.Publisher.class);
        constructor.setAccessible(true);
        return (Flow.Publisher<ByteBuffer>) constructor.newInstance(lists);
    }
}

package org.microhttp.extras.events;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.*;
import org.microhttp.Options;
import org.microhttp.testing.*;

/** Events over sockets: who gets which, who is disconnected, and how it ends. */
@Tier.Program
final class EventStreamTest {

    private static final Duration LONG = Duration.ofHours(1);
    private static final int SIZE = 50_000;
    private static final String TEXT = "x".repeat(SIZE);
    private static final int CLIENTS = 60;
    private static final String END = "0\r\n\r\n";

    private final List<EventStream> streams = new ArrayList<>();
    private EventStream events;
    private TestServer server;

    @BeforeEach
    void start() throws IOException {
        start(new EventLimits(3, 1000, 5, 10L * SIZE, CLIENTS), LONG);
    }

    @AfterEach
    void end() throws IOException {
        server.close();
        streams.forEach(EventStream::close);
    }

    private void start(EventLimits limits, Duration heartbeat) throws IOException {
        if (server != null) {
            server.close();
        }
        events = new EventStream(limits, heartbeat);
        streams.add(events);
        EventStream stream = events;
        // what does not fit in here waits in the stream
        Options options = TestServer.options().withSendBufferSize(8192);
        server = new TestServer(options,
                (request, callback) -> callback.accept(stream.response(request)));
    }

    private void publish(String... texts) {
        for (String text : texts) {
            events.publish(ServerEvent.of(text));
        }
    }

    /** Connects, and waits until it listens. */
    private RawClient listen(String fields) throws IOException {
        return listen(fields, 0);
    }

    private RawClient listen(String fields, int receiveBufferSize) throws IOException {
        var client = new RawClient(server.port(), receiveBufferSize);
        client.send("GET / HTTP/1.1\r\nHost: x\r\n" + fields + "\r\n").readUntil("\r\n\r\n");
        return client;
    }

    /** Reads events, a chunk for each. */
    private static void expect(RawClient client, String... chunks) throws IOException {
        for (String chunk : chunks) {
            String size = Integer.toHexString(chunk.length());
            String expected = size + "\r\n" + chunk + "\r\n";
            assertEquals(expected, new String(client.take(expected.length()), StandardCharsets.UTF_8));
        }
    }

    private static String numbered(int number, String text) {
        return "id: " + number + "\ndata: " + text + "\n\n";
    }

    @Test
    void everyClientGetsEveryEventInOrder() throws IOException {
        try (RawClient first = listen(""); RawClient second = listen("")) {
            for (int i = 1; i <= 500; i++) {
                publish("e" + i);
                for (RawClient client : List.of(first, second)) {
                    expect(client, numbered(i, "e" + i));
                }
            }
        }
    }

    @Test
    void theResponseIsAnEventStream() throws IOException {
        try (var client = new RawClient(server.port())) {
            String head = client.get("/").readUntil("\r\n\r\n");
            assertTrue(head.contains("Content-Type: text/event-stream\r\nCache-Control: no-store\r\n"
                    + "X-Accel-Buffering: no\r\nTransfer-Encoding: chunked\r\n"), head);
        }
        try (var client = new RawClient(server.port())) {
            client.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals(200, client.response(true).status());
        }
    }

    @Test
    void reconnectingClientGetsMissedEvents() throws IOException {
        publish("a", "b", "c");
        events.publish(ServerEvent.of("d").withId("own"));
        try (RawClient client = listen("Last-Event-ID: 3\r\n")) {
            expect(client, "id: own\ndata: d\n\n");
        }
        try (RawClient client = listen("Last-Event-ID: own\r\n")) {
            publish("e");
            expect(client, numbered(5, "e"));
        }
        // too old, of another process, no id, none: all that are kept
        for (String known : List.of("1", "9999999999999999999", "\u00ff\u0080", "own, 3", "")) {
            try (RawClient client = listen(known.isEmpty() ? "" : "Last-Event-ID: " + known + "\r\n")) {
                expect(client, numbered(3, "c"), "id: own\ndata: d\n\n", numbered(5, "e"));
            }
        }
    }

    @Test
    void keptEventsHaveALimitInBytes() throws IOException {
        publish("a", "b", "x".repeat(985));
        try (RawClient client = listen("")) {
            expect(client, numbered(3, "x".repeat(985)));
        }
        publish("y".repeat(1000));
        try (RawClient client = listen("")) {
            publish("z");
            expect(client, numbered(5, "z"));
        }
    }

    @Test
    void anEventAboveTheLimitIsRefused() throws IOException {
        try (RawClient client = listen("")) {
            assertThrows(IllegalArgumentException.class, () -> publish("\n".repeat(2 * SIZE)));
            publish("a");
            expect(client, numbered(1, "a"));
        }
    }

    /** More of them than could each have its own queue; one that reads gets everything meanwhile. */
    @Test
    void clientsThatDoNotReadAreDisconnected() throws Exception {
        start(new EventLimits(0, 0, 1000, 10L * SIZE, CLIENTS), LONG);
        var slow = new ArrayList<RawClient>();
        try (RawClient reader = listen("")) {
            for (int i = 0; i < 20; i++) {
                slow.add(listen("", 4096));
            }
            for (int i = 1; i <= 40; i++) {
                publish(TEXT);
                expect(reader, numbered(i, TEXT));
            }
            for (RawClient client : slow) {
                assertFalse(client.readUntilItFails().endsWith(END), "an end, though more follows");
                client.close();
            }
            publish("last");
            expect(reader, numbered(41, "last"));
        }
    }

    @Test
    void tooManyEventsAreAsMuchAsTooManyBytes() throws IOException {
        try (RawClient slow = listen("", 4096)) {
            // the first is not sent, so those after it wait
            publish(TEXT, TEXT, "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m");
            assertFalse(slow.readUntilItFails().endsWith(END), "an end, though more follows");
        }
    }

    @Test
    void anEventIsInMemoryOnce() {
        NotedSubscriber first = subscribe(9);
        NotedSubscriber second = subscribe(9);
        publish("a");
        NotedSubscriber third = subscribe(9);
        assertSame(first.texts.get(0), second.texts.get(0));
        assertSame(first.texts.get(0), third.texts.get(0));
    }

    /** The server keeps what it has even after a failure, so it gets little before it has sent that. */
    @Test
    void theServerGetsLittleAtOnce() {
        NotedSubscriber client = subscribe(8);
        publish(TEXT, TEXT, "a", "b", "c", "d");
        assertEquals(1, client.texts.size());
        client.subscription.request(1);
        assertEquals(6, client.texts.size());
        publish(TEXT, "f", "g", "h", "i");
        assertNull(client.failure);
        publish("j");
        assertInstanceOf(CancellationException.class, client.failure);
        assertEquals(6, client.texts.size());
        assertEquals(0, events.listeners.size());
    }

    @Test
    void aSubscriberMayRequestWhileItIsSignalled() {
        events = new EventStream(new EventLimits(100_000, 9 << 20, 100_000, 9 << 20, 1), LONG);
        streams.add(events);
        for (int i = 0; i < 100_000; i++) {
            publish("");
        }
        var client = new NotedSubscriber();
        client.more = true;
        events.listen(client, null);
        client.subscription.request(1);
        assertEquals(100_000, client.texts.size());
        client.subscription.cancel();
        publish("a");
        client.subscription.request(1);
        assertEquals(100_000, client.texts.size());
    }

    /** One that was handed another subscriber, which takes as many as come, and so is never too slow. */
    @Test
    void aSubscriberMayRequestEverything() {
        NotedSubscriber client = subscribe(1);
        client.subscription.request(Long.MAX_VALUE);
        client.subscription.request(Long.MAX_VALUE);
        for (int i = 0; i < 20; i++) {
            publish(TEXT);
        }
        assertEquals(20, client.texts.size());
        assertNull(client.failure);
    }

    /** Such as one of a handler around this one. */
    @Test
    void aSubscriberThatThrowsHarmsNoOther() {
        var reported = new ArrayList<Throwable>();
        Thread publisher = Thread.currentThread();
        publisher.setUncaughtExceptionHandler((thread, thrown) -> reported.add(thrown));
        NotedSubscriber broken = subscribe(9);
        NotedSubscriber other = subscribe(9);
        broken.thrown = new IllegalStateException("planned");
        publish("a", "b");
        publisher.setUncaughtExceptionHandler(null);
        assertEquals(List.of(broken.thrown), reported);
        assertEquals(1, broken.texts.size());
        assertEquals(2, other.texts.size());
        assertEquals(1, events.listeners.size());
        events.close();
        assertTrue(other.completed);
    }

    @Test
    void aRequestOfNothingIsAMistake() {
        NotedSubscriber client = subscribe(0);
        client.subscription.request(0);
        assertInstanceOf(IllegalArgumentException.class, client.failure);
        publish("a");
        assertEquals(0, client.texts.size());
    }

    @Test
    void aClientThatHasGoneIsForgotten() throws IOException {
        RawClient client = listen("");
        assertEquals(1, events.listeners.size());
        client.reset();
        server.awaitEvent("close");
        assertEquals(0, events.listeners.size());
    }

    @Test
    void moreClientsThanTheLimitAreRefused() throws IOException {
        start(new EventLimits(0, 0, 9, 9000, 2), LONG);
        try (RawClient first = listen(""); RawClient second = listen(""); var third = server.connect()) {
            RawResponse refused = third.get("/").response();
            assertEquals("503 10", refused.status() + " " + refused.header("Retry-After"));
            second.reset();
            server.awaitEvent("close");
            third.get("/").readUntil("\r\n\r\n");
            publish("a");
            for (RawClient client : List.of(first, third)) {
                expect(client, numbered(1, "a"));
            }
        }
    }

    /** Their responses were made when there was a place. */
    @Test
    void clientsThatListenLaterAreCountedToo() {
        publish("a");
        NotedSubscriber last = null;
        for (int i = 0; i <= CLIENTS; i++) {
            last = subscribe(9);
        }
        assertEquals(CLIENTS, events.listeners.size());
        assertTrue(last.completed);
        assertEquals(0, last.texts.size());
    }

    @Test
    void silenceIsFilledWithComments() throws IOException {
        start(EventLimits.DEFAULT, Duration.ofMillis(10));
        try (RawClient client = listen("")) {
            expect(client, ":\n\n", ":\n\n");
            publish("a");
            assertTrue(client.readUntil("data: a\n\n").endsWith(numbered(1, "a")));
            client.readUntil(":\n\n");
        }
    }

    /** A response that goes on would otherwise last as long as the grace period. */
    @Test
    void aGracefulStopEndsTheStream() throws Exception {
        server.close();
        EventStream stream = events;
        server = new TestServer(TestServer.options().withOnStopping(stream::close),
                (request, callback) -> callback.accept(stream.response(request)));
        try (RawClient client = listen("")) {
            publish("last");
            expect(client, numbered(1, "last"));
            assertEquals(0, server.stopGracefully(LONG).dropped());
            assertEquals(END, client.readToEnd());
        }
    }

    @Test
    void theProgramEndsTheStream() throws IOException {
        try (RawClient client = listen("")) {
            publish("a");
            expect(client, numbered(1, "a"));
            events.close();
            events.close();
            publish("b");
            // the connection goes on
            assertEquals(END, new String(client.take(END.length()), StandardCharsets.UTF_8));
            client.get("/").readUntil("\r\n\r\n" + END);
        }
    }

    @Test
    void curlFollows() throws Exception {
        assumeTrue(Programs.isInstalled("curl"), "no curl");
        publish("a", "two\r\nid: 9\rlines\0");
        Process curl = new ProcessBuilder("curl", "-sSN", "--noproxy", "*", "-H", "Last-Event-ID: 1",
                "http://127.0.0.1:" + server.port()).start();
        try {
            String expected = "id: 2\ndata: two\ndata: id: 9\ndata: lines\0\n\n";
            assertEquals(expected, new String(curl.getInputStream().readNBytes(expected.length())));
            events.close();
            assertEquals("", new String(curl.getInputStream().readAllBytes()));
            assertEquals(0, curl.waitFor());
        } finally {
            curl.destroyForcibly();
        }
    }

    /** Many threads publish while clients come and go. */
    @Test
    void threadsMayPublishAtOnce() throws Exception {
        start(new EventLimits(0, 0, 1_000_000, 1 << 30, CLIENTS), LONG);
        try (RawClient client = listen("")) {
            var threads = new ArrayList<Thread>();
            for (int i = 0; i < 4; i++) {
                var thread = new Thread(() -> publish("x ".repeat(1000).split(" ")));
                thread.start();
                threads.add(thread);
            }
            for (int i = 0; i < 50; i++) {
                listen("").reset();
            }
            for (int i = 1; i <= 4000; i++) {
                expect(client, numbered(i, "x"));
            }
            for (Thread thread : threads) {
                TestServer.join(thread);
            }
        }
    }

    private static final class NotedSubscriber implements Flow.Subscriber<ByteBuffer> {

        private final List<ByteBuffer> texts = new ArrayList<>();
        private boolean more;
        private RuntimeException thrown;
        private boolean completed;
        private Throwable failure;
        private Flow.Subscription subscription;

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
        }

        @Override
        public void onNext(ByteBuffer text) {
            texts.add(text);
            if (thrown != null) {
                throw thrown;
            }
            if (more) {
                subscription.request(1);
            }
        }

        @Override
        public void onError(Throwable cause) {
            failure = cause;
        }

        @Override
        public void onComplete() {
            completed = true;
        }
    }

    /** Subscribes, and requests so many buffers. */
    private NotedSubscriber subscribe(int count) {
        var subscriber = new NotedSubscriber();
        events.listen(subscriber, null);
        if (count > 0) {
            subscriber.subscription.request(count);
        }
        return subscriber;
    }
}

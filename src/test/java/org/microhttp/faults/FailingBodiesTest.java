package org.microhttp.faults;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.file.*;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.*;
import org.microhttp.*;
import org.microhttp.faults.tools.FailingAnswer;
import org.microhttp.testing.*;

/**
 * An answer that fails takes no other with it: whatever its kind, its place in a pipelined batch, and when
 * the client reads, the answers before it arrive byte for byte, what arrives of it is no whole answer, and
 * log and statistics say what was sent.
 */
@Tier.Gate
@Timeout(value = 40, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FailingBodiesTest {

    private static final int REQUESTS = 3;
    private static final int SMALL = 1_000;
    private static final int LARGE = 150_000;
    private static final int BUFFER = 16 * 1024;

    /** More than the server reads while it waits. */
    private static final int UNREAD = 200_000;

    /** By size, then by number. */
    private static final Map<Integer, List<String>> CONTENTS = Map.of(SMALL, contents(SMALL),
            LARGE, contents(LARGE));

    /** How the client goes on when it has sent its requests. */
    private enum Reader {

        /** It reads at once. */
        EARLY,

        /** It reads when the server can do no more without that. */
        LATE,

        /** It does that when it has ended its side. */
        ENDED,

        /** Before that it sends on, which is no request. */
        BUSY
    }

    /** One batch of requests, of which one fails. */
    private record Batch(FailingAnswer.Kind kind, int place, boolean elsewhere, int size, Reader reader) {

        private byte[] content(int number) {
            return CONTENTS.get(size).get(number).getBytes(ISO_8859_1);
        }

        private String answer(int number) {
            return "HTTP/1.1 200 OK\r\nContent-Length: " + size + "\r\n"
                    + (isLast(number) ? "Connection: close\r\n" : "") + "\r\n"
                    + CONTENTS.get(size).get(number);
        }

        /** Whether the client sends nothing more, and says so. */
        private boolean isLast(int number) {
            return number == REQUESTS - 1 && reader != Reader.BUSY;
        }

        private String requests(int batch) {
            var requests = new StringBuilder();
            for (int i = 0; i < REQUESTS; i++) {
                requests.append("GET /" + batch + "/" + i + " HTTP/1.1\r\nHost: x\r\n")
                        .append(isLast(i) ? "Connection: close\r\n" : "").append("\r\n");
            }
            return requests + (reader == Reader.BUSY ? "x\r\n\r\n".repeat(UNREAD / 5) : "");
        }
    }

    @TempDir
    private Path folder;

    private final MovedClock clock = new MovedClock();
    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    private TestServer server;
    private int number;
    private Batch batch;
    private FailingAnswer failing;
    private final AtomicInteger given = new AtomicInteger();
    private final AtomicInteger released = new AtomicInteger();

    @BeforeEach
    void start() throws IOException {
        server = new TestServer(clock.in(TestServer.options()).withSendBufferSize(BUFFER), this::handle);
    }

    @AfterEach
    void stop() throws IOException {
        executor.shutdownNow();
        server.close();
    }

    private static List<String> contents(int size) {
        var contents = new ArrayList<String>();
        for (int number = 0; number < REQUESTS; number++) {
            var content = new StringBuilder();
            for (int i = 0; i < size; i++) {
                content.append((char) ('a' + (number + i + i / 26) % 26));
            }
            contents.add(content.toString());
        }
        return contents;
    }

    private void handle(Request request, Consumer<Response> callback) {
        int asked = request.target().charAt(request.target().length() - 1) - '0';
        if (batch.elsewhere) {
            executor.execute(() -> answerElsewhere(asked, callback));
        } else {
            answer(asked, callback);
        }
    }

    /** While the loop waits, so that what comes to the answer as soon as it is given is before it is sent. */
    private void answerElsewhere(int asked, Consumer<Response> callback) {
        try {
            CountDownLatch go = server.hold();
            answer(asked, callback);
            go.countDown();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private void answer(int asked, Consumer<Response> callback) {
        if (asked == batch.place) {
            if (batch.kind.isGiven()) given.incrementAndGet();
            failing.give(callback);
        } else {
            given.incrementAndGet();
            Body body = Body.of(java.nio.ByteBuffer.wrap(batch.content(asked)));
            callback.accept(new Response(200, "OK", List.of(), body.onReleased(released::incrementAndGet)));
        }
    }

    private static List<Batch> batches(FailingAnswer.Kind kind) {
        var batches = new ArrayList<Batch>();
        for (int place = 0; place < REQUESTS; place++) {
            for (int size : List.of(SMALL, LARGE)) {
                for (Reader reader : Reader.values()) {
                    // while it is sent: it has to be large, and to wait for its client
                    if (kind.isWhileSent() && (size == SMALL || reader == Reader.EARLY)) continue;
                    batches.add(new Batch(kind, place, false, size, reader));
                    // there the handler has no way to fail
                    if (kind != FailingAnswer.Kind.HANDLER_THROWS) {
                        batches.add(new Batch(kind, place, true, size, reader));
                    }
                }
            }
        }
        return batches;
    }

    @ParameterizedTest
    @EnumSource
    void takesNoOtherAnswerWithIt(FailingAnswer.Kind kind) throws Exception {
        var wrong = new ArrayList<String>();
        for (Batch each : batches(kind)) {
            batch = each;
            number++;
            try {
                run();
            } catch (AssertionError e) {
                wrong.add(each + ": " + e.getMessage());
            }
        }
        assertEquals("", String.join("\n", wrong));
    }

    /** A client that resets while a body is sent to it, and has sent what is not read: no fault of that. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void blamesNoBodyForItsSocket(boolean direct) throws Exception {
        byte[] content = new byte[10 * LARGE];
        var sent = java.nio.ByteBuffer.allocateDirect(content.length);
        var file = java.nio.channels.FileChannel.open(Files.write(folder.resolve("sent"), content));
        Body body = direct ? Body.of(sent) : Body.of(file, 0, content.length);
        try (file; var large = new TestServer(clock.in(TestServer.options()).withSendBufferSize(BUFFER),
                (request, callback) -> callback.accept(new Response(200, "OK", List.of(), body)))) {
            RawClient client = large.connect(BUFFER).send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
            client.read(1);
            client.send("x".repeat(100)).reset();
            while (large.itself.stats().connections() > 0) {
                clock.pass(large.itself, Duration.ZERO);
            }
            assertEquals(List.of(), large.log.events().stream()
                    .filter(event -> event.name().equals("body_error")).toList());
        }
    }

    private void run() throws Exception {
        Stats before = server.itself.stats();
        given.set(0);
        released.set(0);
        failing = new FailingAnswer(batch.kind, batch.content(batch.place), folder, released);
        RawClient client = server.connect(BUFFER).send(batch.requests(number));
        if (batch.reader == Reader.ENDED) client.halfClose();
        if (batch.reader != Reader.EARLY) awaitRest();
        failing.failLate();
        String received = client.readUntilItFails().replaceAll("Date: [^\r]*\r\n", "");
        client.close();
        while (server.itself.stats().connections() > 0) {
            clock.pass(server.itself, Duration.ZERO);
        }
        // a request behind the one that failed may be with the handler
        awaitHandler();
        failing.close();
        List<Integer> statuses = statuses(received);
        assertLogged(received, statuses);
        assertCounted(before, server.itself.stats(), statuses);
        assertEquals(given.get(), released.get(), "responses that were released");
    }

    /** Returns when the server can do no more until the client reads. */
    private void awaitRest() throws Exception {
        for (int i = 0; i < 2 * REQUESTS; i++) {
            clock.pass(server.itself, Duration.ZERO);
            awaitHandler();
        }
    }

    /** Returns when the server has what the handler has given elsewhere. */
    private void awaitHandler() throws Exception {
        executor.submit(() -> { }).get();
        clock.pass(server.itself, Duration.ZERO);
    }

    /**
     * Checks what was received: the answers before the one that fails, of that a 500 or no whole answer, and
     * after a 500 the answers after it.
     *
     * @return the status of each answer that is whole
     */
    private List<Integer> statuses(String received) {
        var statuses = new ArrayList<Integer>();
        String rest = received;
        for (int i = 0; i < REQUESTS; i++) {
            boolean fails = i == batch.place && batch.kind != FailingAnswer.Kind.RELEASE_THROWS;
            if (fails && rest.startsWith("HTTP/1.1 500 ")) {
                RawResponse failed = RawResponse.first(rest, false);
                assertEquals(batch.isLast(i), failed.closes(), "Connection: close");
                statuses.add(500);
                rest = rest.substring(failed.length());
                continue;
            }
            String expected = batch.answer(i);
            if (fails) {
                assertTrue(expected.startsWith(rest), "what fails is another answer");
                assertTrue(rest.length() < expected.length(), "what fails is whole");
                assertTrue(batch.kind.isOfBody() && !batch.kind.isOfFirstByte(), "no 500");
                return statuses;
            }
            String got = rest.substring(0, Math.min(rest.length(), expected.length()));
            assertEquals(expected.length(), got.length(), "length of answer " + i);
            assertTrue(expected.equals(got), "answer " + i + " is another");
            statuses.add(200);
            rest = rest.substring(expected.length());
        }
        if (batch.reader == Reader.BUSY) {
            statuses.add(RawResponse.first(rest, false).status());
            rest = rest.substring(RawResponse.first(rest, false).length());
        }
        assertEquals("", rest, "after the last answer");
        return statuses;
    }

    private List<RecordingLogger.Event> events(String name) {
        return server.log.events().stream().filter(event -> event.name().equals(name)
                && ("" + (number - 1)).equals(event.value("id"))).toList();
    }

    /** Of the answers that are whole, of the one that is cut, and of no other, the log says what was sent. */
    private void assertLogged(String received, List<Integer> statuses) {
        assertEquals(statuses.size(), events("write_response").size(), "write_response");
        var logged = new TreeMap<String, String>();
        for (RecordingLogger.Event event : events("exchange")) {
            logged.put("" + event.value("target"), event.value("status") + " " + event.value("bytes"));
        }
        for (int i = 0; i < REQUESTS; i++) {
            String actual = logged.get("/" + number + "/" + i);
            if (i < statuses.size()) {
                assertEquals(statuses.get(i) + " " + (statuses.get(i) == 200 ? batch.size : 54), actual);
            } else if (i == batch.place) {
                int sent = received.length() - i * batch.answer(0).length();
                int head = batch.answer(i).length() - batch.size;
                assertEquals(sent < head ? "null 0" : "200 " + (sent - head), actual, "what was cut");
            } else {
                assertTrue(actual == null || actual.equals("null 0"), actual);
            }
        }
        assertEquals(0, events("connection_error").size(), "connection_error");
        assertEquals(0, events("write_error").size(), "write_error");
        assertBodyError();
    }

    private void assertBodyError() {
        List<RecordingLogger.Event> errors = events("body_error");
        assertEquals(batch.kind.isOfBody() ? 1 : 0, errors.size(), "body_error");
        for (RecordingLogger.Event error : errors) {
            assertEquals(List.of("id", "peer", "method", "target"), List.copyOf(error.values().keySet()));
            assertEquals("/" + number + "/" + batch.place, error.value("target"));
            assertNotNull(error.cause(), "cause");
        }
    }

    private static void assertCounted(Stats before, Stats after, List<Integer> statuses) {
        for (int status : List.of(200, 400, 500)) {
            assertEquals(Collections.frequency(statuses, status),
                    after.responses().get(status / 100) - before.responses().get(status / 100), status + "s");
        }
    }
}

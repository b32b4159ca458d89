package org.microhttp.faults;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.*;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.*;
import org.microhttp.*;
import org.microhttp.testing.*;

/**
 * An answer that fails takes no other with it: the answers before it arrive byte for byte, and what arrives
 * of it is no whole answer. Of a mapped file that is cut, Java must read nothing: the JVM reports it at any
 * time later, and what was to be read is what the target had before, an answer to another client.
 */
@Tier.Gate
@Timeout(value = 40, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FailingBodiesTest {

    private static final int REQUESTS = 3;
    private static final int SMALL = 1_000;
    private static final int LARGE = 150_000;
    private static final int BUFFER = 16 * 1024;
    private static final int MAX_PAGE = 64 * 1024;
    private static final int TIMES = 100;

    /** How an answer fails, and when. */
    private enum Kind {

        CLOSED_BEFORE, CLOSED_WHEN_GIVEN, CUT_BEFORE, WRITE_ONLY,
        CLOSED_WHILE_SENT, CUT_WHEN_GIVEN, CUT_WHILE_SENT,
        MAPPED_CUT_BEFORE, MAPPED_CUT_WHEN_GIVEN, MAPPED_CUT_WHILE_SENT,
        SIGNALLED_CUT_BEFORE, SIGNALLED_CUT_WHEN_GIVEN, SIGNALLED_CUT_WHILE_SENT,
        RELEASE_THROWS, NULL, HANDLER_THROWS;

        /** Whether it is the body that fails, which ends the connection. */
        private boolean isOfBody() {
            return compareTo(RELEASE_THROWS) < 0;
        }

        /** Whether not even the first byte of the body can be read, so that the client gets a 500. */
        private boolean isOfFirstByte() {
            return compareTo(WRITE_ONLY) <= 0;
        }

        private boolean isMapped() {
            return name().startsWith("MAPPED") || name().startsWith("SIGNALLED");
        }
    }

    /** How the client goes on when it has sent its requests; EARLY reads at once, the others later. */
    private enum Reader { EARLY, LATE, ENDED, BUSY }

    private final AtomicInteger given = new AtomicInteger();
    private final AtomicInteger released = new AtomicInteger();
    private final ManualClock clock = new ManualClock();
    private TestServer server;
    private Kind kind;
    private int place, size;
    private Reader reader;
    private FileChannel file;
    private ByteBuffer mapped;

    @TempDir
    private Path folder;

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    /** What answer N has: another text for each. */
    private String content(int number) {
        var text = new StringBuilder();
        for (int i = number * size; text.length() < size; i++) {
            text.append(i).append(' ');
        }
        return text.substring(0, size);
    }

    private void handle(Request request, Consumer<Response> callback) {
        int number = request.target().charAt(1) - '0';
        if (number == place && kind == Kind.HANDLER_THROWS) throw new IllegalStateException("mine");
        boolean fails = number == place && kind.isOfBody();
        if (number == place && kind == Kind.NULL) {
            callback.accept(null);
            return;
        }
        given.incrementAndGet();
        Response response = new Response(200, List.of(), (fails ? failing()
                : Body.of(ByteBuffer.wrap(content(number).getBytes(ISO_8859_1)))).onReleased(() -> {
                    released.incrementAndGet();
                    if (kind == Kind.RELEASE_THROWS) throw new IllegalStateException("mine");
                }));
        if (fails && kind.name().endsWith("BEFORE")) fail(0);
        callback.accept(response);
        if (fails && kind.name().endsWith("WHEN_GIVEN")) fail(size / 2);
    }

    private Body failing() {
        if (!kind.isMapped()) return Body.of(file, 0, size);
        return kind.name().startsWith("MAPPED") ? Body.of(mapped) : Body.of(publisher(mapped), size);
    }

    private static Flow.Publisher<ByteBuffer> publisher(ByteBuffer buffer) {
        return subscriber -> subscriber.onSubscribe(new Flow.Subscription() {

            private boolean asked;

            @Override
            public void request(long count) {
                if (asked) return;
                asked = true;
                subscriber.onNext(buffer);
                subscriber.onComplete();
            }

            @Override
            public void cancel() { }
        });
    }

    /** What is mapped of the page in which a file ends is there still, and reads as zeros. */
    private void fail(int left) {
        try {
            if (kind.name().startsWith("CLOSED")) {
                file.close();
            } else {
                file.truncate(kind.isMapped() ? left - left % MAX_PAGE : left);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @EnumSource
    void failingBodyLosesNoOtherAnswer(Kind one) throws Exception {
        kind = one;
        server = new TestServer(clock.in(TestServer.options()).withSendBufferSize(BUFFER), this::handle);
        boolean late = kind.name().endsWith("WHILE_SENT");
        for (int length : late ? List.of(LARGE) : List.of(SMALL, LARGE)) {
            for (Reader how : late ? EnumSet.range(Reader.LATE, Reader.BUSY) : EnumSet.allOf(Reader.class)) {
                for (place = 0; place < REQUESTS; place++) {
                    size = length;
                    reader = how;
                    check(late, kind + " at " + place + " of " + size + " bytes, " + reader);
                }
            }
        }
    }

    private void check(boolean late, String message) throws Exception {
        Path path = Files.writeString(Files.createTempFile(folder, "body", null), content(place));
        file = FileChannel.open(path, kind == Kind.WRITE_ONLY ? Set.of(StandardOpenOption.WRITE)
                : Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
        mapped = kind.isMapped() ? file.map(FileChannel.MapMode.READ_ONLY, 0, size) : null;
        given.set(0);
        released.set(0);
        long errors = server.log.count("body_error");
        var requests = new StringBuilder();
        for (int i = 0; i < REQUESTS; i++) {
            requests.append("GET /" + i + " HTTP/1.1\r\nHost: x\r\n")
                    .append(isLast(i) ? "Connection: close\r\n\r\n" : "\r\n");
        }
        if (reader == Reader.BUSY) requests.append("x\r\n\r\n".repeat(40_000));
        try (RawClient client = server.connect(BUFFER).send("" + requests)) {
            if (reader == Reader.ENDED) client.halfClose();
            for (int i = 0; i < 2 * REQUESTS && reader != Reader.EARLY; i++) {
                clock.pass(server.itself, Duration.ZERO);
            }
            if (late) fail(size / 2);
            check(client.readUntilItFails().replaceAll("Date: [^\r]*\r\n", ""), message);
        }
        while (server.itself.stats().connections() > 0) {
            clock.pass(server.itself, Duration.ZERO);
        }
        file.close();
        assertEquals(given.get(), released.get(), message + ": responses that were released");
        assertEquals(kind.isOfBody() ? 1 : 0, server.log.count("body_error") - errors, message);
        assertEquals(0, server.log.count("connection_error") + server.log.count("write_error"), message);
    }

    /** Whether the client sends nothing more, and says so. */
    private boolean isLast(int number) {
        return number == REQUESTS - 1 && reader != Reader.BUSY;
    }

    /** The answers before the one that fails; of that a 500 and all others, or no whole answer. */
    private void check(String received, String message) {
        String rest = received;
        for (int i = 0; i < REQUESTS; i++) {
            String expected = "HTTP/1.1 200 OK\r\nContent-Length: " + size + "\r\n"
                    + (isLast(i) ? "Connection: close\r\n" : "") + "\r\n" + content(i);
            boolean fails = i == place && kind != Kind.RELEASE_THROWS;
            if (fails && rest.startsWith("HTTP/1.1 500 ")) {
                RawResponse failed = RawResponse.first(rest, false);
                assertEquals(isLast(i), failed.closes(), message);
                rest = rest.substring(failed.length());
            } else if (fails) {
                assertTrue(expected.startsWith(rest) && rest.length() < expected.length(), message);
                assertTrue(kind.isOfBody() && !kind.isOfFirstByte(), message + ": no 500");
                return;
            } else {
                assertTrue(rest.startsWith(expected), message + ": answer " + i);
                rest = rest.substring(expected.length());
            }
        }
        if (reader == Reader.BUSY) rest = rest.substring(RawResponse.first(rest, false).length());
        assertEquals("", rest, message + ": after the last answer");
    }

    /** A client that resets while a body is sent to it, and has sent what is not read: no fault of that. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void socketFailureIsNotLoggedAsABodyFailure(boolean direct) throws Exception {
        byte[] content = new byte[10 * LARGE];
        file = FileChannel.open(Files.write(folder.resolve("sent"), content));
        Body body = direct ? Body.of(ByteBuffer.allocateDirect(content.length))
                : Body.of(file, 0, content.length);
        server = new TestServer(clock.in(TestServer.options()).withSendBufferSize(BUFFER),
                (request, callback) -> callback.accept(new Response(200, List.of(), body)));
        RawClient client = server.connect(BUFFER).send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        client.read(1);
        client.send("x".repeat(100)).reset();
        while (server.itself.stats().connections() > 0) {
            clock.pass(server.itself, Duration.ZERO);
        }
        file.close();
        assertEquals(0, server.log.count("body_error"));
    }

    /** Where the buffer of a mapped file is given, of which the end is gone. */
    private enum Place {

        BODY, COUNTED, CHUNKED, UPGRADED, READ_LATER;

        private Response response(ByteBuffer buffer) throws IOException {
            return switch (this) {
                case BODY -> new Response(200, List.of(), Body.of(buffer));
                case COUNTED -> new Response(200, List.of(), Body.of(publisher(buffer), LARGE));
                case CHUNKED -> new Response(200, List.of(), Body.of(publisher(buffer)));
                case UPGRADED -> Response.upgrade("x", List.of(), publisher(buffer),
                        BodySubscribers.discarding());
                case READ_LATER -> {
                    ByteBuffer copy = ByteBuffer.allocate(LARGE);
                    for (Body body = Body.of(buffer); copy.hasRemaining();) {
                        body.read(copy.position(), copy);
                    }
                    yield new Response(200, List.of(), copy.array());
                }
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void aMappedFileThatIsCutCostsOnlyItsConnection(Place where) throws Exception {
        Path path = Files.writeString(folder.resolve("mapped"), "m".repeat(LARGE));
        try (var cut = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            mapped = cut.map(FileChannel.MapMode.READ_ONLY, 0, LARGE);
            String others = "others".repeat(LARGE / 6);
            server = new TestServer(Handler.of(request -> request.path().equals("/cut")
                    ? where.response(mapped) : Response.text(200, others)));
            assertTrue(ask().contains("m".repeat(1000)));
            cut.truncate(MAX_PAGE);
            RawClient other = server.connect();
            for (int i = 0; i < TIMES; i++) {
                assertTrue(others.equals(other.get("/").response().text()), "bytes of others");
                String received = ask();
                assertFalse(received.contains("others"), "bytes of another answer");
                assertTrue(received.length() < LARGE, "no truncated body is as long as a whole one");
                assertFalse(received.endsWith("0\r\n\r\n"), "no truncated body has a last chunk");
            }
            assertEquals(List.of(), server.log.events().stream()
                    .filter(event -> event.cause() instanceof Error).toList());
        }
    }

    /** Returns all that a client of its own receives. */
    private String ask() throws IOException {
        try (RawClient client = server.connect()) {
            client.send("GET /cut HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n");
            return client.halfClose().readUntilItFails();
        }
    }
}

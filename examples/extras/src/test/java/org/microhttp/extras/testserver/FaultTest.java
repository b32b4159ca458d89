package org.microhttp.extras.testserver;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.microhttp.*;
import org.microhttp.extras.compression.CompressionHandler;
import org.microhttp.testing.*;

/** What clients see of each fault: bytes of a socket, exceptions of the JDK's client, and curl's status. */
@Tier.Gate
final class FaultTest {

    /** How a client sees a connection end, or that it does not. */
    enum Seen { END, RESET, SILENCE }

    private static final Response HELLO = Response.text(200, "hello");
    private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n"
            + "Content-Length: 5\r\n\r\n";
    private static final Response WRONG = Fault.raw("HTTP/9 yes\r\n\r\n".getBytes());
    private static final int SHORT_MILLIS = 300;
    private static final Duration MOMENT = Duration.ofMillis(10);

    @AutoClose
    private final TestServer server = TestServer.start();

    static Stream<Arguments> bytes() {
        return Stream.of(
                arguments(Fault.never(), "", Seen.SILENCE),
                arguments(Fault.cut(), "", Seen.END),
                arguments(Fault.reset(), "", Seen.RESET),
                arguments(WRONG, "HTTP/9 yes\r\n\r\n", Seen.END),
                arguments(Fault.cut(HELLO, 0), HEAD, Seen.END),
                arguments(Fault.cut(HELLO, 2), HEAD + "he", Seen.END),
                arguments(Fault.cut(HELLO, 5), HEAD + "hello", Seen.END),
                arguments(Fault.reset(HELLO, 2), HEAD + "he", Seen.RESET),
                arguments(Fault.stall(HELLO, 2), HEAD + "he", Seen.SILENCE),
                arguments(Fault.cut(WRONG, 4), "HTTP", Seen.END),
                arguments(Fault.stall(Fault.cut(HELLO, 2), 17), "HTTP/1.1 200 OK\r\n", Seen.SILENCE),
                arguments(Fault.cut(Response.of(204), 0), "HTTP/1.1 204 No Content\r\n\r\n", Seen.END),
                arguments(Fault.cut(HELLO.withHeader("Content-Length", "9"), 5), HEAD + "hello", Seen.END),
                arguments(Fault.delay(Fault.reset(), MOMENT), "", Seen.RESET),
                arguments(Fault.cut(Fault.delay(HELLO, MOMENT), 1), HEAD + "h", Seen.END),
                arguments(Fault.drip(Fault.cut(HELLO, 3), 9, MOMENT), HEAD + "hel", Seen.END),
                arguments(Fault.delay(Fault.drip(Fault.stall(HELLO, 3), 9, MOMENT), MOMENT), HEAD + "hel",
                        Seen.SILENCE));
    }

    @ParameterizedTest
    @MethodSource("bytes")
    void aClientGetsTheseBytesAndThatEnd(Response fault, String expected, Seen end) throws Exception {
        server.enqueue(fault);
        var read = new StringBuilder();
        try (var client = new RawClient(server.getPort())) {
            client.get("/").limit(end == Seen.SILENCE ? SHORT_MILLIS : 20_000);
            assertEquals(end, read(client, read));
        }
        // a system may drop what is not read when a reset comes
        String came = read.toString();
        assertTrue(end == Seen.RESET ? expected.startsWith(came) : expected.equals(came), came);
        assertEquals(1, server.requestCount());
    }

    private static Seen read(RawClient client, StringBuilder read) throws IOException {
        try {
            while (true) {
                read.append(new String(client.take(1), ISO_8859_1));
            }
        } catch (SocketTimeoutException e) {
            return Seen.SILENCE;
        } catch (SocketException e) {
            return Seen.RESET;
        } catch (AssertionError e) {
            return Seen.END;
        }
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                arguments(Fault.cut(), "EOF reached while reading"),
                arguments(Fault.reset(), "Connection reset"),
                arguments(WRONG, "Invalid status line: \"HTTP/9 yes\""),
                arguments(Fault.cut(HELLO, 2), "fixed content-length: 5, bytes received: 2"),
                arguments(Fault.raw("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n".getBytes()),
                        "For input string: \"x\""),
                arguments(Fault.never(), null),
                arguments(Fault.stall(HELLO, 2), null));
    }

    /** It would send a GET again. */
    @ParameterizedTest
    @MethodSource("failures")
    void theClientOfTheJdkFails(Response fault, String message) throws Exception {
        server.enqueue(fault);
        var request = HttpRequest.newBuilder(server.uri("/")).POST(BodyPublishers.noBody()).build();
        var response = HttpClient.newHttpClient().sendAsync(request, BodyHandlers.ofString());
        if (message == null) {
            assertThrows(TimeoutException.class, () -> response.get(SHORT_MILLIS, TimeUnit.MILLISECONDS));
        } else {
            Throwable cause = assertThrows(ExecutionException.class, response::get).getCause();
            assertTrue((cause + ", " + cause.getCause()).contains(message), "" + cause);
        }
    }

    static Stream<Arguments> statuses() {
        return Stream.of(
                arguments(HELLO, 0, "hello"),
                arguments(Fault.delay(HELLO, MOMENT), 0, "hello"),
                arguments(Fault.drip(HELLO, 20, MOMENT), 0, "hello"),
                arguments(Fault.cut(HELLO, 5), 0, "hello"),
                arguments(Fault.cut(HELLO, 2), 18, "he"),
                arguments(Fault.stall(HELLO, 2), 28, "he"),
                arguments(Fault.never(), 28, ""),
                arguments(Fault.delay(HELLO, Duration.ofDays(1)), 28, ""),
                arguments(Fault.cut(), 52, ""),
                arguments(Fault.reset(), 56, ""));
    }

    @ParameterizedTest
    @MethodSource("statuses")
    void curlEndsWithItsStatus(Response fault, int status, String body) throws Exception {
        assumeTrue(Programs.isInstalled("curl"), "no curl");
        server.enqueue(fault);
        String limit = status == 28 ? "0.5" : "20";
        assertEquals(body, Programs.run(status, "curl", "-s", "--noproxy", "*", "--max-time", limit,
                "" + server.uri("/")));
    }

    @Test
    void aConnectionIsUsedOnAfterADelayOrADrip() throws Exception {
        Response slow = Fault.delay(HELLO, Duration.ofMillis(150));
        Response onePiece = Fault.drip(HELLO, 999, Duration.ofDays(1));
        server.enqueue(slow, slow, Fault.drip(HELLO, 50, MOMENT), onePiece, HELLO, onePiece);
        try (var client = new RawClient(server.getPort())) {
            for (int i = 0; i < 2; i++) {
                long begin = System.nanoTime();
                assertEquals("hello", client.get("/").response().text());
                assertTrue(System.nanoTime() - begin >= 150_000_000, "the delay counts again");
            }
            for (int i = 0; i < 4; i++) {
                assertEquals("hello", client.get("/").response().text());
            }
            assertEquals(500, client.get("/").response().status(), "the script is empty");
        }
    }

    @Test
    void aDripTakesItsTime() throws Exception {
        server.enqueue(Fault.drip(Fault.raw(new byte[20]), 2, Duration.ofMillis(20)));
        try (var client = new RawClient(server.getPort())) {
            long begin = System.nanoTime();
            assertEquals(20, client.get("/").readToEnd().length());
            assertTrue(System.nanoTime() - begin >= 9 * 20_000_000);
        }
    }

    @Test
    void aClientThatHasEndedItsSideStillGetsADelayedResponse() throws Exception {
        server.enqueue(Fault.delay(HELLO, Duration.ofMillis(50)));
        try (var client = new RawClient(server.getPort())) {
            assertEquals("hello", client.get("/").halfClose().response().text());
            client.expectEnd();
        }
    }

    /** A client that sends requests ahead loses nothing that came before the fault, however large. */
    @Test
    void responsesBeforeAFaultAreComplete() throws Exception {
        server.enqueue(Response.of(200, "x/y", new byte[5_000_000]), HELLO, WRONG, HELLO);
        try (var client = new RawClient(server.getPort())) {
            client.get("/1").get("/2").get("/3").get("/4");
            assertEquals(5_000_000, client.response().body().length);
            assertEquals("hello", client.response().text());
            assertEquals("HTTP/9 yes\r\n\r\n", client.readToEnd());
        }
        assertEquals(3, server.requestCount());
    }

    @Test
    void faultsHoldUpNoOtherClient() throws Exception {
        server.enqueue(Fault.never(), Fault.delay(HELLO, Duration.ofDays(1)),
                Fault.drip(HELLO, 1, Duration.ofDays(1)), Fault.stall(HELLO, 1), HELLO);
        try (var a = new RawClient(server.getPort()); var b = new RawClient(server.getPort());
                var c = new RawClient(server.getPort()); var d = new RawClient(server.getPort());
                var other = new RawClient(server.getPort())) {
            int count = 0;
            for (RawClient each : List.of(a, b, c, d)) {
                each.get("/" + count++);
                server.takeRequest(Duration.ofSeconds(20));
            }
            assertEquals("hello", other.get("/").response().text());
        }
    }

    /** The client asks again by itself, for it cannot know whether the request was read. */
    @Test
    void aClientFindsItsKeptConnectionClosed() throws Exception {
        server.enqueue(Fault.cut(HELLO, 5), Response.text(200, "second"));
        var client = HttpClient.newHttpClient();
        var request = HttpRequest.newBuilder(server.uri("/")).build();
        assertEquals("hello", client.send(request, BodyHandlers.ofString()).body());
        assertEquals("second", client.send(request, BodyHandlers.ofString()).body());
        assertNotEquals(server.takeRequest(MOMENT).remoteAddress(),
                server.takeRequest(MOMENT).remoteAddress());
    }

    @Test
    void aWrappingHandlerMayAddHeaders() throws Exception {
        Handler delayed = Handler.of(request -> Fault.delay(HELLO, MOMENT))
                .andThen((request, response) -> response.withHeader("X-Added", "1"));
        try (var wrapped = TestServer.start(delayed); var client = new RawClient(wrapped.getPort())) {
            assertEquals("1", client.get("/").response().header("X-Added"));
        }
    }

    @Test
    void changedFaultResponseBecomesA500() throws Exception {
        Handler reset = Handler.of(request -> Fault.reset());
        Handler compressed = new CompressionHandler(
                Handler.of(request -> Fault.delay(Response.text(200, "x".repeat(9_000)), MOMENT)));
        try (var wrapped = TestServer.start(compressed); var client = new RawClient(wrapped.getPort());
                var loop = new EventLoop(new Options().withPort(0), new SystemLogger(), reset)) {
            client.send("GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n");
            assertEquals(500, client.response().status());
            loop.startAsync().join();
            try (var other = new RawClient(loop.getPort())) {
                assertEquals(500, other.get("/").response().status());
            }
        }
    }

    /** Whatever becomes of a response, its body is released once. */
    @Test
    void bodiesAreReleased() throws Exception {
        var count = new AtomicInteger();
        Response counted = Response.of(200, "x/y", Body.of(ByteBuffer.wrap(new byte[9]))
                .onReleased(count::incrementAndGet));
        server.enqueue(counted, Fault.delay(counted, MOMENT), Fault.cut(counted, 1),
                Fault.drip(counted, 1, MOMENT));
        for (int i = 0; i < 3; i++) {
            try (var client = new RawClient(server.getPort())) {
                client.get("/").halfClose().readToEnd();
            }
        }
        server.close();
        assertEquals(4, count.get());
    }

    @Test
    void wrongArgumentsAreRefused(@TempDir Path folder) throws Exception {
        assertRefused("bytes is 6, must be 0 to 5", () -> Fault.cut(HELLO, 6));
        assertRefused("bytes is -1, must be 0 to 5", () -> Fault.reset(HELLO, -1));
        assertRefused("bytes is 15, must be 0 to 14", () -> Fault.stall(WRONG, 15));
        assertRefused("bytes is 0, must be 1 or more", () -> Fault.drip(HELLO, 0, MOMENT));
        assertRefused("pause is PT-1S, must be 0 to 1 day",
                () -> Fault.drip(HELLO, 1, Duration.ofSeconds(-1)));
        assertRefused("delay is PT24H0.000000001S, must be 0 to 1 day",
                () -> Fault.delay(HELLO, Duration.ofDays(1).plusNanos(1)));
        Response file = Response.of(200, "x/y", Body.of(Files.writeString(folder.resolve("a"), "a")));
        assertThrows(UnsupportedOperationException.class, () -> Fault.cut(file, 0));
        file.release();
    }

    private static void assertRefused(String message, Executable work) {
        assertEquals(message, assertThrows(IllegalArgumentException.class, work).getMessage());
    }
}

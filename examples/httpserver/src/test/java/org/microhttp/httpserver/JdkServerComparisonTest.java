package org.microhttp.httpserver;

import static org.junit.jupiter.api.Assertions.*;
import static org.microhttp.httpserver.JdkServer.bytes;
import static org.microhttp.httpserver.JdkServer.respond;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.spi.HttpServerProvider;
import java.io.IOException;
import java.io.InputStream;
import java.net.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.*;

/**
 * The same handlers, run by the JDK's own server and by the library: they must see the same, and clients must
 * get the same. What differs on purpose is on the page of the drop-in, and in tests of its own.
 */
@Tier.Gate
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class JdkServerComparisonTest {

    /** Of both servers, for handlers that fail a thousand times. */
    private static final Logger LOGGER = Logger.getLogger("com.sun.net.httpserver");

    /** Of an exchange; see {@link #call}. */
    private static final String CALLS = "n02wefcxrR";

    private static Side jdk;
    private static Side ours;

    /** What one request leads to: what its handler notes, and what the client gets. */
    private record Seen(String noted, String received) { }

    /** What a handler does, and notes. */
    private interface Noting {

        void handle(HttpExchange exchange, StringBuilder notes) throws IOException;
    }

    /** A server, whose handler is another for each request. */
    private static final class Side implements AutoCloseable {

        private final HttpServer server;
        private final BlockingQueue<String> ended = new ArrayBlockingQueue<>(1);
        private volatile Noting handler;

        private Side(HttpServerProvider provider) throws IOException {
            server = provider.createHttpServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            HttpHandler noted = exchange -> {
                var notes = new StringBuilder();
                try {
                    handler.handle(exchange, notes);
                } finally {
                    ended.add(notes.toString());
                }
            };
            server.createContext("/", noted);
            server.createContext("/c", noted);
            server.setExecutor(Executors.newCachedThreadPool());
            server.start();
        }

        private Seen run(String request, Noting given) throws Exception {
            handler = given;
            try (var client = new RawClient(server.getAddress().getPort())) {
                client.send(request);
                String received = client.readUntilItFails();
                boolean refused = received.contains("<h1>");
                return new Seen(refused ? null : ended.poll(30, TimeUnit.SECONDS), plain(received));
            }
        }

        /** What the handler notes until it ends or fails; its client waits for no response. */
        private String note(Noting given) throws Exception {
            handler = given;
            try (var client = new RawClient(server.getAddress().getPort())) {
                client.send(post(5) + "hello");
                return ended.poll(30, TimeUnit.SECONDS);
            }
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }

    @BeforeAll
    static void start() throws IOException {
        LOGGER.setLevel(Level.OFF);
        // here the JDK would find that of this module
        System.setProperty("com.sun.net.httpserver.HttpServerProvider",
                "sun.net.httpserver.DefaultHttpServerProvider");
        jdk = new Side(HttpServerProvider.provider());
        ours = new Side(new MicrohttpProvider());
        assertNotEquals(jdk.server.getClass().getPackage(), ours.server.getClass().getPackage());
    }

    @AfterAll
    static void stop() {
        jdk.close();
        ours.close();
        LOGGER.setLevel(null);
    }

    private static String get(String target) {
        return "GET " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    }

    private static String post(int length) {
        return "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: " + length + "\r\n\r\n";
    }

    /** Without what is each server's own: reason phrases, the time, persistence, and where chunks are cut. */
    private static String plain(String received) {
        int end = received.indexOf("\r\n\r\n");
        if (end < 0) {
            return received;
        }
        String[] lines = received.substring(0, end).split("\r\n");
        var fields = Arrays.stream(lines).skip(1)
                .map(line -> line.split(":", 2))
                .map(field -> field[0].toLowerCase() + ": " + field[1].strip())
                .filter(line -> !line.matches("(connection|keep-alive|date):.*"))
                .collect(Collectors.toCollection(TreeSet::new));
        String body = received.substring(end + 4);
        boolean chunked = fields.contains("transfer-encoding: chunked");
        return lines[0].substring(0, 12) + fields + (chunked ? joined(body) : body);
    }

    private static String joined(String chunks) {
        return chunks.replaceAll("[0-9a-f]+\r\n([^\r]*)\r\n", "$1");
    }

    /** Fields as a handler sees them. */
    private static String shown(Headers headers) {
        var sorted = new TreeMap<String, List<String>>(headers);
        assertTrue(RawResponse.undated("Date: " + sorted.remove("Date").get(0) + "\r\n").isEmpty());
        return sorted.toString();
    }

    private static void assertSame(String request, Noting handler) throws Exception {
        assertEquals(jdk.run(request, handler), ours.run(request, handler));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5, 60_000, 1_000_000})
    void aBodyIsThereAsFarAsItIsAvailable(int size) throws Exception {
        assertSame(post(size) + "x".repeat(size), (exchange, notes) -> {
            InputStream in = exchange.getRequestBody();
            int available = in.available();
            int read = in.read(new byte[Math.max(1, available)]);
            notes.append(available > 0).append(read == (available > 0 ? available : -1));
            in.readAllBytes();
            notes.append(in.available()).append(in.read());
            in.close();
            notes.append(in.available());
            respond(exchange, "ok");
        });
    }

    @ParameterizedTest
    @CsvSource({"GET, 200", "GET, 204", "GET, 304", "GET, 404", "HEAD, 200", "HEAD, 304"})
    void theFieldsOfAResponseAreSeenAfterwards(String method, int status) throws Exception {
        for (long length : new long[] {-1, 0, 2}) {
            // the JDK leaves out the length that a response to HEAD is given
            long given = method.equals("HEAD") ? -1 : length;
            assertSame(get("/").replace("GET", method), (exchange, notes) -> {
                exchange.getResponseHeaders().set("Date", "yesterday");
                exchange.getResponseHeaders().add("X-A", "1");
                exchange.sendResponseHeaders(status, given);
                notes.append(shown(exchange.getResponseHeaders())).append(exchange.getResponseCode());
                if (given == 2 && status != 204 && status != 304) {
                    exchange.getResponseBody().write(bytes("ok"));
                }
                exchange.close();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/c", "/c/d", "/d", "/c//d", "/c?//q", "//", "//ab", "http://x/c/d", "/C",
        "http://x//c", "/%63", "/c%2Fd", "/c/../d", "/c;p", "/a|b", "/%zz", "/?", "/c#d"})
    void aTargetHasTheSameContextAndUri(String target) throws Exception {
        assertSame(get(target), (exchange, notes) -> {
            URI uri = exchange.getRequestURI();
            notes.append(exchange.getHttpContext().getPath()).append(' ').append(uri).append(uri.getPath());
            respond(exchange, "ok");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", " padded ", "", "caf\u00E9", "a\tb", "a\u00A0b", "\"quoted\", list"})
    void aValueOfAFieldIsSentAsItIs(String value) throws Exception {
        assertSame(get("/"), (exchange, notes) -> {
            exchange.getResponseHeaders().add("X-A", value);
            respond(exchange, "ok");
        });
    }

    /** Which is the first to fail, in every order of three calls that handlers and filters make. */
    @Test
    void callsFailInTheSameOrders() throws Exception {
        var different = new ArrayList<String>();
        for (String calls : orders()) {
            Noting handler = (exchange, notes) -> {
                for (char call : calls.toCharArray()) {
                    notes.append(call);
                    call(exchange, call);
                }
                notes.append('.');
            };
            String expected = jdk.note(handler);
            String actual = ours.note(handler);
            if (!expected.equals(actual)) {
                different.add(calls + ": " + expected + ", not " + actual);
            }
        }
        assertEquals(List.of(), different);
    }

    private static List<String> orders() {
        List<String> orders = List.of("");
        for (int i = 0; i < 3; i++) {
            orders = orders.stream().flatMap(order -> CALLS.chars().mapToObj(call -> order + (char) call))
                    // of the others it depends on the version of Java when they see that all is closed
                    .filter(order -> !order.matches(".*x.*[^nxr]")).toList();
        }
        return orders;
    }

    private static void call(HttpExchange exchange, char call) throws IOException {
        switch (call) {
            case 'n' -> exchange.sendResponseHeaders(200, -1);
            case '0' -> exchange.sendResponseHeaders(200, 0);
            case '2' -> exchange.sendResponseHeaders(200, 2);
            case 'w' -> exchange.getResponseBody().write(bytes("ok"));
            case 'e' -> exchange.getResponseBody().write(new byte[0]);
            case 'f' -> exchange.getResponseBody().flush();
            case 'c' -> exchange.getResponseBody().close();
            case 'x' -> exchange.close();
            case 'r' -> exchange.getRequestBody().read();
            default -> exchange.getRequestBody().close();
        }
    }
}

package org.microhttp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.*;

import java.io.*;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.*;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.testing.*;

/**
 * No text that a client chooses forges a line of a log, puts a control character into one, comes back in an
 * answer of the server's own, or keeps others out.
 */
@Timeout(value = 40, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HostileTextTest {

    /** What every line begins with, but those of a stack trace. */
    private static final String TIME = "20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z event=[a-z_]+( .*)?";

    /** A line of a stack trace. */
    private static final String TRACE = "\\s*(at |Caused by: |Suppressed: |\\.\\.\\. [0-9]+ more|"
            + "(Caused by: )?\\[CIRCULAR REFERENCE: |(java|org\\.microhttp)[.\\w$]+(:|$))[ -~]*";

    /** Names of sockets. */
    private static final List<String> CLIENTS =
            List.of("plain", "a\nb", "a\r\n" + HostileTexts.FORGED, "\u001b[2J", " ", "\"\\");

    /** All that is logged, by two loggers, and what of it there is. */
    private final class Lines extends RecordingLogger {

        private final SystemLogger system = new SystemLogger(new Platform());
        private final DebugLogger debug = new DebugLogger();

        @Override
        public void log(Throwable cause, LogEntry... entries) {
            super.log(cause, entries);
            debug.log(cause, entries);
            system.log(cause, entries);
        }
    }

    /** Keeps what the platform's logger is given. */
    private final class Platform extends PlatformLogger {

        @Override
        public void log(Level level, ResourceBundle bundle, String text, Throwable thrown) {
            logged.add(text);
            if (thrown == null) return;
            var trace = new StringWriter();
            thrown.printStackTrace(new PrintWriter(trace));
            traces.addAll(Arrays.asList(trace.toString().split("\n")));
            // some frameworks print the class and the message themselves
            Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
            for (Throwable one = thrown; one != null && seen.add(one); one = one.getCause()) {
                traces.add(one.getClass().getName() + ": " + one.getMessage());
                traces.add(one.getClass().getName() + ": " + one.getLocalizedMessage());
            }
        }
    }

    @TempDir
    private Path folder;

    private final PrintStream standard = System.out;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final Queue<String> logged = new ConcurrentLinkedQueue<>();
    private final Queue<String> traces = new ConcurrentLinkedQueue<>();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private Lines log;
    private int handled;

    private void handle(Request request, Consumer<Response> callback) {
        handled++;
        String text = request + " " + request.remoteAddress();
        if (!text.matches("[ -~]*")) wrong.add("a request: " + escape(text));
        callback.accept(TestServer.ok("served"));
    }

    private static String escape(String text) {
        var line = new StringBuilder();
        text.chars().limit(200).forEach(c -> line.append(c < ' ' || c > '~' ? "\\u" + c : "" + (char) c));
        return line.toString();
    }

    @BeforeEach
    void takeOutput() {
        System.setOut(new PrintStream(printed, true, ISO_8859_1));
        log = new Lines();
    }

    @AfterEach
    void restoreOutput() {
        System.setOut(standard);
    }

    /** Sends each, reads what comes, and checks that the next client is served. */
    private void send(TestServer server, byte[] alive, Stream<byte[]> inputs) throws Exception {
        for (byte[] input : (Iterable<byte[]>) inputs::iterator) {
            try (var client = RawClient.to(server.address())) {
                client.send(input).halfClose();
                checkAnswers(client.readUntilItFails());
            }
        }
        try (var client = RawClient.to(server.address())) {
            assertEquals("served", client.send(alive).response().text());
        }
    }

    /** What a client gets is the handler's, or has nothing of what it sent. */
    private void checkAnswers(String received) {
        String own = "HTTP/1\\.1 [1-5][0-9]{2} [A-Za-z ]+\r\n([A-Za-z-]+: [!-~][ -~]*\r\n)*\r\n"
                + "(served|[a-z_0-9]+: [ -~\u00c2\u00a7]+\n)?";
        if (!received.matches("(" + own + ")*") || received.contains("event=")) {
            wrong.add("answer: " + escape(received));
        }
    }

    private void assertLines() {
        assertFormOfLines();
        for (String name : List.of("accept_error", "turn_error", "connection_error", "handler_error")) {
            assertEquals(0, log.count(name), name);
        }
    }

    private void assertFormOfLines() {
        List<String> lines = printed.toString(ISO_8859_1).lines().toList();
        List<String> all = Stream.concat(lines.stream(), logged.stream()).toList();
        all.stream().filter(line -> !line.matches("[ -~]*"))
                .forEach(line -> wrong.add("raw: " + escape(line)));
        Stream.concat(traces.stream(), lines.stream().filter(line -> line.startsWith("    ")))
                .filter(line -> !line.matches(TRACE)).forEach(line -> wrong.add("trace: " + escape(line)));
        long heads = lines.stream().filter(line -> line.matches(TIME)).count();
        long traces = lines.stream().filter(line -> line.startsWith("    ")).count();
        assertEquals("", String.join("\n", wrong.stream().limit(10).toList()));
        int events = log.events().size();
        assertEquals(events, heads, "lines that begin an event");
        // the first line is what a DebugLogger says of itself
        assertEquals(lines.size(), 1 + heads + traces, "lines");
        // exchanges go to another logger
        int exchanges = log.count("exchange");
        assertEquals(events - exchanges, logged.size());
        assertTrue(logged.stream().allMatch(line -> line.matches("event=[a-z_]+( .*)?")));
        assertTrue(handled > 0 && exchanges > 0);
    }

    @Test
    void requestForgesNoLine() throws Exception {
        try (var server = new TestServer(TestServer.options(), log, this::handle)) {
            send(server, RawClient.GET.getBytes(ISO_8859_1), HostileTexts.all().stream());
        }
        assertLines();
    }

    @Test
    void proxyHeaderForgesNoLine() throws Exception {
        Options options = TestServer.options().withProxyProtocol(true);
        byte[] alive = (ProxyHeaders.LINE + RawClient.GET).getBytes(ISO_8859_1);
        try (var server = new TestServer(options, log, this::handle)) {
            send(server, alive, HostileTexts.TEXTS.stream().filter(text -> text.length() <= 3000)
                    .flatMap(HostileTexts::proxyHeaders)
                    .map(header -> ProxyHeaders.join(header, RawClient.GET.getBytes(ISO_8859_1))));
        }
        assertLines();
    }

    /** How a text of a client gets into an exception, the library's or the program's. */
    private enum Thrown {

        FIELD, NAME, REASON, LENGTH, CONNECTION, UPGRADE, MESSAGE, CAUSE, SUPPRESSED, CYCLE, TEXT, HIDDEN,
        GIVEN, PUBLISHED, RELEASED, ABANDONED, RECEIVED, HOOK;

        /** Whose text, message or both are the client's. */
        private static final class Own extends RuntimeException {

            private static final long serialVersionUID = 1;
            private final String text;

            Own(String text, String message) {
                super(message);
                this.text = text;
            }

            @Override
            public String toString() {
                return "org.microhttp.Own: " + text;
            }
        }

        RuntimeException exception(String text) {
            var cause = new IOException(text);
            var outer = new IllegalStateException("outer", this == CAUSE || this == CYCLE ? cause : null);
            switch (this) {
                case SUPPRESSED -> outer.addSuppressed(new IOException("inner", cause));
                case CYCLE -> cause.initCause(outer);
                case CAUSE -> { }
                case TEXT -> outer = null;
                default -> outer = new IllegalStateException(text);
            }
            if (this == HIDDEN) return new Own("harmless", text);
            return outer == null ? new Own(text, "harmless") : outer;
        }

        Response response(String text) {
            var empty = new byte[0];
            return switch (this) {
                case FIELD -> Response.text(302, "").withHeader("Location", text);
                case NAME -> Response.text(200, "").withHeader(text, "x");
                case REASON -> new Response(200, text, List.of(), empty);
                case LENGTH -> new Response(200, List.of(new Header("Content-Length", text)), empty);
                case CONNECTION -> new Response(200, List.of(new Header("Connection", text)), empty);
                case UPGRADE -> Response.upgrade(text, List.of(), out -> { }, new ScriptedReceiver());
                case GIVEN -> Response.failed(exception(text));
                case PUBLISHED -> new Response(200, List.of(), Body.of(out -> out.onError(exception(text))));
                case RELEASED -> new Response(200, List.of(), Body.of(ByteBuffer.allocate(1))
                        .onReleased(() -> {
                            throw exception(text);
                        }));
                default -> throw exception(text);
            };
        }
    }

    private static String decoded(Request request) {
        return URLDecoder.decode(request.query(), UTF_8);
    }

    private static Thrown thrown(Request request) {
        return Thrown.valueOf(request.path().substring(1));
    }

    /** Fails with what the client says. */
    private final class Echoing implements Handler {

        @Override
        public void handle(Request request, Consumer<Response> callback) {
            handled++;
            if (thrown(request) == Thrown.ABANDONED) {
                request.onAbandoned(() -> {
                    throw thrown(request).exception(decoded(request));
                });
            } else {
                callback.accept(thrown(request).response(decoded(request)));
            }
        }

        @Override
        public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
            if (thrown(request) == Thrown.RECEIVED) throw thrown(request).exception(decoded(request));
            return null;
        }

        Response respond(ServerError error) {
            Request request = error.request();
            if (thrown(request) == Thrown.HOOK) throw thrown(request).exception(decoded(request));
            return error.response();
        }
    }

    @Test
    void exceptionForgesNoLine() throws Exception {
        var echoing = new Echoing();
        List<String> texts = new ArrayList<>(
                List.of("\u2028" + HostileTexts.FORGED, "\u202e", "\n\tat a.b(C.java:1)\nx"));
        HostileTexts.TEXTS.stream().filter(text -> text.length() < 200).forEach(texts::add);
        Options options = TestServer.options().withErrorHandler(echoing::respond);
        try (var server = new TestServer(options, log, echoing)) {
            for (Thrown way : Thrown.values()) {
                for (String text : texts) {
                    try (var client = server.connect()) {
                        client.send("POST /" + way + "?" + URLEncoder.encode(text, UTF_8) + " HTTP/1.1\r\n"
                                + "Host: x\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx");
                        if (way != Thrown.ABANDONED) client.readUntilItFails();
                    }
                }
            }
            // the end of the server abandons requests that are not answered
            server.stop();
        }
        assertTrue(log.count("handler_error") > Thrown.values().length, "failures");
        assertFormOfLines();
    }

    /** Of a Unix domain socket, whose client may have a name of its own. */
    @Test
    void clientsNameForgesNoLine() throws Exception {
        Options options = new Options().withUnixSocket(folder.resolve("s"));
        try (var server = new TestServer(options, log, this::handle)) {
            for (String name : CLIENTS) {
                try (var client = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                    client.bind(UnixDomainSocketAddress.of(folder.resolve(name)));
                    client.connect(server.address());
                    client.write(ByteBuffer.wrap(RawClient.GET.getBytes(ISO_8859_1)));
                    assertTrue(client.read(ByteBuffer.allocate(1000)) > 0);
                }
            }
        }
        assertLines();
        assertEquals(List.of(), logged.stream().filter(line -> line.contains(folder + "/"))
                .filter(line -> !line.startsWith("event=listen ")).toList(), "what clients call themselves");
    }
}

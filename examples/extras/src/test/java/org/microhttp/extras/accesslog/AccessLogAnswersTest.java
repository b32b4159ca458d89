package org.microhttp.extras.accesslog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.*;
import org.microhttp.extras.testing.LogReaders;
import org.microhttp.testing.*;

/**
 * A server that gives every kind of answer, and its access log: a line for each exchange, in each format, and
 * every line is read by GoAccess and lnav, where they are installed.
 */
@Tier.Program
final class AccessLogAnswersTest {

    private static final int LARGE = 64 << 20;
    private static final Response NOT_MODIFIED = new Response(304, "Not Modified", List.of(), new byte[0]);
    private static final Pattern COMMON = Pattern.compile("(?<client>\\S+) - - \\[.*?] \"(?<request>[^\"]*)\""
            + " (?<status>[0-9]{3}) (?<bytes>[0-9]+|-)( \"[^\"]*\" \"[^\"]*\")?");

    /** What a line says, whatever its format. */
    private record Seen(String request, String status) { }

    private static final List<Seen> EXPECTED = List.of(
            new Seen("GET /one HTTP/1.1", "200"),
            new Seen("HEAD /two HTTP/1.1", "200"),
            new Seen("M-SEARCH /three%ff\"\\ HTTP/1.0", "200"),
            new Seen("GET /not-modified HTTP/1.1", "304"),
            new Seen("GET /header HTTP/1.1", "400"),
            new Seen("-", "400"),
            new Seen("POST /large-body HTTP/1.1", "413"),
            new Seen("GET /fails HTTP/1.1", "500"),
            new Seen("GET /too-many HTTP/1.1", "503"),
            new Seen("GET /held HTTP/1.1", "499"),
            new Seen("GET /slow HTTP/1.1", "408"),
            new Seen("GET /large HTTP/1.1", "200"));

    @TempDir
    private Path folder;
    private final RecordingLogger events = new RecordingLogger();
    private final CompletableFuture<Consumer<Response>> held = new CompletableFuture<>();
    private final byte[] large = new byte[LARGE];
    private int exchanges;

    private void handle(Request request, Consumer<Response> callback) {
        switch (request.target()) {
            case "/fails" -> throw new IllegalStateException("fails");
            case "/held" -> held.complete(callback);
            case "/not-modified" -> callback.accept(NOT_MODIFIED);
            case "/large" -> callback.accept(new Response(200, "OK", List.of(), large));
            default -> callback.accept(TestServer.ok("ok"));
        }
    }

    /** Serves and logs what the clients of the test do; answers with the lines. */
    private List<String> serve(AccessFormat format, Path log) throws Exception {
        var options = TestServer.options().withMaxRequestSize(2000).withMaxHeaderSize(1000)
                .withRequestTimeout(Duration.ofMillis(300)).withMaxPendingRequests(1);
        try (var logger = new AccessLogger(new LogFile(log), format, Trust.nobody());
                var loop = new EventLoop(options.withExchangeListener(logger), events, this::handle)) {
            var thread = new Thread(loop::start);
            thread.start();
            try {
                ask(loop.getPort());
            } finally {
                loop.stop();
                TestServer.join(thread);
            }
        }
        return Files.readAllLines(log);
    }

    private void ask(int port) throws Exception {
        ask(port, "GET /one HTTP/1.1\r\nHost: x\r\nReferer: \"\\\t\r\nUser-Agent: a\"\u00FF\\\r\n\r\n"
                + "HEAD /two HTTP/1.1\r\nHost: x\r\n\r\nM-SEARCH /three%ff\"\\ HTTP/1.0\r\n\r\n", 3);
        ask(port, "GET /not-modified HTTP/1.1\r\nHost: x\r\n\r\n", 1);
        ask(port, "GET /header HTTP/1.1\r\nHost : x\r\n\r\n", 1);
        ask(port, "GET /\u00FF HTTP/1.1\r\nHost: x\r\n\r\n", 1);
        ask(port, "POST /large-body HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n", 1);
        ask(port, "GET /fails HTTP/1.1\r\nHost: x\r\n\r\n", 1);
        try (var client = new RawClient(port)) {
            client.get("/held");
            Consumer<Response> callback = held.get();
            ask(port, "GET /too-many HTTP/1.1\r\nHost: x\r\n\r\n", 1);
            client.reset();
            await(1);
            // until then it is the one request that may be pending
            callback.accept(TestServer.ok("too late"));
            events.await("response_late");
        }
        ask(port, "GET /slow HTTP/1.1\r\nHost: x\r\n", 1);
        try (var client = new RawClient(port, 1 << 14)) {
            client.get("/large").read(100_000);
            client.reset();
            await(1);
        }
    }

    private void ask(int port, String requests, int count) throws IOException {
        try (var client = new RawClient(port)) {
            client.send(requests);
            await(count);
        }
    }

    private void await(int count) {
        exchanges += count;
        events.await("exchange", exchanges);
    }

    private static Seen seen(AccessFormat format, String line) {
        if (format == AccessFormat.JSON) {
            Map<?, ?> object = (Map<?, ?>) JsonReader.read(line);
            assertEquals("127.0.0.1", object.get("client"));
            return new Seen("" + object.get("request"),
                    object.containsKey("status") ? "" + object.get("status") : "499");
        }
        Matcher parts = COMMON.matcher(line);
        assertTrue(parts.matches(), line);
        assertEquals("127.0.0.1", parts.group("client"));
        assertEquals(format == AccessFormat.COMBINED, parts.group(5) != null);
        return new Seen(parts.group("request").replace("\\x22", "\"").replace("\\x5c", "\\"),
                parts.group("status"));
    }

    private static long bytes(AccessFormat format, String line) {
        if (format == AccessFormat.JSON) {
            return (Long) ((Map<?, ?>) JsonReader.read(line)).get("bytes");
        }
        Matcher parts = COMMON.matcher(line);
        assertTrue(parts.matches(), line);
        return Long.parseLong(parts.group("bytes"));
    }

    @ParameterizedTest
    @EnumSource
    void eachHasOneLine(AccessFormat format) throws Exception {
        List<String> lines = serve(format, folder.resolve("access"));
        List<Seen> seen = new ArrayList<>();
        for (String line : lines) seen.add(seen(format, line));
        assertEquals(EXPECTED, seen);
        assertEquals(2, bytes(format, lines.get(0)));
        assertEquals(0, bytes(format, lines.get(1)));
        long sent = bytes(format, lines.get(lines.size() - 1));
        assertTrue(sent > 50_000 && sent < LARGE, () -> "" + sent);
    }

    @ParameterizedTest
    @EnumSource
    void goAccessReadsEachLine(AccessFormat format) throws Exception {
        LogReaders.assumeInstalled("goaccess");
        Path log = folder.resolve("access");
        serve(format, log);
        Map<?, ?> general = LogReaders.goaccess(format, log, folder);
        assertEquals((long) EXPECTED.size(), general.get("valid_requests"));
        assertEquals(0L, general.get("failed_requests"));
    }

    /** lnav knows methods of letters alone. */
    @ParameterizedTest
    @EnumSource
    void lnavReadsEachLine(AccessFormat format) throws Exception {
        LogReaders.assumeInstalled("lnav");
        Path log = folder.resolve("access");
        List<String> lines = serve(format, log);
        lines.removeIf(line -> line.contains("M-SEARCH"));
        Files.write(log, lines);
        boolean json = format == AccessFormat.JSON;
        List<?> rows = LogReaders.lnav(format, log, folder, json
                ? "select ifnull(status, 499) as status from microhttp_access where client = '127.0.0.1'"
                : "select sc_status as status from access_log where c_ip = '127.0.0.1'");
        assertEquals(EXPECTED.stream().filter(seen -> !seen.request().startsWith("M-"))
                        .map(seen -> Map.of("status", Long.valueOf(seen.status()))).toList(), rows);
    }
}

package org.microhttp.services;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.*;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.*;
import org.microhttp.tools.testing.ToolProcesses;

/** Runs the short programs as a user does, each in a process of its own. */
@Tier.Program
final class ExamplesTest {

    private static final List<String> PROGRAMS =
            List.of("HelloServer", "AsyncServer", "BackgroundServer", "BlockingServer", "EchoServer",
                    "GracefulServer", "WrappedServer", "FormServer", "CsvServer", "EventsServer",
                    "RelayServer");

    /** Those that only answer are started once, for all tests. */
    private static final Map<String, ServerProcess> ANSWERING = new HashMap<>();

    @RegisterExtension
    final ToolProcesses processes = new ToolProcesses();

    @AfterAll
    static void endThoseThatAnswer() throws InterruptedException {
        for (ServerProcess program : ANSWERING.values()) {
            program.process.destroyForcibly().waitFor();
        }
        ANSWERING.clear();
    }

    private static int port(String name) throws IOException {
        if (!ANSWERING.containsKey(name)) {
            ANSWERING.put(name, ServerProcess.start(name, "0"));
            ANSWERING.get(name).listening();
        }
        return ANSWERING.get(name).port;
    }

    private static RawResponse get(String name, String target) throws IOException {
        return send(name, "GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n");
    }

    private static RawResponse send(String name, String request) throws IOException {
        try (var client = new RawClient(port(name))) {
            return client.send(request).response(request.startsWith("HEAD"));
        }
    }

    /** The bodies of the answers to requests that are under way together, each on a connection of its own. */
    private static List<String> getTogether(String name, int count) throws IOException {
        List<RawClient> clients = new ArrayList<>();
        List<String> bodies = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                clients.add(new RawClient(port(name)).get("/" + i));
            }
            for (RawClient client : clients) {
                bodies.add(client.response().text());
            }
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
        return bodies;
    }

    /** Starts a program of its own for a test that ends it. */
    private ServerProcess start(String name) throws IOException {
        return processes.add(ServerProcess.start(name, "0")).listening();
    }

    @Test
    void helloAnswersEveryRequest() throws Exception {
        RawResponse response = get("HelloServer", "/any?a=1");
        assertEquals(200, response.status());
        assertEquals("text/plain; charset=utf-8", response.header("Content-Type"));
        assertEquals("hello world\n", response.text());
        String post = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx";
        assertEquals("hello world\n", send("HelloServer", post).text());
    }

    @Test
    void saysNothingButWhereItListens() throws Exception {
        ServerProcess hello = start("HelloServer");
        processes.connect().get("/").response();
        hello.terminate();
        assertEquals("", hello.output());
        assertEquals("", hello.errors());
    }

    @Test
    void asyncAnswersASecondLater() throws Exception {
        port("AsyncServer");
        long start = System.nanoTime();
        RawResponse response = get("AsyncServer", "/");
        assertTrue(System.nanoTime() - start >= 1_000_000_000L, "too early");
        assertEquals(200, response.status());
        assertEquals("hello world\n", response.text());
    }

    @Test
    void asyncAnswersManyConnectionsTogether() throws Exception {
        long start = System.nanoTime();
        assertEquals(Set.of("hello world\n"), Set.copyOf(getTogether("AsyncServer", 20)));
        // one after the other they take 20 s
        assertTrue(System.nanoTime() - start < 15_000_000_000L, "answered one after the other");
    }

    @Test
    void asyncRefusesBadRequestsWhileAnAnswerIsDue() throws Exception {
        int port = port("AsyncServer");
        try (var waiting = new RawClient(port); var other = new RawClient(port)) {
            waiting.get("/");
            assertEquals(400, other.send("GET /\r\n\r\n").halfClose().response().status());
            assertEquals(200, waiting.response().status());
        }
    }

    @Test
    void backgroundStopsAtALine() throws Exception {
        ServerProcess background = start("BackgroundServer");
        assertEquals("hello world\n", processes.connect().get("/").response().text());
        background.process.getOutputStream().write('\n');
        background.process.getOutputStream().flush();
        background.expectEnd(0, "stopped", "");
    }

    /** An input that has ended, as under systemd, and one that cannot be read, as under nohup. */
    @ParameterizedTest
    @ValueSource(strings = {"< /dev/null", "0> /dev/null"})
    void backgroundGoesOnWithoutATerminal(String input) throws Exception {
        ServerProcess background = processes.bash("-c", "exec " + Programs.JAVA + " -cp '"
                + System.getProperty("java.class.path") + "' BackgroundServer 0 " + input).listening();
        try (var client = processes.connect()) {
            // long enough for one that stops to have done so
            for (int i = 0; i < 1000; i++) {
                assertEquals(200, client.get("/").response().status());
            }
        }
        background.terminate();
        background.expectEnd(143, "", "");
    }

    @Test
    void backgroundEndsOnATerminationSignal() throws Exception {
        ServerProcess background = start("BackgroundServer");
        assumeTrue(background.process.supportsNormalTermination(), "no SIGTERM");
        try (var open = processes.connect()) {
            assertEquals(200, open.get("/").response().status());
            background.terminate();
            open.readToEnd();
            // 128 and the number of SIGTERM
            background.expectEnd(143, "", "");
        }
    }

    @Test
    void blockingAnswersWhenItHasWaited() throws Exception {
        RawResponse response = get("BlockingServer", "/");
        assertEquals(200, response.status());
        assertEquals("answered\n", response.text());
    }

    @Test
    void blockingAnswersManyConnectionsTogether() throws Exception {
        long start = System.nanoTime();
        assertEquals(200, getTogether("BlockingServer", 200).size());
        // one after the other they take 20 s
        assertTrue(System.nanoTime() - start < 15_000_000_000L, "answered one after the other");
    }

    @Test
    void blockingAnswersWorkThatFailsWith500() throws Exception {
        assertEquals(500, get("BlockingServer", "/fail").status());
        assertEquals(200, get("BlockingServer", "/").status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT"})
    void echoAnswersTheBodyWithItsContentType(String method) throws Exception {
        byte[] body = new byte[100_000];
        for (int i = 0; i < body.length; i++) {
            body[i] = (byte) i;
        }
        String head = " /a/b HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\nContent-Length: 100000"
                + "\r\n\r\n";
        RawResponse response = send("EchoServer", method + head + new String(body, ISO_8859_1));
        assertEquals(200, response.status());
        assertEquals("image/png", response.header("Content-Type"));
        assertArrayEquals(body, response.body());
    }

    @Test
    void echoAnswersABodyOfNoTypeAsBytes() throws Exception {
        String post = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx";
        RawResponse response = send("EchoServer", post);
        assertEquals("application/octet-stream", response.header("Content-Type"));
        assertEquals("x", response.text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "DELETE"})
    void echoAnswersOtherMethodsWithText(String method) throws Exception {
        RawResponse response = send("EchoServer", method + " / HTTP/1.1\r\nHost: x\r\n\r\n");
        assertEquals(200, response.status());
        assertEquals("text/plain; charset=utf-8", response.header("Content-Type"));
        assertEquals("send a body with POST or PUT\n", response.text());
    }

    @Test
    void echoAnswersHeadAsGetWithoutTheBody() throws Exception {
        try (var client = new RawClient(port("EchoServer"))) {
            client.send("HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            RawResponse response = client.response(true);
            assertEquals(200, response.status());
            assertEquals("29", response.header("Content-Length"));
            client.expectEnd();
        }
    }

    @Test
    void wrappedServerAddsFieldsAndAnswersConditions() throws Exception {
        RawResponse first = get("WrappedServer", "/");
        assertEquals("hello x\n", first.text());
        assertEquals("*", first.header("Access-Control-Allow-Origin"));
        String tag = first.header("ETag");
        RawResponse second = send("WrappedServer", "GET / HTTP/1.1\r\nHost: x\r\nIf-None-Match: " + tag
                + "\r\n\r\n");
        assertEquals(304, second.status());
        assertEquals(tag, second.header("ETag"));
        assertNotEquals(first.header("X-Request-Id"), second.header("X-Request-Id"));
        RawResponse refused = send("WrappedServer", "DELETE / HTTP/1.1\r\nHost: x\r\n\r\n");
        assertEquals(405, refused.status());
        assertEquals("GET, HEAD", refused.header("Allow"));
        assertEquals("*", refused.header("Access-Control-Allow-Origin"));
    }

    /** Every program reads its port in the same way: each has one of the ports that are wrong. */
    @ParameterizedTest
    @CsvSource({"HelloServer, x", "AsyncServer, --help", "BackgroundServer, 80x",
        "BlockingServer, 99999999999", "EchoServer, -1", "GracefulServer, 65536", "WrappedServer, 1e3",
        "FormServer, ''", "CsvServer, 1.0", "EventsServer, 0x50", "RelayServer, 12a"})
    void wrongPortIsReportedInOneLine(String name, String port) throws Exception {
        assertRefused(processes.add(ServerProcess.start(name, port)), name, ".*" + port + ".*");
    }

    @Test
    void usedPortIsReportedInOneLine() throws Exception {
        int port = port("HelloServer");
        Map<String, ServerProcess> programs = new LinkedHashMap<>();
        for (String name : PROGRAMS) {
            programs.put(name, processes.add(ServerProcess.start(name, "" + port)));
        }
        for (String name : PROGRAMS) {
            assertRefused(programs.get(name), name, "cannot listen on .*:" + port + ": .+");
        }
    }

    private static void assertRefused(ServerProcess program, String name, String message) throws Exception {
        String errors = program.errors();
        assertEquals(2, program.process.waitFor());
        assertEquals("", program.output());
        assertTrue(errors.matches(name + " \\[PORT( \\[[A-Z]+])?]: " + message), errors);
    }
}

package org.microhttp.examples;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.tools.ExampleProcess;
import org.microhttp.tools.Programs;
import org.microhttp.tools.Tier;

/** Runs the programs in {@code examples} as a user does, each in a process of its own. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Gate
final class ExamplesTest {

    private static final List<String> PROGRAMS =
            List.of("HelloServer", "AsyncServer", "BackgroundServer", "BlockingServer", "EchoServer",
                    "GracefulServer", "FormServer");

    /** Those that only answer are started once, for all tests. */
    private static final Map<String, ExampleProcess> ANSWERING = new HashMap<>();

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Queue<Process> started = new ConcurrentLinkedQueue<>();

    /** Also after a timeout: a read that still waits for a process ends with it. */
    @AfterEach
    void endProcesses() throws InterruptedException {
        for (Process process : started) {
            process.destroyForcibly().waitFor();
        }
    }

    @AfterAll
    static void endThoseThatAnswer() throws InterruptedException {
        for (ExampleProcess program : ANSWERING.values()) {
            program.process.destroyForcibly().waitFor();
        }
        ANSWERING.clear();
    }

    private static ExampleProcess answering(String name) throws IOException {
        if (!ANSWERING.containsKey(name)) {
            ANSWERING.put(name, ExampleProcess.start(name, "0"));
            ANSWERING.get(name).listening();
        }
        return ANSWERING.get(name);
    }

    @Test
    void helloAnswersEveryRequest() throws Exception {
        ExampleProcess hello = answering("HelloServer");
        HttpResponse<byte[]> response = send(hello.request("/any?a=1"));
        assertEquals(200, response.statusCode());
        assertEquals("text/plain", type(response));
        assertEquals("hello world\n", text(response));
        assertEquals("hello world\n", text(send(hello.request("/").POST(BodyPublishers.ofString("x")))));
    }

    @Test
    void saysNothingButWhereItListens() throws Exception {
        ExampleProcess hello = serve("HelloServer");
        send(hello.request("/"));
        hello.terminate();
        assertEquals("", hello.output());
        assertEquals("", hello.errors());
    }

    @Test
    void asyncAnswersASecondLater() throws Exception {
        ExampleProcess async = answering("AsyncServer");
        long start = System.nanoTime();
        HttpResponse<byte[]> response = send(async.request("/"));
        assertTrue(System.nanoTime() - start >= 1_000_000_000L, "too early");
        assertEquals(200, response.statusCode());
        assertEquals("hello world\n", text(response));
    }

    @Test
    void asyncAnswersManyConnectionsTogether() throws Exception {
        ExampleProcess async = answering("AsyncServer");
        long start = System.nanoTime();
        assertEquals(Set.of("hello world\n"), Set.copyOf(sendTogether(async, 20)));
        // one after the other they take 20 s
        assertTrue(System.nanoTime() - start < 15_000_000_000L, "answered one after the other");
    }

    @Test
    void asyncRefusesWhatIsNoRequestWhileAnAnswerIsDue() throws Exception {
        ExampleProcess async = answering("AsyncServer");
        try (Socket waiting = new Socket(async.host, async.port);
                Socket other = new Socket(async.host, async.port)) {
            waiting.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII));
            other.getOutputStream().write("GET /\r\n\r\n".getBytes(US_ASCII));
            other.shutdownOutput();
            assertEquals("HTTP/1.1 400", new String(other.getInputStream().readNBytes(12), US_ASCII));
            assertEquals("HTTP/1.1 200", new String(waiting.getInputStream().readNBytes(12), US_ASCII));
        }
    }

    @Test
    void backgroundStopsAtALine() throws Exception {
        ExampleProcess background = serve("BackgroundServer");
        assertEquals("hello world\n", text(send(background.request("/"))));
        background.process.getOutputStream().write('\n');
        background.process.getOutputStream().flush();
        assertEquals("stopped", background.output());
        assertEquals(0, background.process.waitFor());
    }

    /** An input that has ended, as under systemd, and one that cannot be read, as under nohup. */
    @ParameterizedTest
    @ValueSource(strings = {"< /dev/null", "0> /dev/null"})
    void backgroundGoesOnWithoutATerminal(String input) throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "no shell");
        var background = new ExampleProcess(new ProcessBuilder("/bin/sh", "-c", "exec \"$@\" " + input, "sh",
                Programs.JAVA, "-cp", System.getProperty("java.class.path"), "BackgroundServer", "0"));
        started.add(background.process);
        background.listening();
        // long enough for one that stops to have done so
        for (int i = 0; i < 1000; i++) {
            assertEquals(200, send(background.request("/")).statusCode());
        }
        background.terminate();
        assertEquals("", background.output());
        assertEquals(143, background.process.waitFor());
        assertEquals("", background.errors());
    }

    @Test
    void backgroundEndsOnATerminationSignal() throws Exception {
        ExampleProcess background = serve("BackgroundServer");
        Assumptions.assumeTrue(background.process.supportsNormalTermination());
        try (Socket open = new Socket(background.host, background.port)) {
            open.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII));
            assertEquals("HTTP/1.1 200", new String(open.getInputStream().readNBytes(12), US_ASCII));
            background.terminate();
            open.getInputStream().readAllBytes();
            // 128 and the number of SIGTERM
            assertEquals(143, background.process.waitFor());
            assertEquals("", background.errors());
        }
    }

    @Test
    void blockingAnswersFromAWorker() throws Exception {
        ExampleProcess blocking = answering("BlockingServer");
        HttpResponse<byte[]> response = send(blocking.request("/"));
        assertEquals(200, response.statusCode());
        assertTrue(text(response).matches("answered by pool-1-thread-[0-9]+\n"), text(response));
    }

    @Test
    void blockingAnswersManyConnectionsTogether() throws Exception {
        ExampleProcess blocking = answering("BlockingServer");
        long start = System.nanoTime();
        assertEquals(200, sendTogether(blocking, 200).size());
        // one after the other they take 20 s
        assertTrue(System.nanoTime() - start < 15_000_000_000L, "answered one after the other");
    }

    @Test
    void blockingAnswersWorkThatFailsWith500() throws Exception {
        ExampleProcess blocking = answering("BlockingServer");
        assertEquals(500, send(blocking.request("/fail")).statusCode());
        assertEquals(200, send(blocking.request("/")).statusCode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT"})
    void echoAnswersTheBodyWithItsContentType(String method) throws Exception {
        byte[] body = new byte[100_000];
        IntStream.range(0, body.length).forEach(i -> body[i] = (byte) i);
        HttpResponse<byte[]> response = send(answering("EchoServer").request("/a/b")
                .method(method, BodyPublishers.ofByteArray(body)).header("Content-Type", "image/png"));
        assertEquals(200, response.statusCode());
        assertEquals("image/png", type(response));
        assertArrayEquals(body, response.body());
    }

    @Test
    void echoAnswersABodyOfNoTypeAsBytes() throws Exception {
        HttpResponse<byte[]> response =
                send(answering("EchoServer").request("/").POST(BodyPublishers.ofString("x")));
        assertEquals("application/octet-stream", type(response));
        assertEquals("x", text(response));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "DELETE"})
    void echoAnswersOtherMethodsWithText(String method) throws Exception {
        HttpResponse<byte[]> response =
                send(answering("EchoServer").request("/").method(method, BodyPublishers.noBody()));
        assertEquals(200, response.statusCode());
        assertEquals("text/plain", type(response));
        assertEquals("send a body with POST or PUT\n", text(response));
    }

    @Test
    void echoAnswersHeadAsGetWithoutTheBody() throws Exception {
        HttpResponse<byte[]> response =
                send(answering("EchoServer").request("/").method("HEAD", BodyPublishers.noBody()));
        assertEquals(200, response.statusCode());
        assertEquals("29", response.headers().firstValue("Content-Length").orElseThrow());
        assertEquals("", text(response));
    }

    /** Every program reads its port in the same way: each has one of the ports that are wrong. */
    @ParameterizedTest
    @CsvSource({"HelloServer, x", "AsyncServer, --help", "BackgroundServer, 80x",
        "BlockingServer, 99999999999", "EchoServer, -1", "GracefulServer, 65536", "FormServer, ''"})
    void aWrongPortIsToldInOneLine(String name, String port) throws Exception {
        ExampleProcess program = start(name, port);
        String errors = program.errors();
        assertEquals(2, program.process.waitFor());
        assertEquals("", program.output());
        assertTrue(errors.startsWith(name + " [PORT]: "), errors);
        assertTrue(errors.contains(port) && errors.indexOf('\n') < 0, errors);
    }

    @Test
    void aPortInUseIsToldInOneLine() throws Exception {
        ExampleProcess first = answering("HelloServer");
        Map<String, ExampleProcess> programs = new LinkedHashMap<>();
        for (String name : PROGRAMS) {
            programs.put(name, start(name, "" + first.port));
        }
        for (var entry : programs.entrySet()) {
            ExampleProcess second = entry.getValue();
            String errors = second.errors();
            assertEquals(2, second.process.waitFor());
            assertEquals("", second.output());
            String start = entry.getKey() + " \\[PORT]: cannot listen on ";
            assertTrue(errors.matches(start + ".*:" + first.port + ": .+"), errors);
        }
    }

    private ExampleProcess serve(String name) throws IOException {
        return start(name, "0").listening();
    }

    private ExampleProcess start(String name, String port) throws IOException {
        ExampleProcess program = ExampleProcess.start(name, port);
        started.add(program.process);
        return program;
    }

    private HttpResponse<byte[]> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.timeout(Duration.ofSeconds(30)).build(), BodyHandlers.ofByteArray());
    }

    /** The bodies of the answers to requests that are under way together, each on a connection of its own. */
    private List<String> sendTogether(ExampleProcess program, int count) {
        List<CompletableFuture<HttpResponse<byte[]>>> responses = IntStream.range(0, count)
                .mapToObj(i -> client.sendAsync(program.request("/" + i).build(), BodyHandlers.ofByteArray()))
                .toList();
        return responses.stream().map(response -> text(response.join())).toList();
    }

    private static String type(HttpResponse<byte[]> response) {
        return response.headers().firstValue("Content-Type").orElseThrow();
    }

    private static String text(HttpResponse<byte[]> response) {
        return new String(response.body(), US_ASCII);
    }
}

package org.microhttp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the example {@code ResponseServer} prints: messages by verbosity, rates and totals, and JSON. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ResponseServerLogTest {

    private static final String POST = "POST /a?b HTTP/1.1\r\nHost:x\r\nX-Y:  \u00E9 \r\n"
            + "Content-Length: 9\r\nConnection: close\r\n\r\nab\n\0\u00FF\"\\\r\n";

    private final ResponseServerProcesses servers = new ResponseServerProcesses();

    @AfterEach
    void endProcesses() throws InterruptedException {
        servers.end();
    }

    /** What a program prints of one request that closes its connection, without dates. */
    private List<String> printed(String request, String... flags) throws Exception {
        ExampleProcess server = servers.serve(Stream.concat(Stream.of(flags),
                Stream.of("-s", "404", "-b", "one\ntwo\n", "-H", "A: b", "-t", "1")).toArray(String[]::new));
        try (var client = servers.connect()) {
            client.send(request).readToEnd();
        }
        server.terminate();
        return server.output().lines().filter(line -> !line.startsWith("#0 < Date: ")).toList();
    }

    @Test
    void nothingUnlessItIsAsked() throws Exception {
        assertEquals(List.of(), printed(POST));
    }

    @Test
    void startLines() throws Exception {
        assertEquals(List.of("#0 > POST /a?b HTTP/1.1", "#0 < HTTP/1.1 404 Not Found"), printed(POST, "-v"));
    }

    @Test
    void fieldsAndWhoComesAndGoes() throws Exception {
        List<String> lines = printed(POST, "-vv");
        assertTrue(lines.get(0).matches("#0 \\* accept remote_address=/127\\.0\\.0\\.1:[0-9]+"));
        assertEquals(List.of("#0 > POST /a?b HTTP/1.1", "#0 > Host:x", "#0 > X-Y:  \\xe9 ",
                "#0 > Content-Length: 9", "#0 > Connection: close", "#0 < HTTP/1.1 404 Not Found",
                "#0 < A: b", "#0 < Content-Length: 8", "#0 < Connection: close", "#0 * close"),
                lines.subList(1, lines.size()));
    }

    @Test
    void bodiesWithWhatIsNotPrintableAsHex() throws Exception {
        List<String> lines = printed(POST, "-v", "-v", "--verbose");
        assertEquals(List.of("#0 > Connection: close", "#0 >", "#0 > ab", "#0 > \\x00\\xff\"\\\\x0d",
                "#0 < HTTP/1.1 404 Not Found"), lines.subList(5, 10));
        assertEquals(List.of("#0 <", "#0 < one", "#0 < two", "#0 * close"), lines.subList(13, 17));
    }

    /** The README's own command and what it shows, but for the ports and the date. */
    @Test
    void whatTheReadmeShows() throws Exception {
        assumeTrue(isInstalled("bash"), "no bash");
        String block = Readme.blocks("console").stream()
                .filter(text -> text.contains("run ResponseServer ")).findFirst().orElseThrow();
        List<String> shown = block.lines().toList();
        String command = shown.get(0).substring("$ examples/run ResponseServer ".length());
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var server = new ExampleProcess(new ProcessBuilder("bash", "-c", "exec '" + java + "' -cp '"
                + System.getProperty("java.class.path") + "' responseserver.ResponseServer "
                + command.replace("-p 3000", "-p 0")));
        try {
            server.listening();
            try (var client = new RawClient(server.port)) {
                client.send("POST /orders HTTP/1.1\r\nHost: localhost:3000\r\nContent-Length: 7\r\n\r\n"
                        + "{\"n\":1}").response();
                client.halfClose().expectEnd();
            }
            server.terminate();
            String printed = shown.get(1).replace("3000", "" + server.port) + "\n" + server.output();
            String changing = "(?<=127\\.0\\.0\\.1:)[0-9]+|(?<=Date: ).*|(?<=listening on \\*:)[0-9]+";
            assertEquals(block.substring(block.indexOf('\n') + 1).replaceAll(changing, "").strip(),
                    printed.replaceAll(changing, ""));
        } finally {
            server.process.destroyForcibly().waitFor();
        }
    }

    @Test
    void chunkedBodiesWithoutTheirFraming() throws Exception {
        String chunked = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
                + "Connection: close\r\n\r\n2\r\nab\r\n1;x\r\nc\r\n0\r\n\r\n";
        List<String> lines = printed(chunked, "-vvv");
        assertEquals("#0 > abc", lines.get(lines.indexOf("#0 >") + 1));
    }

    @Test
    void everyOctetAsXxdShowsIt() throws Exception {
        assumeTrue(isInstalled("xxd"), "no xxd");
        var octets = new StringBuilder();
        for (int i = 0; i < 256; i++) octets.append((char) i);
        String request = "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 261\r\n\r\n" + octets + "12345";
        ExampleProcess server = servers.serve("-vvvv", "-b", octets.substring(32, 127), "-t", "1");
        RawResponse response;
        try (var client = servers.connect()) {
            response = client.send(request).response();
        }
        server.terminate();
        List<String> lines = server.output().lines().toList();
        assertEquals(xxd(request), dump(lines, "#0 > "));
        assertEquals(xxd(response.head() + response.text()), dump(lines, "#0 < "));
    }

    /** The lines of a dump, which follow the start line. */
    private static List<String> dump(List<String> lines, String mark) {
        return lines.stream().filter(line -> line.startsWith(mark)).skip(1)
                .map(line -> line.substring(mark.length())).toList();
    }

    private static List<String> xxd(String octets) throws Exception {
        Process process = new ProcessBuilder("xxd").start();
        process.getOutputStream().write(octets.getBytes(ISO_8859_1));
        process.getOutputStream().close();
        return process.inputReader().lines().toList();
    }

    @Test
    void refusalsWithTheirRule() throws Exception {
        List<String> lines = printed("GET / HTTP/1.1\n\n", "-v");
        assertTrue(lines.get(0).startsWith("#0 * refuse status=400 code=bare_lf rule=bare_lf: "));
        assertEquals("#0 < HTTP/1.1 400 Bad Request", lines.get(1));
        assertEquals(2, lines.size());
    }

    @Test
    void aLaterAnswerWhenItIsSent() throws Exception {
        ExampleProcess server = servers.serve("-v", "-d", "100ms", "-t", "1");
        try (var first = servers.connect(); var second = servers.connect()) {
            first.get("/first");
            assertEquals("#0 > GET /first HTTP/1.1", server.nextLine());
            second.get("/second");
            first.expectOk("");
            second.expectOk("");
        }
        server.terminate();
        List<String> lines = server.output().lines().toList();
        assertTrue(lines.containsAll(List.of("#1 > GET /second HTTP/1.1", "#0 < HTTP/1.1 200 OK",
                "#1 < HTTP/1.1 200 OK")), lines.toString());
    }

    @Test
    void coloursOnATerminalAlone() throws Exception {
        assumeTrue(isInstalled("script"), "no script");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String command = java + " -cp '" + System.getProperty("java.class.path")
                + "' responseserver.ResponseServer -a 127.0.0.1 -p 0 -t 1 -v";
        var terminal = new ExampleProcess(new ProcessBuilder("script", "-qefc", command, "/dev/null"));
        try {
            terminal.listening();
            try (var client = new RawClient(terminal.port)) {
                client.send(RawClient.GET).response();
            }
            assertEquals("\u001b[36m#0 > GET / HTTP/1.1\u001b[0m", terminal.nextLine());
            assertEquals("\u001b[32m#0 < HTTP/1.1 200 OK\u001b[0m", terminal.nextLine());
        } finally {
            terminal.process.descendants().forEach(ProcessHandle::destroy);
            terminal.process.destroyForcibly().waitFor();
        }
        assertFalse(String.join("", printed(POST, "-vvv")).contains("\u001b"));
    }

    @Test
    void ratesEverySecondAndTotalsAtAnInterrupt() throws Exception {
        ExampleProcess server = servers.serve("--meter", "-b", "0123456789");
        long out = 0;
        try (var client = servers.connect()) {
            for (int i = 0; i < 1000; i++) {
                RawResponse response = client.get("/").response();
                out += response.head().length() + response.body().length;
            }
        }
        Pattern rates = Pattern.compile(" *([0-9]+) requests/s +[0-9]+\\.[0-9]{3} Gbit/s in"
                + " +([0-9]+) responses/s +[0-9]+\\.[0-9]{3} Gbit/s out");
        long requests = 0;
        long responses = 0;
        while (requests < 900 || responses < 900) {
            Matcher line = rates.matcher(server.nextLine());
            assertTrue(line.matches(), "a line of rates");
            requests += Long.parseLong(line.group(1));
            responses += Long.parseLong(line.group(2));
        }
        // a second is one give or take the time that a timer is late
        assertTrue(requests < 1100 && responses < 1100, requests + " and " + responses);
        server.signal("INT");
        String last = server.output();
        String total = last.substring(last.lastIndexOf('\n') + 1);
        assertTrue(total.matches("total in [0-9]+\\.[0-9] s: 1000 requests, "
                + 1000 * "GET / HTTP/1.1\r\nHost: x\r\n\r\n".length() + " bytes in, 1000 responses, " + out
                + " bytes out"), total);
        assertEquals(130, server.process.waitFor());
    }

    /** A number of the totals, which the program prints at its end. */
    static long total(ExampleProcess server, String unit) {
        String output = server.output();
        Matcher number = Pattern.compile("total in .* ([0-9]+) " + unit).matcher(output);
        assertTrue(number.find(), output);
        return Long.parseLong(number.group(1));
    }

    @Test
    void jsonALine() throws Exception {
        ExampleProcess server = servers.start("--address", "127.0.0.1", "--port", "0", "--log-format", "json",
                "-vvvv", "-m", "-t", "1", "-b", "\"x\"\n");
        Map<?, ?> listening = (Map<?, ?>) JsonReader.read(server.nextLine());
        assertEquals("listening", listening.get("event"));
        assertEquals("127.0.0.1", listening.get("host"));
        assertEquals(1L, listening.get("threads"));
        int port = ((Long) listening.get("port")).intValue();
        RawResponse response;
        try (var client = new RawClient(port); var wrong = new RawClient(port)) {
            response = client.send(POST).response();
            client.expectEnd();
            wrong.send("wrong\r\n\r\n").readToEnd();
        }
        server.terminate();
        List<Map<?, ?>> events = new ArrayList<>();
        server.output().lines().forEach(line -> events.add((Map<?, ?>) JsonReader.read(line)));
        for (Map<?, ?> event : events) {
            String time = (String) event.get("time");
            assertTrue(time.matches("2[0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(?:\\.[0-9]+)?Z"), time);
        }
        Map<?, ?> request = first(events, "request");
        assertEquals(0L, request.get("id"));
        assertEquals("POST /a?b HTTP/1.1", request.get("start_line"));
        assertEquals(List.of(List.of("Host", "x"), List.of("X-Y", "\u00E9"), List.of("Content-Length", "9"),
                List.of("Connection", "close")), request.get("fields"));
        assertEquals(POST.substring(POST.indexOf("\r\n\r\n") + 4), request.get("body"));
        assertEquals(hex(POST), request.get("octets"));
        Map<?, ?> answer = first(events, "response");
        assertEquals("HTTP/1.1 200 OK", answer.get("start_line"));
        assertEquals("\"x\"\n", answer.get("body"));
        assertEquals(hex(response.head() + response.text()), answer.get("octets"));
        Map<?, ?> refusal = first(events, "refuse");
        assertEquals(400L, refusal.get("status"));
        assertEquals("bad_request_line", refusal.get("code"));
        Map<?, ?> totals = first(events, "totals");
        assertEquals(1L, totals.get("requests"));
        assertEquals(2L, totals.get("responses"));
        assertTrue((Double) totals.get("seconds") > 0);
    }

    private static Map<?, ?> first(List<Map<?, ?>> events, String name) {
        return events.stream().filter(event -> name.equals(event.get("event"))).findFirst().orElseThrow();
    }

    private static String hex(String octets) {
        var text = new StringBuilder();
        octets.chars().forEach(octet -> text.append(String.format("%02x", octet)));
        return text.toString();
    }

    @Test
    void jsonOfWhatWasAskedAlone() throws Exception {
        ExampleProcess server =
                servers.start("-a", "127.0.0.1", "-p", "0", "-t", "1", "-v", "--log-format=json");
        int port = ((Long) ((Map<?, ?>) JsonReader.read(server.nextLine())).get("port")).intValue();
        try (var client = new RawClient(port)) {
            client.get("/").expectOk("");
        }
        server.terminate();
        List<String> keys = server.output().lines().map(line -> ((Map<?, ?>) JsonReader.read(line)).keySet())
                .map(Object::toString).toList();
        assertEquals(List.of("[time, event, id, start_line]", "[time, event, id, start_line]"), keys);
    }

    private static boolean isInstalled(String program) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Arrays.stream(path.split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}

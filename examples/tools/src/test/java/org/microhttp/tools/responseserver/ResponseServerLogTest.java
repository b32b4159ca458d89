package org.microhttp.tools.responseserver;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.microhttp.testing.*;
import org.microhttp.tools.testing.ToolProcesses;

/** What the example {@code ResponseServer} prints: messages by verbosity, rates and totals. */
@Tier.Program
final class ResponseServerLogTest {

    static final String POST = "POST /a?b HTTP/1.1\r\nHost:x\r\nX-Y:  \u00E9 \r\n"
            + "Content-Length: 9\r\nConnection: close\r\n\r\nab\n\0\u00FF\"\\\r\n";

    @RegisterExtension
    final ToolProcesses servers = new ToolProcesses();

    /** What a program prints of one request that closes its connection. */
    private List<String> printed(String request, String... flags) throws Exception {
        ServerProcess server = servers.serve(Stream.concat(Stream.of(flags),
                Stream.of("-s", "404", "-b", "one\ntwo\n", "-H", "A: b", "-t", "1")).toArray(String[]::new));
        try (var client = servers.connect()) {
            client.send(request).readToEnd();
        }
        server.terminate();
        return server.output().lines().toList();
    }

    @Test
    void printsNothingByDefault() throws Exception {
        assertEquals(List.of(), printed(POST));
    }

    @Test
    void verboseShowsStartLines() throws Exception {
        assertEquals(List.of("#0 > POST /a?b HTTP/1.1", "#0 < HTTP/1.1 404 Not Found"), printed(POST, "-v"));
    }

    @Test
    void verboseTwiceShowsFieldsAndConnections() throws Exception {
        List<String> lines = printed(POST, "-vv");
        assertTrue(lines.get(0).matches("#0 \\* accept remote_address=/127\\.0\\.0\\.1:[0-9]+"));
        assertEquals(List.of("#0 > POST /a?b HTTP/1.1", "#0 > Host: x", "#0 > X-Y: \\xe9",
                "#0 > Content-Length: 9", "#0 > Connection: close", "#0 < HTTP/1.1 404 Not Found",
                "#0 < A: b", "#0 * close"), lines.subList(1, lines.size()));
    }

    @Test
    void verboseThriceShowsBodiesWithEscapes() throws Exception {
        List<String> lines = printed(POST, "-v", "-v", "--verbose");
        assertEquals(List.of("#0 > Connection: close", "#0 >", "#0 > ab", "#0 > \\x00\\xff\"\\\\x0d",
                "#0 < HTTP/1.1 404 Not Found"), lines.subList(5, 10));
        assertEquals(List.of("#0 < A: b", "#0 <", "#0 < one", "#0 < two", "#0 * close"),
                lines.subList(10, lines.size()));
    }

    /** The page's own command and what it shows, but for the ports. */
    @Test
    void pageShowsTheRealLog() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "no shell");
        String block = Readme.blocks(Readme.read(Readme.EXAMPLES), "console").stream()
                .filter(text -> text.contains("run ResponseServer ")).findFirst().orElseThrow();
        List<String> shown = block.lines().toList();
        String command = shown.get(0).substring("$ examples/run ResponseServer ".length());
        ServerProcess server = servers.shell("exec $0 " + command.replace("-p 3000", "-p 0")).listening();
        try (var client = servers.connect()) {
            client.send("POST /orders HTTP/1.1\r\nHost: localhost:3000\r\nContent-Length: 7\r\n\r\n{\"n\":1}")
                    .response();
            client.halfClose().expectEnd();
        }
        server.terminate();
        String printed = shown.get(1) + "\n" + server.output();
        String changing = "(?<=127\\.0\\.0\\.1:)[0-9]+";
        assertEquals(block.substring(block.indexOf('\n') + 1).replaceAll(changing, "").strip(),
                printed.replaceAll(changing, ""));
    }

    @Test
    void chunkedBodiesAreShownWithoutFraming() throws Exception {
        String chunked = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
                + "Connection: close\r\n\r\n2\r\nab\r\n1;x\r\nc\r\n0\r\n\r\n";
        List<String> lines = printed(chunked, "-vvv");
        assertEquals("#0 > abc", lines.get(lines.indexOf("#0 >") + 1));
    }

    @Test
    void everyByteIsDumpedLikeXxd() throws Exception {
        assumeTrue(Programs.isInstalled("xxd"), "no xxd");
        var bytes = new StringBuilder();
        for (int i = 0; i < 256; i++) bytes.append((char) i);
        String request = "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 261\r\n\r\n" + bytes + "12345";
        String body = bytes.substring(32, 127);
        ServerProcess server = servers.serve("-vvvv", "-b", body, "-H", "A: b", "-t", "1");
        try (var client = servers.connect()) {
            assertEquals(body, client.send(request).response().text());
        }
        server.terminate();
        List<String> lines = server.output().lines().toList();
        assertEquals(xxd(request), dump(lines, "#0 > "));
        assertEquals(xxd("HTTP/1.1 200 OK\r\nA: b\r\n\r\n" + body), dump(lines, "#0 < "));
    }

    @Test
    void noBodyWhereNoneIsSent() throws Exception {
        ServerProcess server = servers.serve("-vvv", "-b", "body", "-t", "1");
        try (var client = servers.connect()) {
            client.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n").response(true);
            client.get("/").expectOk("body");
        }
        server.terminate();
        List<String> printed = server.output().lines().filter(line -> line.startsWith("#0 <")).toList();
        assertEquals(List.of("#0 < HTTP/1.1 200 OK", "#0 < HTTP/1.1 200 OK", "#0 <", "#0 < body"), printed);
    }

    @Test
    void pipelinedMessagesAreShownInOrder() throws Exception {
        ServerProcess server = servers.serve("-vvv", "-t", "1", "--route", "GET /a=200:one",
                "--route", "GET /b=200:two");
        try (var client = servers.connect()) {
            String rest = " HTTP/1.1\r\nHost: x\r\n\r\n";
            client.send("GET /a" + rest + "GET /b" + rest + "wrong\r\n").readToEnd();
        }
        server.terminate();
        List<String> lines = server.output().lines().toList();
        assertEquals(List.of("#0 > GET /a HTTP/1.1", "#0 > Host: x", "#0 > GET /b HTTP/1.1", "#0 > Host: x"),
                lines.stream().filter(line -> line.startsWith("#0 >")).toList());
        assertEquals(List.of("#0 < HTTP/1.1 200 OK", "#0 <", "#0 < one", "#0 < HTTP/1.1 200 OK", "#0 <",
                "#0 < two", "#0 < HTTP/1.1 400 Bad Request"),
                lines.stream().filter(line -> line.startsWith("#0 <")).toList());
    }

    /** The lines of a dump, which follow the start line. */
    private static List<String> dump(List<String> lines, String mark) {
        return lines.stream().filter(line -> line.startsWith(mark)).skip(1)
                .map(line -> line.substring(mark.length())).toList();
    }

    private static List<String> xxd(String bytes) throws Exception {
        Process process = new ProcessBuilder("xxd").start();
        process.getOutputStream().write(bytes.getBytes(ISO_8859_1));
        process.getOutputStream().close();
        return process.inputReader().lines().toList();
    }

    @Test
    void eachLineBeginsWithTheTimeInUtc() throws Exception {
        Instant start = Instant.now().truncatedTo(ChronoUnit.MICROS);
        ServerProcess server = servers.startJvm("-Duser.timezone=Asia/Tokyo", "-a", "127.0.0.1", "-p", "0",
                "-t", "1", "-vvv", "-m", "--log-time", "-b", "one\n\ntwo");
        String listening = server.nextLine();
        try (var client = new RawClient(Integer.parseInt(listening.replaceFirst(".*:", "")))) {
            client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").readToEnd();
        }
        server.terminate();
        List<String> lines = new ArrayList<>(List.of(listening));
        server.output().lines().forEach(lines::add);
        for (String line : lines) {
            assertTrue(line.matches("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\\.[0-9]{6}Z .*"), line);
            Instant time = Instant.parse(line.substring(0, line.indexOf(' ')));
            assertFalse(time.isBefore(start) || time.isAfter(Instant.now()), line);
        }
        List<String> answer = lines.stream().filter(line -> line.contains(" #0 <")).toList();
        assertEquals(List.of(" #0 < one", " #0 <", " #0 < two"), answer.stream()
                .map(line -> line.substring(line.indexOf(' '))).skip(answer.size() - 3).toList());
        assertEquals(1, answer.stream().map(line -> line.substring(0, line.indexOf(' '))).distinct().count());
        assertTrue(lines.get(lines.size() - 1).contains("Z Total res bytes: "));
    }

    @Test
    void refusalsAreShownWithTheirRule() throws Exception {
        List<String> lines = printed("GET / HTTP/1.1\n\n", "-v");
        assertTrue(lines.get(0).matches(
                "#0 \\* refuse peer=/127\\.0\\.0\\.1:[0-9]+ status=400 code=bare_lf rule=an LF without .*"),
                lines.get(0));
        assertEquals("#0 < HTTP/1.1 400 Bad Request", lines.get(1));
        assertEquals(2, lines.size());
    }

    @Test
    void aLaterAnswerWhenItIsSent() throws Exception {
        ServerProcess server = servers.serve("-v", "-d", "2s", "-t", "1");
        try (var first = servers.connect(); var second = servers.connect()) {
            first.get("/first");
            assertEquals("#0 > GET /first HTTP/1.1", server.nextLine());
            second.get("/second");
            assertEquals("#1 > GET /second HTTP/1.1", server.nextLine());
            first.expectOk("");
            assertEquals("#0 < HTTP/1.1 200 OK", server.nextLine());
        }
    }

    /** Each message is one piece, and of one connection, whatever other loops print. */
    @Test
    void messagesOfSeveralLoopsAreNotMixed() throws Exception {
        ServerProcess server = servers.serve("-vvv", "-t", "4", "-b", "1\n2\n3\n4\n5\n6\n7\n8\n");
        // a pipe that nobody reads would hold the loops
        CompletableFuture<String> output = CompletableFuture.supplyAsync(server::output);
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < 8; i++) clients.add(servers.connect());
        for (int round = 0; round < 50; round++) {
            for (RawClient client : clients) client.get("/");
            for (RawClient client : clients) client.response();
        }
        for (RawClient client : clients) client.close();
        server.terminate();
        List<String> lines = output.join().lines().toList();
        int messages = 0;
        for (int at = 0; at < lines.size(); at++) {
            if (!lines.get(at).endsWith(" < HTTP/1.1 200 OK")) continue;
            String mark = lines.get(at).substring(0, lines.get(at).indexOf(" <") + 2);
            assertEquals(mark + " 8", lines.get(at + 9), "the last line of a message");
            assertTrue(lines.subList(at, at + 10).stream().allMatch(line -> line.startsWith(mark)));
            messages++;
        }
        assertEquals(400, messages);
    }

    @Test
    void coloursOnATerminalAlone() throws Exception {
        boolean script = Programs.isInstalled("script") && Files.exists(Path.of("/proc"));
        assumeTrue(script, "no script of util-linux");
        for (String setting : List.of("", "NO_COLOR=1 ")) {
            ServerProcess terminal = servers.shell("script -qefc \"" + setting
                    + "$0 -a 127.0.0.1 -p 0 -t 1 -v\" /dev/null").listening();
            try (var client = servers.connect()) {
                client.send(RawClient.GET).response();
            }
            boolean coloured = setting.isEmpty();
            String request = "#0 > GET / HTTP/1.1";
            String response = "#0 < HTTP/1.1 200 OK";
            assertEquals(coloured ? "\u001b[36m" + request + "\u001b[0m" : request, terminal.nextLine());
            assertEquals(coloured ? "\u001b[32m" + response + "\u001b[0m" : response, terminal.nextLine());
        }
        assertFalse(String.join("", printed(POST, "-vvv")).contains("\u001b"));
    }

    @Test
    void ratesEverySecondAndTotalsAtAnInterrupt() throws Exception {
        ServerProcess server = servers.serve("--meter", "-b", "0123456789");
        Pattern rates = Pattern.compile(" *([0-9]+) requests/s +[0-9]+\\.[0-9]{3} Gbit/s in"
                + " +([0-9]+) responses/s +[0-9]+\\.[0-9]{3} Gbit/s out");
        long out = 0;
        int requests = 0;
        try (var client = servers.connect()) {
            // until a line has seen some
            for (boolean seen = false; !seen; ) {
                for (int i = 0; i < 100; i++, requests++) {
                    RawResponse response = client.get("/").response();
                    out += response.head().length() + response.body().length;
                }
                Matcher line = rates.matcher(server.nextLine());
                assertTrue(line.matches(), "a line of rates");
                seen = Integer.parseInt(line.group(1)) > 0 && Integer.parseInt(line.group(2)) > 0;
            }
        }
        boolean ignored = ServerProcess.ignoresInterrupts();
        server.signal(ignored ? "TERM" : "INT");
        List<String> lines = server.output().lines().toList();
        List<String> totals = lines.subList(lines.size() - 5, lines.size());
        assertTrue(totals.get(0).matches("Total time:      [0-9]+\\.[0-9] s"), totals.get(0));
        // the names and units of statico's lines, and GB of 10^9 bytes
        assertEquals(List.of("Total requests:  " + requests,
                "Total req bytes: " + bytes(requests * RawClient.GET.length()),
                "Total responses: " + requests,
                "Total res bytes: " + bytes(out)), totals.subList(1, 5));
        assertEquals(ignored ? 143 : 130, server.process.waitFor());
    }

    private static String bytes(long number) {
        BigDecimal gigabytes = BigDecimal.valueOf(number, 9).setScale(3, RoundingMode.HALF_UP);
        return number + " (" + gigabytes + " GB)";
    }

    /** A number of the totals, which the program prints at its end. */
    static long total(ServerProcess server, String name) {
        String output = server.output();
        Matcher number = Pattern.compile("Total " + name + ": ([0-9]+)").matcher(output);
        assertTrue(number.find(), output);
        return Long.parseLong(number.group(1));
    }
}

package org.microhttp.tools.accesslog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.testing.*;
import org.microhttp.tools.testing.*;

/** The example {@code AccessLog}: its flags, its page, and outputs as a program meets them. */
@Tier.Program
final class AccessLogTest {

    private static final Pattern LINE = Pattern.compile("127\\.0\\.0\\.1 - - "
            + "\\[[0-9]{2}/[A-Z][a-z]{2}/[0-9]{4}(:[0-9]{2}){3} \\+0000] "
            + "\"GET /[0-9]* HTTP/1.1\" 200 7 \"-\" \"-\"");

    @RegisterExtension
    final ToolProcesses servers = new ToolProcesses("org.microhttp.tools.accesslog.AccessLog");

    @TempDir
    private Path folder;

    private String log() {
        return folder.resolve("access.log").toString();
    }

    private List<String> logged() throws Exception {
        return Files.readAllLines(folder.resolve("access.log"));
    }

    /** So many requests, one after the other, that are answered. */
    private void ask(int count) throws Exception {
        try (var client = servers.connect()) {
            for (int i = 0; i < count; i++) {
                assertEquals("logged\n", client.get("/" + i).response().text());
            }
        }
    }

    @Test
    void logsToStandardOutputUnlessAFileIsGiven() throws Exception {
        ServerProcess server = servers.serve();
        ask(3);
        server.end();
        List<String> lines = server.output().lines().toList();
        assertEquals(3, lines.size());
        assertTrue(lines.stream().allMatch(line -> LINE.matcher(line).matches()), () -> "" + lines);
        assertEquals("", server.errors());
    }

    /** Also lines that were queued when it was told to end. */
    @Test
    void everyLineIsThereWhenItHasEnded() throws Exception {
        ServerProcess server = servers.serve("--log-file", log(), "-t", "2");
        ask(500);
        server.end();
        assertEquals(500, logged().size());
        assertTrue(logged().stream().allMatch(line -> LINE.matcher(line).matches()));
    }

    @Test
    void flagsSetFormatAndTrust() throws Exception {
        String request = "GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.1, 10.1.1.1\r\n\r\n";
        for (String format : List.of("common", "combined", "json")) {
            Path file = folder.resolve(format);
            ServerProcess server = servers.serve("-f", format, "-l", "" + file, "--trust",
                    "10.0.0.0/8, 127.0.0.1,::1");
            try (var client = servers.connect()) {
                client.send(request).response();
            }
            server.end();
            String line = Files.readString(file);
            assertEquals(format.equals("json"), line.contains("\"client\":\"192.0.2.1\""), line);
            assertEquals(!format.equals("json"), line.startsWith("192.0.2.1 - - ["), line);
            assertEquals(format.equals("combined"), line.endsWith(" \"-\" \"-\"\n"), line);
        }
    }

    @Test
    void verboseOutputIsUnchanged() throws Exception {
        ServerProcess server = servers.serve("-v", "-l", log(), "-t", "1");
        ask(1);
        server.end();
        assertEquals("#0 > GET /0 HTTP/1.1\n#0 < HTTP/1.1 200 OK", server.output());
        assertEquals(1, logged().size());
    }

    @Test
    void aFileIsRotatedWhileItRuns() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc")), "files are not told apart everywhere");
        ServerProcess server = servers.serve("-l", log());
        ask(1);
        Path first = folder.resolve("access.log");
        while (Files.size(first) == 0) Thread.onSpinWait();
        Files.move(first, folder.resolve("access.log.1"));
        ask(2);
        server.end();
        assertEquals(1, Files.readAllLines(folder.resolve("access.log.1")).size());
        assertEquals(2, logged().size());
    }

    @Test
    void aFullDiskCostsLinesAndNothingElse() throws Exception {
        assumeTrue(Files.isWritable(Path.of("/dev/full")), "no /dev/full");
        ServerProcess server = servers.serve("-l", "/dev/full");
        ask(100);
        server.end();
        List<String> errors = server.errors().lines().toList();
        assertTrue(errors.get(0).matches("access log: cannot write, .*: /dev/full: .+"), errors.get(0));
        // said again only at the end
        assertEquals(List.of("access log: 100 lines dropped"), errors.subList(1, errors.size()));
    }

    /** The file may grow to 8 KiB: the write that reaches this writes a part, which is taken back. */
    @Test
    void noLineIsCutWhereTheDiskIsFull() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no bash");
        ServerProcess server = servers.shell("exec bash -c \"ulimit -f 8; exec $0 -a 127.0.0.1 -p 0 -l "
                + log() + "\"").listening();
        ask(50);
        while (logged().isEmpty()) Thread.onSpinWait();
        ask(1000);
        server.end();
        assertTrue(server.errors().contains("cannot write"));
        assertTrue(logged().stream().allMatch(line -> LINE.matcher(line).matches()), "a line is cut");
        assertTrue(logged().size() < 1050);
    }

    /** Nobody reads the pipe, which soon is full. */
    @Test
    void anOutputThatNobodyReadsHoldsNobody() throws Exception {
        ServerProcess server = servers.serve("-t", "2");
        ask(3000);
        long start = System.nanoTime();
        server.end();
        assertTrue(System.nanoTime() - start < 30_000_000_000L);
        assertTrue(server.errors().matches("access log: [0-9]+ lines dropped"));
        List<String> lines = server.output().lines().toList();
        assertTrue(lines.size() < 3000);
        assertTrue(lines.stream().limit(lines.size() - 1).allMatch(line -> LINE.matcher(line).matches()));
    }

    /** The page's own command, and what it shows, but for the time and the port. */
    @Test
    void pageShowsTheRealOutput() throws Exception {
        String shown = Readme.blocks(Readme.read(Readme.EXAMPLES), "console").stream()
                .filter(block -> block.contains("run AccessLog ")).findFirst().orElseThrow();
        List<String> lines = shown.lines().toList();
        String flags = lines.get(0).substring("$ examples/run AccessLog ".length());
        ServerProcess server = servers.start((flags.replace("access.log", log()) + " -p 0").split(" "))
                .listening();
        try (var client = servers.connect()) {
            client.send("GET /a?b HTTP/1.1\r\nHost: localhost:8080\r\nUser-Agent: curl\r\n\r\n");
            assertEquals(lines.get(3), client.response().text().strip());
        }
        server.end();
        String time = "\\[.*?]";
        assertEquals(lines.get(lines.size() - 1).replaceAll(time, ""), logged().get(0).replaceAll(time, ""));
    }
}

package org.microhttp.tools.sitearchive;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.testing.ServerProcess;
import org.microhttp.testing.Tier;
import org.microhttp.tools.testing.ToolProcesses;
import org.microhttp.tools.testing.ToolRun;

/** {@code SiteArchive serve --processes}: several on one port, which end together. */
@Tier.Program
final class SiteArchiveProcessesTest {

    private static final Pattern TEXT = Pattern.compile("\\[([12])] #\\d+ > GET / HTTP/1\\.1");
    private static final Pattern JSON = Pattern.compile("\\{\"time\":.*\"event\":\"request\".*"
            + "\"start_line\":\"GET / HTTP/1\\.1\",\"process\":([12])}");

    @RegisterExtension
    final ToolProcesses servers = new ToolProcesses("org.microhttp.tools.sitearchive.SiteArchive");

    @TempDir
    private Path folder;

    @BeforeEach
    void needsSharedPorts() throws IOException {
        try (var channel = ServerSocketChannel.open()) {
            assumeTrue(channel.supportedOptions().contains(StandardSocketOptions.SO_REUSEPORT),
                    "ports cannot be shared");
        }
    }

    private ServerProcess start(String... flags) throws IOException {
        Stream<String> first = Stream.of("serve", "--dummy", "--bind", "127.0.0.1:0", "--processes", "2");
        return servers.start(Stream.concat(first, Stream.of(flags)).toArray(String[]::new));
    }

    private static void awaitEnd(List<ProcessHandle> processes) {
        processes.forEach(process -> process.onExit().join());
    }

    /** Asks until each process has printed such a line, which names it in its first group. */
    private int askUntilBothAreSeen(ServerProcess server, Pattern line) throws Exception {
        Set<String> seen = new HashSet<>();
        int asked = 0;
        while (seen.size() < 2) {
            asked++;
            try (var client = servers.connect()) {
                assertEquals("hello world!\n", client.get("/").response().text());
            }
            Matcher request = line.matcher("");
            while (!request.matches()) {
                request.reset(server.nextLine());
            }
            seen.add(request.group(1));
        }
        return asked;
    }

    /** A flag of the JVM is given to both, and not twice; each has a profile of its own, and both one log. */
    @Test
    void bothServeOnThePort() throws Exception {
        Path log = folder.resolve("log");
        ServerProcess server = servers.shell("JDK_JAVA_OPTIONS=-Done=1 exec $0 serve --dummy --debug"
                + " --bind 127.0.0.1:0 --processes 2 --profile-cpu '" + folder.resolve("cpu.jfr")
                + "' --profile-mem '" + folder.resolve("memory") + "' --log '" + log + "'").listening();
        List<ProcessHandle> children = server.process.children().toList();
        assertEquals(2, children.size());
        for (ProcessHandle child : children) {
            assertHasFlagOnce(child);
        }
        int asked = askUntilBothAreSeen(server, TEXT);
        server.terminate();
        assertEquals("NOTE: Picked up JDK_JAVA_OPTIONS: -Done=1", server.errors());
        assertEquals(143, server.process.waitFor());
        awaitEnd(children);
        assertThrows(IOException.class, () -> new Socket("127.0.0.1", server.port).close());
        for (String name : List.of("cpu-1.jfr", "cpu-2.jfr", "memory-1", "memory-2")) {
            assertTrue(Files.size(folder.resolve(name)) > 0, name);
        }
        assertEquals(asked, Files.readAllLines(log).size());
    }

    private static void assertHasFlagOnce(ProcessHandle process) throws IOException {
        Path command = Path.of("/proc/" + process.pid() + "/cmdline");
        if (Files.exists(command)) {
            List<String> words = List.of(Files.readString(command).split("\0"));
            assertEquals(1, Collections.frequency(words, "-Done=1"), () -> "" + words);
        }
    }

    @Test
    void jsonNamesTheProcessAndChildrenEndWithTheirParent() throws Exception {
        ServerProcess server = start("--debug", "--log-format", "json");
        Matcher port = Pattern.compile("\\{\"time\":\"[^\"]*\",\"event\":\"listening\","
                + "\"host\":\"127.0.0.1\",\"port\":(\\d+),\"threads\":\\d+}").matcher(server.nextLine());
        assertTrue(port.matches());
        server.port = Integer.parseInt(port.group(1));
        askUntilBothAreSeen(server, JSON);
        List<ProcessHandle> children = server.process.children().toList();
        server.process.destroyForcibly();
        awaitEnd(children);
    }

    /** Before that another cannot listen on the port, though it would share it, too. */
    @Test
    void oneThatFailsEndsTheOthers() throws Exception {
        ServerProcess server = start().listening();
        assertRefused("/127.0.0.1:" + server.port + ": Address already in use", "127.0.0.1:" + server.port);
        List<ProcessHandle> children = server.process.children().toList();
        children.get(0).destroyForcibly();
        String errors = server.errors();
        assertTrue(errors.matches("SiteArchive serve: process [12] of 2 has ended, with 137;"
                + " so the others are ended, too"), errors);
        assertEquals(1, server.process.waitFor());
        awaitEnd(children);
    }

    /** As a terminal sends it, to all of them. */
    @Test
    void theyEndTogetherOnCtrlC() throws Exception {
        ServerProcess server = start().listening();
        List<ProcessHandle> all = server.process.descendants().toList();
        for (ProcessHandle child : all) {
            ServerProcess.signal("INT", child.pid());
        }
        server.signal("INT");
        server.expectEnd(130, "", "");
    }

    @Test
    void errorIsPrintedOnce() throws Exception {
        ServerProcess server = servers.start("serve", "--processes", "3", "--archive", "none", "-p", "0");
        server.expectEnd(2, "", "SiteArchive serve: the archive none is refused: there is no such file");
        assertRefused("a..b: unknown host name", "a..b:0");
    }

    private static void assertRefused(String place, String bind) {
        ToolRun run = ToolRun.of("SiteArchive", "serve", "--dummy", "--processes", "2", "--bind", bind);
        assertEquals("SiteArchive serve: cannot listen on " + place + "\n", run.errors());
        assertEquals(2, run.code());
    }
}

package org.microhttp.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.examples.tools.ResponseServerProcesses;
import org.microhttp.tools.ExampleProcess;
import org.microhttp.tools.Tier;

/** {@code SiteArchive serve --processes}: several on one port, which end together. */
@Tier.Program
final class SiteArchiveProcessesTest {

    private static final Pattern TEXT = Pattern.compile("\\[([12])] #\\d+ > GET / HTTP/1\\.1");
    private static final Pattern JSON = Pattern.compile("\\{\"time\":.*\"event\":\"request\".*"
            + "\"start_line\":\"GET / HTTP/1\\.1\",\"process\":([12])}");

    @RegisterExtension
    final ResponseServerProcesses servers = new ResponseServerProcesses("sitearchive.SiteArchive");

    @TempDir
    private Path folder;

    @BeforeEach
    void needsSharedPorts() throws IOException {
        try (var channel = ServerSocketChannel.open()) {
            assumeTrue(channel.supportedOptions().contains(StandardSocketOptions.SO_REUSEPORT),
                    "ports cannot be shared");
        }
    }

    private ExampleProcess start(String... flags) throws IOException {
        String given = flags.length == 0 ? "" : " '" + String.join("' '", flags) + "'";
        return servers.shell("exec $0 serve --dummy --bind 127.0.0.1:0 --processes 2" + given);
    }

    /** Asks until each process has printed a line of this pattern, in which it is the first group. */
    private void askUntilBothAreSeen(ExampleProcess server, Pattern line) throws Exception {
        Set<String> seen = new HashSet<>();
        while (seen.size() < 2) {
            try (var client = servers.connect()) {
                assertEquals("hello world!\n", client.get("/").response().text());
            }
            Matcher request = line.matcher("");
            while (!request.matches()) {
                request.reset(server.nextLine());
            }
            seen.add(request.group(1));
        }
    }

    @Test
    void bothServeOnThePort() throws Exception {
        ExampleProcess server = start("--debug").listening();
        List<ProcessHandle> children = server.process.children().toList();
        assertEquals(2, children.size());
        askUntilBothAreSeen(server, TEXT);
        assertPortInUse(server.port);
        server.end();
        for (ProcessHandle child : children) {
            child.onExit().join();
        }
        assertEquals("", server.errors());
        try (var socket = new Socket("127.0.0.1", server.port)) {
            throw new AssertionError("still listening: " + socket);
        } catch (IOException e) {
            return;
        }
    }

    /** An option of the environment is not taken twice. */
    @Test
    void objectsSayOfWhichProcessTheyAreAndAllEndWithTheirParent() throws Exception {
        ExampleProcess server = servers.shell("JDK_JAVA_OPTIONS=-Done=1 exec $0 serve --dummy --processes 2"
                + " --bind 127.0.0.1:0 --debug --log-format json");
        Matcher port = Pattern.compile("\\{\"time\":\"[^\"]*\",\"event\":\"listening\","
                + "\"host\":\"127.0.0.1\",\"port\":(\\d+),\"threads\":\\d+}").matcher(server.nextLine());
        assertTrue(port.matches());
        server.port = Integer.parseInt(port.group(1));
        askUntilBothAreSeen(server, JSON);
        List<ProcessHandle> children = server.process.children().toList();
        for (ProcessHandle child : children) {
            Path command = Path.of("/proc/" + child.pid() + "/cmdline");
            List<String> words = Files.exists(command) ? List.of(Files.readString(command).split("\0"))
                    : List.of("-Done=1");
            assertEquals(1, words.stream().filter("-Done=1"::equals).count());
        }
        server.process.destroyForcibly();
        for (ProcessHandle child : children) {
            child.onExit().join();
        }
    }

    @Test
    void oneThatFailsEndsTheOthers() throws Exception {
        ExampleProcess server = start().listening();
        List<ProcessHandle> children = server.process.children().toList();
        children.get(0).destroyForcibly();
        String errors = server.errors();
        assertTrue(errors.matches("SiteArchive serve: process [12] of 2 has ended, with 137;"
                + " so the others are ended, too"), errors);
        assertEquals(1, server.process.waitFor());
        children.get(1).onExit().join();
    }

    /** As a terminal sends it, to all of them. */
    @Test
    void theyEndTogetherOnCtrlC() throws Exception {
        ExampleProcess server = start().listening();
        List<ProcessHandle> all = server.process.descendants().toList();
        for (ProcessHandle child : all) {
            ExampleProcess.signal("INT", child.pid());
        }
        server.signal("INT");
        assertEquals("", server.errors());
        assertEquals(130, server.process.waitFor());
    }

    /** Though its user shares it. */
    private void assertPortInUse(int port) throws Exception {
        ExampleProcess second = servers.start("serve", "--dummy", "--processes", "2", "--bind",
                "127.0.0.1:" + port);
        assertEquals("SiteArchive serve: cannot listen on /127.0.0.1:" + port + ": Address already in use",
                second.errors());
        assertEquals(2, second.process.waitFor());
    }

    @Test
    void whatIsWrongIsToldOnce() throws Exception {
        ExampleProcess server = servers.start("serve", "--processes", "3", "--archive", "none", "-p", "0");
        assertEquals("SiteArchive serve: the archive none is refused: there is no such file",
                server.errors());
        assertEquals(2, server.process.waitFor());
        ExampleProcess unknown = servers.start("serve", "--dummy", "--processes", "2", "--bind", "a..b:0");
        assertEquals("SiteArchive serve: cannot listen on a..b: unknown host name", unknown.errors());
    }

    @Test
    void eachWritesItsOwnProfileAndAllTheOneLog() throws Exception {
        ExampleProcess server = start("--profile-cpu", "" + folder.resolve("cpu.jfr"), "--profile-mem",
                "" + folder.resolve("memory"), "--log", "" + folder.resolve("log")).listening();
        for (int i = 0; i < 10; i++) {
            try (var client = servers.connect()) {
                client.get("/").response();
            }
        }
        server.end();
        for (String name : List.of("cpu-1.jfr", "cpu-2.jfr", "memory-1", "memory-2")) {
            assertTrue(Files.size(folder.resolve(name)) > 0, name);
        }
        assertEquals(10, Files.readAllLines(folder.resolve("log")).size());
    }
}

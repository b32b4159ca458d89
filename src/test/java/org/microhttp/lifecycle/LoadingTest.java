package org.microhttp.lifecycle;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.EventLoop;
import org.microhttp.lifecycle.tools.LoadingServer;
import org.microhttp.testing.*;

/**
 * Every class of the library is loaded, and initialised, before the loop starts, and none while it serves:
 * later there may be no descriptor to load it with, and a class that could not be loaded once never is.
 * Excepted are those that only a program may use.
 */
@Tier.Gate
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LoadingTest {

    private static final Set<String> OF_PROGRAMS = Set.of("DebugLogger", "NoopLogger", "SystemLogger",
            "EventLoopGroup", "package-info", "module-info");

    private static final String MARKER = LoadingServer.class.getName() + "$Marker ";
    private static final String X = " HTTP/1.1\r\nHost: x\r\n";
    private static final String CLOSE = "Connection: close\r\n\r\n";
    private static final String CHUNKED = "POST /" + X + "Transfer-Encoding: chunked\r\n";

    /** What is sent, each on a connection of its own, that ends. */
    private static final List<String> MESSAGES = List.of(
            "GET /" + X + "\r\n" + "GET /" + X + "Cookie: a\r\nConnection: a , b,\t,close\r\n\r\n",
            "HEAD /" + X + CLOSE, "OPTIONS *" + X + CLOSE, "GET http://x:80/a?b" + X + CLOSE,
            "GET http://[::1]/" + X.replace("x", "[::1]") + CLOSE,
            "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET / HTTP/1.0\r\n\r\n",
            "POST /" + X + "Content-Length: 5\r\n" + CLOSE + "hello",
            "POST /" + X + "Content-Length: 5, 5\r\n" + CLOSE + "hello",
            "POST /" + X + "Expect: 100-continue\r\nContent-Length: 5\r\n" + CLOSE + "hello",
            CHUNKED + CLOSE + "5;a=b;c=\"d\"\r\nhello\r\n0\r\nTrailer: t\r\n\r\n",
            CHUNKED.replace(": ch", ": gzip, ch") + CLOSE + "0\r\n\r\n", CHUNKED + CLOSE + "z\r\n",
            CHUNKED + CLOSE + "5\r\nhello!", CHUNKED + CLOSE + "0\r\nbad trailer\r\n\r\n",
            CHUNKED + "Content-Length: 5\r\n\r\n", "GET /" + X + "Upgrade: h2c\r\n" + CLOSE,
            "GET /late" + X + CLOSE, "GET /none" + X + CLOSE, "GET /failure" + X + CLOSE,
            "GET /interrupt" + X + CLOSE, "GET /twice" + X + CLOSE, "GET /large" + X + CLOSE,
            "GET /block" + X + CLOSE, ("GET /" + X + "\r\n").repeat(300) + "GET /" + X + CLOSE,
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET /\r\n", "wrong\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
            "CONNECT x:80" + X + "\r\n", "GET /" + X + "Host: y\r\n\r\n", "GET /" + X + "A : b\r\n\r\n",
            "GET /" + X + "A: b\r\n c\r\n\r\n", "GET /" + "a".repeat(40_000) + X + "\r\n",
            "GET /" + X + "a:b\r\n".repeat(200) + "\r\n",
            "GET /" + X + "a: " + "b".repeat(40_000) + "\r\n\r\n",
            "POST /" + X + "Content-Length: 9999999\r\n\r\n", "POST /" + X + "Content-Length: +5\r\n\r\n",
            "POST /" + X + "Expect: more\r\n\r\n", CHUNKED + "\r\n" + "ffff\r\n" + "b".repeat(2_000_000));

    @TempDir
    private Path folder;

    @Test
    void loadsNothingWhenItServes() throws Exception {
        Path library = Path.of(EventLoop.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        ServerProcess.assumePossible();
        assumeTrue(Files.isDirectory(library), "the library is in a jar");
        Path log = folder.resolve("classes.log");
        try (var server = new ServerProcess("true", LoadingServer.class.getName(),
                "-Xlog:class+load,class+init:file=" + log)) {
            exercise(server);
            assertTrue(server.process.waitFor(30, TimeUnit.SECONDS), "the server ends");
        }
        List<String> lines = Files.readAllLines(log, ISO_8859_1);
        int start = 0;
        while (!lines.get(start).contains(MARKER)) {
            start++;
        }
        List<String> before = lines.subList(0, start);
        List<String> after = lines.subList(start, lines.size());
        Path classes = library.resolve("org/microhttp");
        assertEquals(Set.of(), notIn(loaded(before), classes, ""), "loaded when it serves, or never");
        assertEquals(Set.of(), notIn(initialised(before), classes, "<clinit>"), "not initialised before");
        assertEquals(Set.of(), ours(loaded(after), classes), "loaded when it serves");
    }

    private static void exercise(ServerProcess server) throws IOException {
        for (String message : MESSAGES) {
            try (var client = new RawClient(server.port)) {
                sendAll(client, message);
                client.readUntilItFails();
            }
        }
        exerciseEnds(server);
        assertTrue(server.ask("stats").startsWith("Stats{"));
        try (var idle = new RawClient(server.port); var begun = new RawClient(server.port);
                var pending = new RawClient(server.port); var lingering = new RawClient(server.port)) {
            lingering.send("wrong\r\n\r\n").response();
            idle.get("/").response();
            begun.send("GET / HT");
            pending.get("/pending");
            assertTrue(server.ask("stop").matches("[0-9]+"));
        }
    }

    /** A server that refuses what it has not read may end the connection with a reset. */
    private static void sendAll(RawClient client, String message) {
        try {
            client.send(message);
        } catch (IOException e) {
            // it has answered
        }
    }

    /** Clients that leave in several ways, or stay until their time is over; at last too many of them. */
    private static void exerciseEnds(ServerProcess server) throws IOException {
        for (String begun : List.of("", "GET /", "GET /pending" + X + "\r\n", "GET /large" + X + "\r\n")) {
            new RawClient(server.port).send(begun).reset();
            new RawClient(server.port).send(begun).halfClose().close();
            try (var client = new RawClient(server.port, 4096)) {
                client.send(begun).halfClose();
                client.readUntilItFails();
            }
        }
        var clients = new ArrayList<RawClient>();
        for (int i = 0; i < 10; i++) {
            clients.add(new RawClient(server.port, 4096).send("GET /pending" + X + "\r\n"));
            clients.add(new RawClient(server.port, 4096).send("GET /large" + X + "\r\n"));
            clients.add(new RawClient(server.port).send("GET /"));
            clients.add(new RawClient(server.port));
        }
        // those that are not read are closed by the timeout, and those that are not let in yet come then
        clients.get(clients.size() - 1).readUntilItFails();
        for (RawClient client : clients) {
            client.readUntilItFails();
            client.close();
        }
    }

    private static Set<String> loaded(List<String> lines) {
        return lines.stream().filter(line -> line.contains("[class,load] org.microhttp."))
                .map(line -> line.replaceFirst(".*org\\.microhttp\\.(\\S+) .*", "$1"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> initialised(List<String> lines) {
        return lines.stream().filter(line -> line.contains(" Initializing 'org/microhttp/"))
                .map(line -> line.replaceFirst(".*'org/microhttp/([^']+)'.*", "$1"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Those of the library whose file has that text in it, and which are not among the names. */
    private static Set<String> notIn(Set<String> names, Path classes, String text) throws IOException {
        var missing = new TreeSet<String>();
        for (String name : all(classes)) {
            String code = Files.readString(classes.resolve(name + ".class"), ISO_8859_1);
            boolean wanted = !names.contains(name) && !OF_PROGRAMS.contains(name);
            if (wanted && code.contains(text)) {
                missing.add(name);
            }
        }
        return missing;
    }

    private static Set<String> ours(Set<String> names, Path classes) throws IOException {
        var both = new TreeSet<String>(names);
        both.retainAll(all(classes));
        return both;
    }

    private static Set<String> all(Path classes) throws IOException {
        try (Stream<Path> files = Files.list(classes)) {
            return files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".class"))
                    .map(name -> name.substring(0, name.length() - 6)).collect(Collectors.toSet());
        }
    }
}

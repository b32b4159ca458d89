package org.microhttp.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.microhttp.faults.tools.HeapExhaustionServer;
import org.microhttp.faults.tools.Visitor;
import org.microhttp.testing.RawClient;
import org.microhttp.testing.ServerProcess;
import org.microhttp.testing.Tier;

/**
 * A program whose heap runs out again and again, in the handler and in the library, earlier and later in what
 * they do: the loop lives, who was connected before is served on, everybody gets an answer or an end, and
 * nothing stays counted.
 */
@Tier.Gate
class HeapExhaustionTest {

    private static final int ROUNDS = 16;

    /** Who comes while there is no heap: the JDK forgets a connection if it finds none for its channel. */
    private static final int NEWCOMERS = 3;

    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long MOST_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    /** Of all that was there only the oldest connection is left. */
    private static final String IDLE = "running, 0 bytes, 0 requests, 1 connections, 1 open, 1 keys";

    /** What a client sends while there is heap, while there is none, and when there is some again. */
    private record Scene(String before, String without, String after) { }

    private static final String POST = "POST / HTTP/1.1\r\nHost: x\r\n";
    private static final String UPLOAD = POST.replace("/ ", "/upload ");
    private static final String LARGE = "GET /large HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String STREAM = "GET /stream HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String BODY = "b".repeat(100_000);
    private static final String CHUNK = "3e8\r\n" + "b".repeat(1_000) + "\r\n";
    private static final String HEAD = "GET / HTTP/1.1\r\nHost: x\r\nCookie: " + "c".repeat(15_000);

    private static final List<Scene> SCENES = List.of(
            new Scene("", RawClient.GET, ""),
            new Scene(RawClient.GET, RawClient.GET.repeat(300), ""),
            new Scene("", "GET /eat HTTP/1.1\r\nHost: x\r\n\r\n", RawClient.GET),
            new Scene("", "GET / HTTP/1.1\r\n\r\n", BODY),
            new Scene("", POST + "Content-Length: 100000\r\n\r\n" + BODY, ""),
            new Scene(POST + "Content-Length: 300000\r\n\r\n" + BODY, BODY, BODY),
            new Scene(POST + "Transfer-Encoding: chunked\r\n\r\n" + CHUNK, CHUNK.repeat(200), "0\r\n\r\n"),
            new Scene(HEAD, "c".repeat(15_000), "\r\n\r\n"),
            new Scene("", HEAD + "\r\n", "\r\n"),
            new Scene("G", "ET / HTTP/1.1\r\nHos", "t: x\r\n\r\n"),
            new Scene(POST + "Expect: 100-continue\r\nContent-Length: 5\r\n", "\r\n", "bbbbb"),
            new Scene("GET /pending HTTP/1.1\r\nHost: x\r\n\r\n", RawClient.GET, ""),
            new Scene(LARGE, RawClient.GET, RawClient.GET),
            new Scene(RawClient.GET, LARGE, RawClient.GET),
            new Scene("", UPLOAD + "Content-Length: 100000\r\n\r\n" + BODY, ""),
            new Scene(UPLOAD + "Content-Length: 300000\r\n\r\n" + BODY, BODY, BODY),
            new Scene(UPLOAD + "Transfer-Encoding: chunked\r\n\r\n" + CHUNK, CHUNK.repeat(200), "0\r\n\r\n"),
            new Scene("", STREAM, RawClient.GET),
            new Scene(STREAM, RawClient.GET, STREAM));

    private ServerProcess server;
    private RawClient oldest;

    /** How many connections were made that the server never heard of. */
    private int forgotten;

    @Test
    void livesOnAndLosesNothing() throws Exception {
        ServerProcess.assumePossible();
        // without buffers of their own, threads feel at once that there is no heap
        try (var process = new ServerProcess("ulimit -n 1000", HeapExhaustionServer.class.getName(),
                "-Xmx16m", "-Xmn1m", "-XX:+UseSerialGC", "-XX:-UseTLAB", "-XX:TieredStopAtLevel=1");
                var client = new RawClient(process.port)) {
            server = process;
            oldest = client;
            // classes that cannot be initialized for want of heap stay so: each does its work once before
            run("free", 0);
            long descriptors = descriptors();
            for (int round = 0; round < ROUNDS; round++) {
                run("leave " + (int) (16 * Math.pow(1.9, round)), round);
            }
            long left = descriptors() - descriptors;
            assertTrue(left <= forgotten, left + " descriptors are left, " + forgotten + " forgotten");
        }
    }

    /** Some come; then the server is told to have no heap, or otherwise. */
    private void run(String command, int round) throws IOException {
        var scenes = new ArrayList<Scene>(SCENES);
        Collections.rotate(scenes, round);
        var visitors = new ArrayList<Visitor>();
        for (Scene scene : scenes) {
            visitors.add(new Visitor(server.port).send(scene.before));
        }
        awaitRest(visitors);
        askOldest(command);
        server.ask(command);
        for (int i = 0; i < scenes.size(); i++) {
            visitors.get(i).send(scenes.get(i).without);
        }
        for (Scene scene : scenes.subList(0, NEWCOMERS)) {
            visitors.add(new Visitor(server.port).send(scene.before + scene.without));
        }
        server.ask("answer");
        awaitRest(visitors);
        server.ask("free");
        askOldest(command);
        for (int i = 0; i < visitors.size(); i++) {
            visitors.get(i).send(i < scenes.size() ? scenes.get(i).after : "").leave();
        }
        assertIdle(visitors, command);
    }

    private void askOldest(String command) throws IOException {
        try {
            oldest.send(RawClient.GET).expectOk("ok");
        } catch (IOException | AssertionError e) {
            throw new AssertionError("the oldest connection, " + command + ": " + server.ask("counts"), e);
        }
    }

    /** Waits until the server has nothing to do, for a while at most. */
    private void awaitRest(List<Visitor> visitors) throws IOException {
        long began = System.nanoTime();
        long since = began;
        long used = server.cpuMillis();
        while (System.nanoTime() - since < REST_NANOS && System.nanoTime() - began < MOST_REST_NANOS) {
            LockSupport.parkNanos(REST_NANOS / 20);
            visitors.forEach(Visitor::goOn);
            long now = server.cpuMillis();
            since = now > used ? System.nanoTime() : since;
            used = now;
        }
    }

    /** All but who came without heap get an end; then nothing is left. */
    private void assertIdle(List<Visitor> visitors, String command) throws IOException {
        long began = System.nanoTime();
        String counts = server.ask("counts");
        while (!(counts.equals(IDLE) && waiting(visitors) == 0) && System.nanoTime() - began < LIMIT_NANOS) {
            LockSupport.parkNanos(1_000_000);
            server.ask("answer");
            visitors.forEach(Visitor::goOn);
            counts = server.ask("counts");
        }
        assertEquals(IDLE + ", 0 wait", counts + ", " + waiting(visitors) + " wait", command);
        for (Visitor visitor : visitors) {
            forgotten += visitor.ended ? 0 : 1;
            visitor.close();
        }
    }

    /** How many of those who came while there was heap have neither answer nor end. */
    private static long waiting(List<Visitor> visitors) {
        return visitors.stream().limit(SCENES.size()).filter(visitor -> !visitor.ended).count();
    }

    private long descriptors() throws IOException {
        try (var files = Files.list(Path.of("/proc/" + server.process.pid() + "/fd"))) {
            return files.count();
        }
    }
}

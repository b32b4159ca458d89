package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.params.provider.EnumSource.Mode.EXCLUDE;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.StandardSocketOptions;
import java.util.*;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.EventLoopGroup;
import org.microhttp.Options;
import org.microhttp.testing.*;

/** Several loops share the connections, and the limits; with a shared port and without. */
class GroupSharingTest {

    private static final int LOOPS = 8;
    private static final String FIRST = "microhttp-0";

    private static TestServer group(ServerKind kind) throws IOException {
        return group(kind, TestServer.options(), LOOPS);
    }

    private static TestServer group(ServerKind kind, Options options, int loops) throws IOException {
        return new TestServer(kind, options, TestServer::nameThread, loops);
    }

    private static void assertEven(TestServer server, Map<String, Integer> counts) {
        assertEquals(server.threadNames(), counts.keySet());
        int fullest = Collections.max(counts.values());
        assertTrue(fullest <= 2 * Collections.min(counts.values()), counts::toString);
    }

    private static List<RawClient> connect(TestServer server, int count) throws IOException {
        var clients = new ArrayList<RawClient>();
        for (int i = 0; i < count; i++) {
            clients.add(server.connect());
        }
        return clients;
    }

    /** How many of the connections each thread has; one stays on its loop. */
    private static TreeMap<String, Integer> count(List<RawClient> clients) throws IOException {
        for (RawClient client : clients) {
            client.get("/").get("/");
        }
        var counts = new TreeMap<String, Integer>();
        for (RawClient client : clients) {
            String thread = client.response().text();
            assertEquals(thread, client.response().text());
            counts.merge(thread, 1, Integer::sum);
        }
        return counts;
    }

    /** Whether they come one by one, at once, or after others have gone. */
    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "LOOP")
    void spreadsConnections(ServerKind kind) throws Exception {
        try (var server = group(kind)) {
            var byLoop = new HashMap<String, List<RawClient>>();
            var counts = new HashMap<String, Integer>();
            for (int i = 0; i < 64; i++) {
                RawClient client = server.connect();
                String thread = client.get("/").response().text();
                byLoop.computeIfAbsent(thread, name -> new ArrayList<>()).add(client);
                counts.merge(thread, 1, Integer::sum);
            }
            assertEven(server, counts);
            var kept = new ArrayList<RawClient>();
            for (List<RawClient> clients : byLoop.values()) {
                int keep = kept.size() < 32 ? clients.size() : 1;
                kept.addAll(clients.subList(0, keep));
                for (RawClient client : clients.subList(keep, clients.size())) {
                    client.close();
                }
            }
            int closed = 64 - kept.size();
            server.awaitEvent("close", closed);
            // a loop that answers no longer counts what it has closed
            count(kept);
            kept.addAll(connect(server, closed));
            assertEven(server, count(kept));
            List<Integer> ids = server.log.events().stream().filter(e -> e.name().equals("accept"))
                    .map(e -> Integer.valueOf(e.value("id"))).sorted().toList();
            assertEquals(IntStream.range(0, 64 + closed).boxed().toList(), ids);
        }
    }

    @Test
    void runsTheFirstLoopOnTheCallingThreadAndNamesTheOthers() throws Exception {
        try (var server = group(ServerKind.GROUP)) {
            for (String name : server.threadNames()) {
                server.connectTo(name);
            }
            assertSame(server.thread, TestServer.threads(FIRST).get(0));
        }
    }

    @Test
    void hasALoopForEachProcessorByDefault() throws Exception {
        var log = new RecordingLogger();
        try (var socket = new ServerSocket()) {
            assumeTrue(socket.supportedOptions().contains(StandardSocketOptions.SO_REUSEPORT),
                    "ports cannot be shared here");
        }
        new EventLoopGroup(TestServer.options(), log, TestServer::echoTarget).close();
        assertEquals(Runtime.getRuntime().availableProcessors(), log.count("listen"));
        new EventLoopGroup(TestServer.options(), TestServer::echoTarget).close();
    }

    @Test
    void hasOneToAThousandLoops() throws Exception {
        for (int size : new int[] {Integer.MIN_VALUE, -1, 0, 1025, Integer.MAX_VALUE}) {
            var thrown = assertThrows(IllegalArgumentException.class, () -> group(ServerKind.GROUP,
                    TestServer.options(), size));
            assertEquals("size is " + size + "; allowed: 1 to 1024", thrown.getMessage());
        }
        group(ServerKind.GROUP, TestServer.options(), 1).close();
    }
}

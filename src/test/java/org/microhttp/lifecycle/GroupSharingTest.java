package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.params.provider.EnumSource.Mode.EXCLUDE;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.StandardSocketOptions;
import java.util.*;
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

    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "LOOP")
    void spreadsConnectionsThatComeOneByOne(ServerKind kind) throws Exception {
        try (var server = group(kind)) {
            var counts = new HashMap<String, Integer>();
            for (int i = 0; i < 64; i++) {
                counts.merge(server.connect().get("/").response().text(), 1, Integer::sum);
            }
            assertEven(server, counts);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "LOOP")
    void spreadsABurstOfConnects(ServerKind kind) throws Exception {
        try (var server = group(kind)) {
            var clients = new ArrayList<RawClient>();
            for (int i = 0; i < 64; i++) {
                clients.add(server.connect());
            }
            for (RawClient client : clients) {
                client.get("/");
            }
            assertEven(server, TestServer.count(clients));
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "LOOP")
    void fillsTheLoopsUpFromWhichConnectionsHaveGone(ServerKind kind) throws Exception {
        try (var server = group(kind)) {
            var byLoop = new HashMap<String, List<RawClient>>();
            for (int i = 0; i < 64; i++) {
                RawClient client = server.connect();
                String thread = client.get("/").response().text();
                byLoop.computeIfAbsent(thread, name -> new ArrayList<>()).add(client);
            }
            var kept = new ArrayList<RawClient>();
            for (List<RawClient> clients : byLoop.values()) {
                int keep = kept.size() < 32 ? clients.size() : 1;
                kept.addAll(clients.subList(0, keep));
                for (RawClient client : clients.subList(keep, clients.size())) {
                    client.close();
                }
            }
            server.awaitEvent("close", 64 - kept.size());
            // a loop that answers no longer counts what it has closed
            for (RawClient client : kept) {
                client.get("/").response();
            }
            while (kept.size() < 64) {
                kept.add(server.connect());
            }
            for (RawClient client : kept) {
                client.get("/");
            }
            assertEven(server, TestServer.count(kept));
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
    void hasALoopForEachProcessorUnlessTold() throws Exception {
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
    void hasOneToATousandLoops() throws Exception {
        for (int size : new int[] {Integer.MIN_VALUE, -1, 0, 1025, Integer.MAX_VALUE}) {
            var thrown = assertThrows(IllegalArgumentException.class, () -> group(ServerKind.GROUP,
                    TestServer.options(), size));
            assertEquals("size is " + size + "; allowed: 1 to 1024", thrown.getMessage());
        }
        group(ServerKind.GROUP, TestServer.options(), 1).close();
    }

    @Test
    void keepsAConnectionOnItsLoop() throws Exception {
        try (var server = group(ServerKind.GROUP)) {
            RawClient client = server.connect();
            String thread = client.get("/").response().text();
            for (int i = 0; i < 20; i++) {
                server.connect().get("/").response();
                client.get("/").expectOk(thread);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "LOOP")
    void acceptsAgainWhenAConnectionOfAnotherLoopCloses(ServerKind kind) throws Exception {
        var options = TestServer.options().withMaxConnections(4);
        try (var server = group(kind, options, 4)) {
            var clients = new ArrayList<RawClient>();
            var loops = new HashMap<RawClient, String>();
            for (int i = 0; i < 4; i++) {
                clients.add(server.connect().get("/"));
                loops.put(clients.get(i), clients.get(i).response().text());
            }
            for (int round = 0; round < 12; round++) {
                RawClient next = server.connect().get("/");
                assertEquals("", next.readWithin(50), "a fifth connection is served");
                // without a shared port the first loop, which accepts, keeps its connection
                RawClient closed = clients.stream().filter(c -> !loops.get(c).equals(FIRST))
                        .findFirst().orElseThrow();
                clients.remove(closed);
                closed.close();
                loops.put(next, next.response().text());
                clients.add(next);
            }
            assertEquals(4, server.itself.stats().connections());
        }
    }

    /** Loops that look for more take no place from each other while they look. */
    @Test
    void letsAsManyInAsItMayWhenAllComeAtOnce() throws Exception {
        var options = TestServer.options().withMaxConnections(6);
        try (var server = group(ServerKind.GROUP, options, 4)) {
            for (int round = 0; round < 300; round++) {
                var clients = new ArrayList<RawClient>();
                for (int i = 0; i < 6; i++) {
                    clients.add(server.connect());
                }
                for (RawClient client : clients) {
                    client.get("/");
                }
                for (RawClient client : clients) {
                    assertNotEquals("", client.readWithin(10_000), "not accepted, in round " + round);
                }
                for (RawClient client : clients) {
                    client.close();
                }
                server.log.await("close", 6 * round + 6);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "LOOP")
    void servesTheOtherLoopsWhileAHandlerIsSlow(ServerKind kind) throws Exception {
        var handler = new HoldingHandler(TestServer::nameThread);
        try (var server = new TestServer(kind, TestServer.options(), handler, 2)) {
            RawClient slow = server.connectTo("microhttp-1");
            RawClient quick = server.connectTo(FIRST);
            slow.get("/block");
            TestServer.await(handler.blocks);
            for (int i = 0; i < 100; i++) {
                quick.get("/quick").expectOk(FIRST);
            }
            handler.released.countDown();
            slow.expectOk("microhttp-1");
        }
    }

    @Test
    void givesEveryConnectionItsOwnNumber() throws Exception {
        try (var server = group(ServerKind.GROUP)) {
            for (int i = 0; i < 32; i++) {
                server.connect().get("/").response();
            }
            var ids = server.log.events().stream().filter(e -> e.name().equals("accept"))
                    .map(e -> Integer.valueOf(e.value("id"))).sorted().toList();
            assertEquals(32, ids.size());
            assertEquals(32, Set.copyOf(ids).size());
            assertEquals(31, ids.get(31));
        }
    }
}

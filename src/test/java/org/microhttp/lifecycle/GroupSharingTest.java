package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.TestGroup;
import org.microhttp.tools.TestServer;

/** Several loops share the connections, and the limits; with a shared port and without. */
class GroupSharingTest {

    private static final int LOOPS = 8;

    private static TestGroup group(boolean sharing) throws IOException {
        return new TestGroup(TestServer.options(), TestGroup::nameThread, LOOPS, sharing);
    }

    private static void assertEven(Map<String, Integer> counts) {
        var names = new TreeSet<>(Set.of(TestGroup.FIRST));
        for (int i = 1; i < LOOPS; i++) {
            names.add("microhttp-" + i);
        }
        assertEquals(names, counts.keySet());
        int fullest = Collections.max(counts.values());
        assertTrue(fullest <= 2 * Collections.min(counts.values()), counts::toString);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void spreadsConnectionsThatComeOneByOne(boolean sharing) throws Exception {
        try (var server = group(sharing)) {
            var counts = new HashMap<String, Integer>();
            for (int i = 0; i < 64; i++) {
                counts.merge(server.connect().get("/").response().text(), 1, Integer::sum);
            }
            assertEven(counts);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void spreadsABurstOfConnects(boolean sharing) throws Exception {
        try (var server = group(sharing)) {
            var clients = new ArrayList<RawClient>();
            for (int i = 0; i < 64; i++) {
                clients.add(server.connect());
            }
            for (RawClient client : clients) {
                client.get("/");
            }
            assertEven(TestGroup.count(clients));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void fillsTheLoopsUpFromWhichConnectionsHaveGone(boolean sharing) throws Exception {
        try (var server = group(sharing)) {
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
            server.awaitClosed(64 - kept.size(), kept);
            while (kept.size() < 64) {
                kept.add(server.connect());
            }
            for (RawClient client : kept) {
                client.get("/");
            }
            assertEven(TestGroup.count(kept));
        }
    }

    @Test
    void keepsAConnectionOnItsLoop() throws Exception {
        try (var server = group(true)) {
            RawClient client = server.connect();
            String thread = client.get("/").response().text();
            for (int i = 0; i < 20; i++) {
                server.connect().get("/").response();
                client.get("/").expectOk(thread);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void acceptsAgainWhenAConnectionOfAnotherLoopCloses(boolean sharing) throws Exception {
        var options = TestServer.options().withMaxConnections(4);
        try (var server = new TestGroup(options, TestGroup::nameThread, 4, sharing)) {
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
                RawClient closed = clients.stream().filter(c -> !loops.get(c).equals(TestGroup.FIRST))
                        .findFirst().orElseThrow();
                clients.remove(closed);
                closed.close();
                loops.put(next, next.response().text());
                clients.add(next);
            }
            assertEquals(4, server.group.stats().connections());
        }
    }

    /** Loops that look for more take no place from each other while they look. */
    @Test
    void letsAsManyInAsItMayWhenAllComeAtOnce() throws Exception {
        var options = TestServer.options().withMaxConnections(6);
        try (var server = new TestGroup(options, TestGroup::nameThread, 4, true)) {
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
    @ValueSource(booleans = {true, false})
    void boundsWhatAllLoopsKeepTogether(boolean sharing) throws Exception {
        var options = TestServer.options().withMaxRequestSize(100_000).withMaxBufferedBytes(150_000)
                .withReadBufferSize(4096);
        String post = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99000\r\n\r\n";
        try (var server = new TestGroup(options, TestGroup::nameThread, 2, sharing)) {
            RawClient one = server.connect();
            String thread = one.get("/").response().text();
            one.send(post).send(new byte[60_000]);
            awaitBytesIn(server, 60_000);
            RawClient two = server.connectApartFrom(thread);
            two.send(post).send(new byte[98_999]);
            two.expectRefusal(503, "out_of_buffers");
            one.send(new byte[39_000]).expectOk(thread);
        }
    }

    private static void awaitBytesIn(TestGroup server, int bytes) {
        for (int number = 1; server.group.stats().bytesIn() < bytes; number++) {
            server.log.await("read_bytes", number);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void servesTheOtherLoopsWhileAHandlerIsSlow(boolean sharing) throws Exception {
        var called = new CountDownLatch(1);
        var blocked = new CountDownLatch(1);
        try (var server = new TestGroup(TestServer.options(), (request, callback) -> {
            if (request.uri().equals("/slow")) {
                called.countDown();
                await(blocked);
            }
            TestGroup.nameThread(request, callback);
        }, 2, sharing)) {
            RawClient slow = server.connectApartFrom(TestGroup.FIRST);
            RawClient quick = server.connectApartFrom("microhttp-1");
            slow.get("/slow");
            assertTrue(called.await(30, TimeUnit.SECONDS));
            for (int i = 0; i < 100; i++) {
                quick.get("/quick").expectOk(TestGroup.FIRST);
            }
            blocked.countDown();
            slow.expectOk("microhttp-1");
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("nobody let it go");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void givesEveryConnectionItsOwnNumber() throws Exception {
        try (var server = group(true)) {
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

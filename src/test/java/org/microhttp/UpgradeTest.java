package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.util.*;
import java.util.stream.Stream;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.simulation.network.*;

/**
 * A connection that a response switches to another protocol (RFC 9110 §7.8): first the scripts, then what no
 * script can say.
 */
class UpgradeTest extends ConnectionFixture {

    private static final String ASKS =
            "GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n";

    private final ScriptedPublisher outgoing = new ScriptedPublisher();
    private final ScriptedReceiver incoming = ScriptedReceiver.requesting(Long.MAX_VALUE);
    private int released;

    @BeforeEach
    void start() throws IOException {
        start((request, callback) -> callback.accept(response()));
    }

    @TestFactory
    Stream<DynamicTest> scripts() {
        return Script.tests("upgrades.txt");
    }

    private Response response() {
        Response response = Response.upgrade("echo", List.of(), outgoing, incoming);
        return response.withBody(response.body().onReleased(() -> released++));
    }

    /** A turn, and what tasks come of it. */
    private void turn(String text) {
        client.turn(text);
        loop.runTasks();
    }

    /** A switch is counted at once, and not among the responses by class. */
    @Test
    void switchesAndRefusalsAreCounted() {
        turn(ASKS.replace("Upgrade: echo", "Upgrade: other"));
        turn(ASKS);
        client.expect(ConnectionState.UPGRADED);
        Stats stats = GroupContext.sum(loop.context);
        assertEquals(Map.of("bad_upgrade", 1L), stats.refusals());
        assertEquals(List.of(2L, 0L, 1L), List.of(stats.served(), stats.refused(), stats.upgrades()));
        assertEquals(1, stats.responses().values().stream().mapToLong(n -> n).sum());
    }

    @Test
    void aWrapperCanAddAField() throws IOException {
        start(((Handler) (request, callback) -> callback.accept(response()))
                .andThen((request, response) -> response.withHeader("Z", "z")));
        turn(ASKS);
        client.expect("HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nZ: z\r\n"
                + "Connection: upgrade\r\n\r\n");
    }

    @Test
    void hasNoOtherStatus() {
        Response response = response();
        assertEquals(101, response.status());
        assertEquals("echo", response.header("Upgrade"));
        var headers = List.<Header>of();
        assertThrows(IllegalArgumentException.class, () -> new Response(200, headers, response.body()));
        assertThrows(IllegalArgumentException.class, () -> new Response(101, headers, new byte[0]));
        assertThrows(NullPointerException.class, () -> Response.upgrade("echo", headers, null, incoming));
        assertThrows(NullPointerException.class, () -> Response.upgrade("echo", headers, outgoing, null));
    }

    private Response spoil(String how, Request request) {
        return switch (how) {
            case "no Upgrade" -> response().withoutHeader("Upgrade");
            case "no fields" -> response().withoutHeader("Connection").withoutHeader("upgrade");
            case "other response" -> new Response(101, List.of(), response().body());
            default -> {
                Arrays.fill(request.head.fields(), (byte) 0);
                yield response();
            }
        };
    }

    /** Whatever keeps a response from being made, it is a whole 500, and the connection speaks HTTP on. */
    @ParameterizedTest
    @CsvSource({"no Upgrade, true", "no Upgrade, false", "no fields, true", "no fields, false",
        "other response, true", "other response, false", "unreadable request, true",
        "unreadable request, false"})
    void invalidUpgradeResponseIsA500(String how, boolean inline) throws IOException {
        start((request, callback) -> {
            Response spoilt = spoil(how, request);
            if (inline) {
                callback.accept(spoilt);
            } else {
                elsewhere(() -> callback.accept(spoilt));
            }
        });
        turn(ASKS);
        String received = client.received();
        assertTrue(received.startsWith("HTTP/1.1 500 "));
        assertTrue(received.contains("\r\nContent-Length: "));
        assertLogged(1, "handler_error");
        assertEquals(1, released);
        assertEquals(0, outgoing.subscribers.size());
        assertEquals("", "" + incoming.signals);
        turn(get("/later"));
        assertEquals(1, loop.later.size());
    }

    @Test
    void anErrorOfTheResetReleasesEverything() {
        loop.context.connectionCount.set(1);
        turn(ASKS);
        loop.machine.observe(new Witness() {
            @Override
            public void strikeOrFail(Call call, Peer peer) {
                if (call == Call.SET_OPTION) throw new OutOfMemoryError("wanted");
            }
        });
        client.connection.free();
        client.expectClosed();
        assertLogged(1, "connection_error");
        assertEquals(List.of(1, 1), List.of(released, outgoing.cancels));
        assertEquals("(!", "" + incoming.signals);
        assertEquals(0, loop.context.connectionCount.get());
        assertEquals(1, GroupContext.sum(loop.context).closed());
    }

    @Test
    void signalsThatNobodyRequestedAreNoTasks() {
        turn(ASKS);
        for (int i = 0; i < 10_000; i++) {
            outgoing.next("x");
            outgoing.complete();
            incoming.subscription.request(0);
        }
        int tasks = 0;
        while (!loop.context.tasks.isEmpty()) {
            loop.context.tasks.run(1);
            tasks++;
        }
        assertTrue(tasks < 50, tasks + " tasks");
    }
}

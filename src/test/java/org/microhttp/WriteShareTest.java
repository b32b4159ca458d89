package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.GivenBodies.Kind;
import org.microhttp.testing.TestServer;

/**
 * R34: one turn of the loop writes so many bytes at most, however many connections are ready and whatever
 * their bodies are. Small answers do not wait for large ones, and those who wait go on in a fair order. All
 * clients read as fast as the server writes.
 */
class WriteShareTest extends ConnectionFixture {

    private static final int LENGTH = GivenBodies.LONGEST;
    private static final int SMALL = 15_000;
    private static final int SMALL_PER_TURN = 4 << 20;
    private static final int LARGE_PER_TURN = 1 << 20;

    @TempDir
    static Path folder;

    private final List<ScriptedLoop.Client> clients = new ArrayList<>();

    private int calls;

    @BeforeEach
    void startServer() throws IOException {
        startServer(new Options());
    }

    private void startServer(Options options) throws IOException {
        var bodies = new GivenBodies(folder);
        start(options, (request, callback) -> {
            calls++;
            callback.accept(Bodies.response(switch (request.target()) {
                case "/small" -> bodies.give(Kind.ARRAY, 0, SMALL);
                case "/STREAM" -> Body.of(BodyPublishers.ofString(GivenBodies.text(0, LENGTH)), LENGTH);
                default -> bodies.give(Kind.valueOf(request.target().substring(1)), 0, LENGTH);
            }));
        });
    }

    /** Connects clients that request this. */
    private List<ScriptedLoop.Client> connect(int count, String target) throws IOException {
        var some = new ArrayList<ScriptedLoop.Client>();
        for (int i = 0; i < count; i++) {
            some.add(loop.connect());
            some.get(i).channel.send(get(target));
        }
        clients.addAll(some);
        return some;
    }

    /** A turn in which these are ready; returns how much is written to all. */
    private long turn(List<ScriptedLoop.Client> ready) {
        long before = written();
        loop.turn(ready);
        return written() - before;
    }

    private long written() {
        return clients.stream().mapToLong(client -> client.channel.length()).sum();
    }

    private void finish() {
        while (loop.context.shares.isAwaited()) {
            turn(List.of());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTurnIsBoundedAndFairAndSmallAnswersDoNotWait(Kind kind) throws Exception {
        var ready = connect(30, "/" + kind);
        var large = List.copyOf(ready);
        int turns = 0;
        while (turns == 0 || loop.context.shares.isAwaited()) {
            var small = connect(5, "/small");
            ready.addAll(small);
            long count = turn(ready);
            small.forEach(client -> client.expect(ok(GivenBodies.text(0, SMALL))));
            assertTrue(count <= LARGE_PER_TURN + 5 * (SMALL + 200), count + " bytes in a turn");
            int least = large.stream().mapToInt(client -> client.channel.length()).min().orElse(0);
            int most = large.stream().mapToInt(client -> client.channel.length()).max().orElse(0);
            assertTrue(turns < 30 || least > 0, "one is starved");
            assertTrue(most - least <= LARGE_PER_TURN + 200, "of two one has " + (most - least) + " more");
            ready.clear();
            turns++;
        }
        large.forEach(client -> client.expect(ok(GivenBodies.text(0, LENGTH))));
    }

    @Test
    void aTurnIsBoundedForStreams() throws Exception {
        var ready = connect(30, "/STREAM");
        while (written() < 30L * LENGTH) {
            long count = turn(ready);
            ready.clear();
            long before = written();
            loop.runTasks();
            assertTrue(count <= LARGE_PER_TURN, count + " bytes in a turn");
            assertTrue(written() - before <= LARGE_PER_TURN, "more in a turn of tasks");
        }
        clients.forEach(client -> client.expect(ok(GivenBodies.text(0, LENGTH))));
    }

    /** Those who come later, though they are ready at the beginning of a turn, do not come first. */
    @Test
    void smallAnswersWaitForEachOtherInOrder() throws Exception {
        var first = connect(300, "/small");
        assertTrue(turn(first) <= SMALL_PER_TURN);
        var later = connect(300, "/small");
        assertTrue(turn(later) <= SMALL_PER_TURN);
        first.forEach(client -> client.expect(ok(GivenBodies.text(0, SMALL))));
        assertTrue(later.stream().anyMatch(client -> client.channel.length() == 0));
        finish();
        later.forEach(client -> client.expect(ok(GivenBodies.text(0, SMALL))));
    }

    /** Bodies in the heap are made no faster than they are sent; others need no memory while they wait. */
    @ParameterizedTest
    @EnumSource
    void bodiesThatWaitInTheHeapAreBounded(Kind kind) throws Exception {
        int most = 5;
        loop.close();
        startServer(new Options().withMaxRequestSize(LENGTH).withMaxBufferedBytes(most * LENGTH));
        var ready = connect(30, "/" + kind);
        turn(ready);
        boolean bounded = kind == Kind.ARRAY;
        assertEquals(bounded ? most + 2 : 30, calls);
        while (written() < 30L * LENGTH) {
            ready.removeIf(client -> !client.channel.isUnread());
            turn(ready);
        }
        finish();
        clients.forEach(client -> client.expect(ok(GivenBodies.text(0, LENGTH))));
        assertEquals(0, loop.context.shares.inLine);
        clients.forEach(client -> client.channel.send(get("/" + kind)));
        turn(clients);
        clients.forEach(client -> client.connection.free());
        assertEquals(0, loop.context.shares.inLine);
    }

    @Test
    void lateAnswersInTheHeapAreWrittenBeforeTooManyWait() throws Exception {
        int most = 5;
        loop.close();
        startServer(new Options().withMaxRequestSize(LENGTH).withMaxBufferedBytes(most * LENGTH));
        turn(connect(30, "/later"));
        String text = GivenBodies.text(0, LENGTH);
        loop.later.forEach(callback -> callback.accept(TestServer.ok(text)));
        loop.context.tasks.run(Integer.MAX_VALUE);
        long inLine = loop.context.shares.inLine;
        assertTrue(inLine <= (most + 1) * LENGTH, inLine + " bytes in line");
        finish();
        clients.forEach(client -> client.expect(ok(text)));
    }

    /** A client that waits is not to blame for that, and its selector does not report it meanwhile. */
    @Test
    void theTimeOfAClientStandsStillWhileItWaits() throws Exception {
        turn(connect(9, "/ARRAY"));
        var last = clients.get(8);
        assertEquals(0, last.channel.length());
        assertEquals(0, last.interest());
        loop.passTime(Duration.ofMinutes(10));
        last.channel.room = 0;
        finish();
        loop.passTime(Duration.ofSeconds(50));
        last.channel.room = Integer.MAX_VALUE;
        last.expectOpen().drain();
        clients.forEach(client -> client.expect(ok(GivenBodies.text(0, LENGTH))));
    }

    /** Its time was over before it came to wait, but so it was when its socket took more again. */
    @Test
    void aClientThatReadsAgainGetsAWriteBeforeItsTimeIsOver() throws Exception {
        var late = connect(1, "/ARRAY").get(0);
        late.channel.take(1_000);
        turn(List.of(late));
        late.channel.take(0);
        loop.turn(connect(9, "/ARRAY"));
        finish();
        assertEquals(1_000, late.channel.length());
        loop.blockFor(Duration.ofMinutes(10));
        var ready = connect(9, "/ARRAY");
        ready.add(late);
        turn(ready);
        assertEquals(1_000, late.channel.length());
        loop.passTime(Duration.ZERO);
        finish();
        late.drain().expect(ok(GivenBodies.text(0, LENGTH)));
    }

    /** A socket that is closed with unread input is reset, and the client may lose its last answer. */
    @Test
    void inputThatComesWhileAClientWaitsCostsNoAnswer() throws Exception {
        var ready = connect(300, "/small");
        var late = loop.connect();
        late.channel.send(closing("/small"));
        ready.add(late);
        turn(ready);
        assertEquals(0, late.channel.length());
        late.channel.send(get("/more"));
        finish();
        late.expect(lastOk(GivenBodies.text(0, SMALL))).expect(ConnectionState.LINGERING);
        assertFalse(late.channel.isUnread());
    }

    @Test
    void clientsThatHaveLeftHoldUpNobody() throws Exception {
        turn(connect(20, "/DIRECT"));
        clients.subList(1, 18).forEach(client -> client.connection.free());
        turn(List.of());
        turn(List.of());
        assertFalse(loop.context.shares.isAwaited());
        clients.get(19).expect(ok(GivenBodies.text(0, LENGTH)));
    }
}

package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.Arguments;
import org.microhttp.GivenBodies.Kind;

/**
 * What tests of queued bodies share: a client whose socket takes as much as a test says, and after every turn
 * the check that the connection holds no more than it may. A request for /N is answered with body N.
 */
abstract class QueuedBodiesFixture extends ConnectionFixture {

    static final int BUFFER = 64 * 1024;
    static final int[] LENGTHS = {100, 20_000, BUFFER - 100, BUFFER, 70_000, 4 * BUFFER};
    private static final int MOST_FILES = 8;

    @TempDir
    static Path folder;

    /** How a client ends that has not read everything. */
    enum End { RESET, TIMEOUT, STOPPED_SERVER }

    GivenBodies bodies;

    /** Noted in the handler, where an exception would only be answered with 500. */
    private final List<String> wrong = new ArrayList<>();

    @BeforeEach
    void makeBodies() throws IOException {
        bodies = new GivenBodies(folder);
    }

    /** Starts with a client that reads nothing. */
    void start(Options options, Kind kind, int length) throws IOException {
        start(options, (request, callback) -> {
            checkMayTakeRequest(true);
            callback.accept(response(kind, Integer.parseInt(request.target().substring(1)), length));
        });
        client.channel.room = 0;
    }

    void start(Kind kind, int length) throws IOException {
        start(new Options(), kind, length);
    }

    Response response(Kind kind, int number, int length) {
        return Bodies.response(bodies.give(kind, number, length));
    }

    /** The answer with body N, as it is sent without its date. */
    static String answer(int number, int length) {
        return ok(GivenBodies.text(number, length));
    }

    static String requests(int count) {
        return String.join("", IntStream.range(0, count).mapToObj(number -> get("/" + number)).toList());
    }

    /**
     * No request is taken while more is queued than the write buffer holds, or eight files are. A last body
     * that the client does not get is not counted.
     */
    void checkMayTakeRequest(boolean lastIsSent) {
        long queued = bodies.heldBytes() - (lastIsSent ? 0 : bodies.lastHeldBytes());
        if (queued > BUFFER) wrong.add("a request is taken while " + queued + " bytes are queued");
        long files = bodies.openFiles();
        if (files >= MOST_FILES) wrong.add("a request is taken while " + files + " files are queued");
    }

    /** Between turns every body in memory but the largest is charged, and few files are open. */
    void checkHeld() {
        long uncharged = bodies.heldBytesButTheLargest() - charged();
        assertTrue(uncharged <= 0, () -> uncharged + " bytes of bodies are not charged");
        assertTrue(bodies.openFiles() <= MOST_FILES, () -> bodies.openFiles() + " files are open");
        assertEquals(List.of(), wrong);
    }

    private long charged() {
        return Inside.used(loop.context.group.bytes);
    }

    void send(String text) {
        client.turn(text);
        loop.runTasks();
        checkHeld();
    }

    /** A turn in which each write takes at most so many bytes. */
    void turn(int room) {
        client.channel.room = room;
        if (client.isWriting()) client.turn();
        loop.runTasks();
        checkHeld();
    }

    /** As many turns as it takes until nothing waits to be sent. */
    void drain(int room) {
        while (client.isWriting()) {
            int before = client.channel.length();
            turn(room);
            assertTrue(client.channel.length() > before, "nothing is sent, though the client reads");
        }
    }

    /** Some turns in which the client reads nothing: then no request is taken. */
    void readNothing() {
        int given = bodies.count();
        for (int i = 0; i < 5; i++) {
            turn(0);
        }
        assertEquals(given, bodies.count(), "requests are taken though nothing is read");
    }

    void end(End end) {
        client.channel.room = 0;
        switch (end) {
            case RESET -> reset(client);
            case TIMEOUT -> client.timeOut();
            case STOPPED_SERVER -> client.connection.free();
        }
        client.expectClosed();
    }

    @AfterEach
    void everyBodyIsReleasedOnce() {
        assertEquals(List.of(), bodies.notReleasedOnce());
        assertEquals(0, bodies.openFiles());
        assertEquals(0, charged(), "the budget is full again");
        assertEquals(List.of(), wrong);
        assertLogged(0, "handler_error");
    }

    static Stream<Arguments> kindsAndLengths() {
        return Stream.of(Kind.values()).flatMap(kind -> IntStream.of(LENGTHS)
                .mapToObj(length -> Arguments.of(kind, length)));
    }

    static Stream<Arguments> kindsLengthsAndEnds() {
        return with((Object[]) End.values());
    }

    /** Every kind and length with each of these. */
    static Stream<Arguments> with(Object... others) {
        return kindsAndLengths().flatMap(some -> Stream.of(others)
                .map(other -> Arguments.of(some.get()[0], some.get()[1], other)));
    }
}

package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;
import static org.microhttp.ConnectionState.*;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.*;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.microhttp.tools.TestServer;

/** The drawing in the comment of the class: every edge can be taken, for each of the reasons beside it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConnectionStateTest extends ConnectionFixture {

    private static final String GET = get("/");
    private static final String LATER = get("/later");
    private static final String LARGE = get("/large");
    private static final String LAST = closing("/");
    private static final String FILE = get("/file");
    private static final String WRONG = "wrong\r\n";
    private static final String EXPECTING =
            "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n";

    /** More than a turn takes. */
    private static final String MANY = GET.repeat(129);

    /** Of ten bytes. */
    private FileChannel file;

    /** What a client, or another thread, or the time does to a connection. */
    private interface Act {

        void play() throws Exception;

        default Act then(Act next) {
            return () -> {
                play();
                next.play();
            };
        }
    }

    /** A way over an edge: what comes before, and the turn in which it is taken. */
    private record Scene(DrawnEdges.Edge edge, String reason, Act before, Act turn) {

        @Override
        public String toString() {
            return edge + " " + reason;
        }
    }

    @BeforeEach
    void start() throws IOException {
        file = Bodies.file("in a file!");
        start(new Options().withMaxPendingRequests(1), this::handle);
    }

    private void handle(Request request, Consumer<Response> callback) {
        switch (request.uri()) {
            case "/large" -> callback.accept(TestServer.ok("x".repeat(100_000)));
            case "/file" -> callback.accept(Bodies.response(Body.of(file, 0, 10)));
            case "/short" -> callback.accept(Bodies.response(Body.of(file, 0, 100_000)));
            case "/fail" -> throw new IllegalStateException("wanted");
            case "/reset" -> {
                client.channel.reset();
                callback.accept(TestServer.ok("never read"));
            }
            default -> callback.accept(TestServer.ok(request.uri()));
        }
    }

    private Act read(String text) {
        return () -> client.turn(text);
    }

    private final Act ready = () -> client.turn();
    private final Act timeOut = () -> client.timeOut();
    private final Act tasks = () -> loop.runTasks();
    private final Act answer = () -> loop.later.get(0).accept(TestServer.ok("later"));
    private final Act fullSocket = () -> client.channel.room = 0;
    private final Act emptySocket = () -> client.channel.room = Integer.MAX_VALUE;
    private final Act clientEnds = () -> client.channel.end();
    private final Act fileIsClosed = () -> file.close();
    private final Act reset = () -> client.channel.reset();
    private final Act leave = () -> loop.leave();
    private final Act loopEnds = () -> Inside.of(client, Connection.class).free();

    /** Another client's request is in the handler's hands, and there is a place for one. */
    private final Act overload = () -> loop.connect().turn(LATER);
    private final Act noMemory = () -> {
        Budget bytes = loop.context.group.bytes;
        assertTrue(bytes.tryTake(bytes.limit - Inside.used(bytes)));
    };

    private static Scene scene(ConnectionState from, ConnectionState to, String reason, Act before,
            Act turn) {
        return new Scene(new DrawnEdges.Edge(from, to), reason, before, turn);
    }

    private static Scene scene(ConnectionState from, ConnectionState to, String reason, Act turn) {
        return scene(from, to, reason, () -> { }, turn);
    }

    private Stream<Scene> whileReceiving() {
        return Stream.of(
                scene(IDLE, READING, "some of a request", read("GET")),
                scene(IDLE, HANDLING, "a request", read(GET)),
                scene(IDLE, ANSWERED, "refused", read(WRONG)),
                scene(IDLE, YIELDING, "more than a turn takes", read(MANY)),
                scene(IDLE, WRITING, "full socket", fullSocket, read(GET)),
                scene(IDLE, ENDING, "the client has ended", clientEnds, ready),
                scene(READING, IDLE, "an empty line", read("\r"), read("\n")),
                scene(READING, HANDLING, "complete", read("G"), read(GET.substring(1))),
                scene(READING, ANSWERED, "refused", read("w"), read(WRONG.substring(1))),
                scene(READING, ANSWERED, "cut off", read("w").then(clientEnds), ready),
                scene(READING, ANSWERED, "time is over", read("w"), timeOut),
                scene(READING, WRITING, "full socket for a 100", fullSocket.then(read("P")),
                        read(EXPECTING.substring(1))),
                scene(READING, WRITING, "full socket for an answer", fullSocket.then(read("G")),
                        read(GET.substring(1) + "G")),
                scene(YIELDING, IDLE, "others had their turn", read(MANY), tasks),
                scene(YIELDING, WRITING, "full socket", fullSocket.then(read(MANY)), tasks),
                scene(YIELDING, ANSWERED, "no memory", noMemory, read(MANY)));
    }

    private Stream<Scene> whileAnswering() {
        return Stream.of(
                scene(HANDLING, ANSWERED, "answered inline", read(GET)),
                scene(HANDLING, ANSWERED, "failed", read(get("/fail"))),
                scene(HANDLING, ANSWERED, "too many pending", overload, read(LATER)),
                scene(HANDLING, AWAITING, "no answer yet", read(LATER)),
                scene(AWAITING, ANSWERED, "the answer is here", read(LATER).then(answer), tasks),
                scene(AWAITING, ANSWERED, "time is over", read(LATER), timeOut),
                scene(ANSWERED, IDLE, "in the write buffer", read(GET)),
                scene(ANSWERED, IDLE, "sent", read(LARGE)),
                scene(ANSWERED, WRITING, "full socket", fullSocket, read(LARGE)),
                scene(ANSWERED, ENDING, "the last", read(LAST)),
                scene(WRITING, IDLE, "all is sent", fullSocket.then(read(GET)).then(emptySocket),
                        ready),
                scene(WRITING, ANSWERED, "no memory", noMemory.then(fullSocket), read(LARGE + "G")),
                scene(ENDING, LINGERING, "the client may be sending", read(WRONG)));
    }

    private Stream<Scene> whileABodyFails() {
        Act later = fileIsClosed.then(emptySocket);
        // the socket takes some of the last answer
        Act nearlyFull = () -> client.channel.room = 127 * loop.connect().turn(GET).channel.length() + 50;
        return Stream.of(
                scene(ANSWERED, LINGERING, "when some of it was sent", read(get("/short"))),
                scene(WRITING, LINGERING, "before it was sent",
                        fullSocket.then(read(FILE)).then(later), ready),
                scene(AWAITING, LINGERING, "that of the answer before",
                        fullSocket.then(read(FILE + LATER)).then(later), ready),
                scene(YIELDING, LINGERING, "that of the last answer of a turn",
                        nearlyFull.then(read(GET.repeat(127) + FILE + GET)).then(later), ready));
    }

    private Stream<Scene> atTheEnd() {
        Act blockedAnswer = fullSocket.then(read(GET + LATER)).then(answer).then(tasks);
        return Stream.of(
                scene(IDLE, CLOSED, "a deadline", timeOut),
                scene(IDLE, CLOSED, "a reset", reset, ready),
                scene(READING, CLOSED, "a reset", read("G").then(reset), ready),
                scene(YIELDING, CLOSED, "the end of the loop", read(MANY), loopEnds),
                scene(HANDLING, CLOSED, "a reset that a loop notices which leaves", leave,
                        read(get("/reset"))),
                scene(AWAITING, CLOSED, "a reset", read(LATER).then(reset), ready),
                scene(ANSWERED, CLOSED, "a deadline", blockedAnswer, timeOut),
                scene(WRITING, CLOSED, "a deadline", fullSocket.then(read(GET)), timeOut),
                scene(ENDING, CLOSED, "all is sent", read(LAST)),
                scene(ENDING, CLOSED, "a deadline", fullSocket.then(read(LAST)), timeOut),
                scene(LINGERING, CLOSED, "the client has ended", read(WRONG).then(clientEnds), ready));
    }

    List<Scene> scenes() {
        return Stream.of(whileReceiving(), whileAnswering(), whileABodyFails(), atTheEnd())
                .flatMap(scenes -> scenes).toList();
    }

    @ParameterizedTest
    @MethodSource("scenes")
    void takesTheEdge(Scene scene) throws Exception {
        scene.before.play();
        scene.edge.forget();
        scene.turn.play();
        assertTrue(scene.edge.isSeen());
    }

    @Test
    void everyEdgeThatIsDrawnCanBeTakenAndNoOther() {
        var drawn = new ArrayList<>(DrawnEdges.read());
        var taken = new ArrayList<>(scenes().stream().map(Scene::edge).distinct().toList());
        taken.removeAll(drawn);
        drawn.removeAll(scenes().stream().map(Scene::edge).toList());
        assertEquals(List.of(), drawn, "drawn, but no scene takes it");
        assertEquals(List.of(), taken, "a scene takes it, but it is not drawn");
    }

    @Test
    void noEdgeIsDrawnTwiceOrLeadsNowhere() {
        List<DrawnEdges.Edge> drawn = DrawnEdges.read();
        assertEquals(drawn.size(), Set.copyOf(drawn).size());
        assertTrue(drawn.stream().noneMatch(edge -> edge.from() == edge.to()));
    }

    @Test
    void everyStateIsInTheDrawing() {
        Set<ConnectionState> from = EnumSet.noneOf(ConnectionState.class);
        Set<ConnectionState> to = EnumSet.of(IDLE);
        for (DrawnEdges.Edge edge : DrawnEdges.read()) {
            from.add(edge.from());
            to.add(edge.to());
        }
        assertEquals(EnumSet.allOf(ConnectionState.class), to, "how to come there");
        assertEquals(EnumSet.complementOf(EnumSet.of(CLOSED)), from, "how to go on from there");
    }

    @Test
    void knowsWhereRequestsAreTaken() {
        assertEquals(List.of(IDLE, READING),
                Arrays.stream(values()).filter(ConnectionState::takesRequests).toList());
    }

    @Test
    void aChangeIsSeenWhenItIsNoted() {
        var edge = new DrawnEdges.Edge(CLOSED, IDLE);
        assertFalse(edge.isSeen());
        CLOSED.followers[IDLE.ordinal()] = true;
        assertTrue(edge.isSeen());
        assertEquals(List.of(edge), DrawnEdges.seen().stream().filter(edge::equals).toList());
        edge.forget();
        assertFalse(edge.isSeen());
    }
}

package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;
import static org.microhttp.ConnectionState.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.*;
import java.util.concurrent.Callable;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.protocol.Budget;
import org.microhttp.testing.Programs;
import org.microhttp.testing.Readme;
import org.microhttp.testing.TestServer;
import org.microhttp.testing.Tier;

/**
 * The drawing in the comment of the class: every edge can be taken, for each of the reasons beside it, and no
 * other is taken on the way. The scenes are played by a twin of this class in the {@link NotedLibrary}.
 */
class ConnectionStateTest extends ConnectionFixture
        implements Handler, Supplier<Map<String, Callable<List<String>>>> {

    private static final String GET = get("/");
    private static final String LATER = get("/later");
    private static final String LARGE = get("/large");
    private static final String STREAM = get("/stream");
    private static final String UPGRADE =
            "GET /upgrade HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n";
    private static final String RECEIVE =
            "POST /receive HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n";
    private static final String LAST = closing("/");
    private static final String FILE = get("/file");
    private static final String SHORT = get("/short");
    private static final String WRONG = "wrong\r\n";
    private static final String EXPECTING =
            "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n";

    /** More than a turn takes. */
    private static final String MANY = GET.repeat(129);

    /** Of ten bytes. */
    private FileChannel file;
    private ScriptedPublisher publisher;
    private ScriptedReceiver receiver;

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

        /** {@return what is wrong: edges that were taken and are not drawn, or this one if not taken} */
        List<String> play() throws Exception {
            before.play();
            var wrong = new ArrayList<>(Inside.edgesNotDrawn());
            SeenEdges.take();
            turn.play();
            wrong.addAll(Inside.edgesNotDrawn());
            if (!SeenEdges.take().contains(edge)) wrong.add("not taken: " + edge);
            return wrong;
        }

        @Override
        public String toString() {
            return edge + " " + reason;
        }
    }

    private static final String PACKAGE = ConnectionStateTest.class.getPackageName() + ".";
    private static final String OWN = ConnectionStateTest.class.getSimpleName() + ".java";
    private static final String FIXTURE = ConnectionFixture.class.getSimpleName();

    private static String classPath;
    private static NotedLibrary library;

    @BeforeAll
    static void compile(@TempDir Path folder) throws IOException {
        classPath = NotedLibrary.classPath(folder);
        library = new NotedLibrary(classPath);
    }

    @AfterAll
    static void closeLibrary() throws IOException {
        library.close();
    }

    @BeforeEach
    void start() throws IOException {
        file = Bodies.file("in a file!");
        publisher = new ScriptedPublisher();
        receiver = ScriptedReceiver.requesting(Long.MAX_VALUE);
        start(new Options().withMaxPendingRequests(1), this);
    }

    @Override
    public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
        return request.target().equals("/receive") ? receiver : null;
    }

    @Override
    public void handle(Request request, Consumer<Response> callback) {
        switch (request.target()) {
            case "/stream" -> callback.accept(Bodies.response(Body.of(publisher)));
            case "/upgrade" -> callback.accept(upgrade());
            case "/large" -> callback.accept(TestServer.ok("x".repeat(100_000)));
            case "/file" -> callback.accept(Bodies.response(Body.of(file, 0, 10)));
            case "/short" -> callback.accept(Bodies.response(Body.of(file, 0, 30_000)));
            case "/large/short" -> callback.accept(Bodies.response(Body.of(file, 0, 100_000)));
            case "/fail" -> throw new IllegalStateException("wanted");
            case "/reset" -> {
                client.channel.reset();
                callback.accept(TestServer.ok("never read"));
            }
            default -> callback.accept(TestServer.ok(request.target()));
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
                scene(IDLE, WRITING, "more than a turn takes", read(MANY)),
                scene(IDLE, WRITING, "full socket", fullSocket, read(GET)),
                scene(HANDLING, WRITING, "more than the write buffer holds", read(LARGE)),
                scene(IDLE, ENDING, "refused", read(WRONG)),
                scene(IDLE, ENDING, "the client has ended", clientEnds, ready),
                scene(READING, IDLE, "an empty line", read("\r"), read("\n")),
                scene(READING, HANDLING, "complete", read("G"), read(GET.substring(1))),
                scene(READING, ENDING, "refused", read("w"), read(WRONG.substring(1))),
                scene(READING, ENDING, "cut off", read("w").then(clientEnds), ready),
                scene(READING, ENDING, "time is over", read("w"), timeOut),
                scene(READING, WRITING, "full socket for a 100", fullSocket.then(read("P")),
                        read(EXPECTING.substring(1))),
                scene(READING, WRITING, "full socket for an answer", fullSocket.then(read("G")),
                        read(GET.substring(1) + "G")),
                scene(WRITING, IDLE, "others had their turn", read(MANY), ready),
                scene(WRITING, ENDING, "no memory for the rest of a turn", noMemory, read(MANY)));
    }

    private Stream<Scene> whileAnswering() {
        return Stream.of(
                scene(HANDLING, IDLE, "answered inline", read(GET)),
                scene(HANDLING, IDLE, "failed", read(get("/fail"))),
                scene(HANDLING, IDLE, "too many pending", overload, read(LATER)),
                scene(HANDLING, ENDING, "the last", read(LAST)),
                scene(HANDLING, AWAITING, "no answer yet", read(LATER)),
                scene(AWAITING, IDLE, "the answer is here", read(LATER).then(answer), tasks),
                scene(AWAITING, WRITING, "behind another", fullSocket.then(read(GET + LATER)).then(answer),
                        tasks),
                scene(AWAITING, ENDING, "the last", read(closing("/later")).then(answer), tasks),
                scene(AWAITING, ENDING, "time is over", read(LATER), timeOut),
                scene(WRITING, IDLE, "all is sent", fullSocket.then(read(GET)).then(emptySocket),
                        ready),
                scene(WRITING, ENDING, "no memory", noMemory.then(fullSocket), read(LARGE + "G")),
                scene(ENDING, LINGERING, "the client may be sending", read(WRONG)));
    }

    private Stream<Scene> whileABodyIsReceived() {
        String begin = RECEIVE;
        Act begun = read(begin);
        Act cancel = () -> receiver.subscription.cancel();
        Act partly = () -> client.channel.room = 50;
        Act later = fileIsClosed.then(emptySocket);
        return Stream.of(
                scene(IDLE, RECEIVING, "a head", begun),
                scene(READING, RECEIVING, "the rest of a head", read("P"), read(begin.substring(1))),
                scene(RECEIVING, HANDLING, "the body is complete", begun, read("abc")),
                scene(RECEIVING, HANDLING, "it is not wanted any more", begun.then(cancel), tasks),
                scene(RECEIVING, ENDING, "malformed", read(begin.replace("Content-Length: 3",
                        "Transfer-Encoding: chunked")), read("x\r\n")),
                scene(RECEIVING, ENDING, "time is over", begun, timeOut),
                scene(RECEIVING, LINGERING, "that of the answer before",
                        partly.then(read(FILE + begin)).then(later), ready),
                scene(RECEIVING, CLOSED, "a reset", begun.then(reset), ready));
    }

    private Stream<Scene> whileStreaming() {
        Act started = read(STREAM).then(tasks);
        Act lastStarted = read(closing("/stream")).then(tasks);
        Act piece = () -> publisher.next("piece");
        Act end = () -> publisher.complete();
        Act failure = () -> publisher.fail("wanted");
        Act oneMore = () -> loop.later.get(0).accept(Bodies.response(Body.of(publisher)));
        return Stream.of(
                scene(HANDLING, STREAMING, "given inline", read(STREAM)),
                scene(AWAITING, STREAMING, "given later", read(LATER).then(oneMore), tasks),
                scene(STREAMING, IDLE, "its end", started.then(end), tasks),
                scene(STREAMING, IDLE, "a failure of which nothing is sent", started.then(failure), tasks),
                scene(STREAMING, IDLE, "its silence, before anything is sent", started, timeOut.then(tasks)),
                scene(STREAMING, WRITING, "full socket",
                        started.then(piece).then(fullSocket).then(tasks).then(end), tasks),
                scene(STREAMING, ENDING, "the last", lastStarted.then(end), tasks),
                scene(STREAMING, LINGERING, "a failure in the middle",
                        started.then(piece).then(tasks).then(failure), tasks),
                scene(STREAMING, CLOSED, "a reset", started.then(reset), ready),
                scene(STREAMING, CLOSED, "a client that does not read",
                        started.then(fullSocket).then(piece).then(tasks), timeOut));
    }

    private Response upgrade() {
        return Response.upgrade("x", List.of(), publisher, receiver);
    }

    private Stream<Scene> whileUpgraded() {
        Act started = read(UPGRADE).then(tasks);
        Act failure = () -> publisher.fail("wanted");
        Act fromElsewhere = () -> loop.later.get(0).accept(upgrade());
        Act partly = () -> client.channel.room = 50;
        Act silent = () -> publisher.answering = false;
        Act end = () -> publisher.complete();
        return Stream.of(
                scene(HANDLING, UPGRADED, "given inline", read(UPGRADE)),
                scene(AWAITING, UPGRADED, "given later",
                        read(UPGRADE.replace("/upgrade", "/later")).then(fromElsewhere), tasks),
                scene(UPGRADED, ENDING, "the end of the publisher", started.then(end), tasks),
                scene(UPGRADED, ENDING, "a failure of which nothing is sent",
                        silent.then(started).then(failure), tasks),
                scene(UPGRADED, LINGERING, "that of the answer before",
                        partly.then(read(FILE + UPGRADE)).then(fileIsClosed).then(emptySocket), ready),
                scene(UPGRADED, CLOSED, "a failure", started.then(failure), tasks),
                scene(UPGRADED, CLOSED, "a reset", started.then(reset), ready));
    }

    private Stream<Scene> whileABodyFails() {
        Act later = fileIsClosed.then(emptySocket);
        Act partly = () -> client.channel.room = 50;
        // the socket takes some of the last answer
        Act nearlyFull = () -> client.channel.room = 127 * loop.connect().turn(GET).channel.length() + 50;
        return Stream.of(
                scene(IDLE, LINGERING, "of a small response", read(SHORT)),
                scene(READING, LINGERING, "that of the answer before", read(SHORT + "G")),
                scene(WRITING, LINGERING, "of a large response", read(get("/large/short"))),
                scene(WRITING, LINGERING, "when the socket is ready again",
                        partly.then(read(FILE)).then(later), ready),
                scene(ENDING, LINGERING, "of the last response", read(closing("/short") + "more")),
                scene(AWAITING, LINGERING, "that of the answer before",
                        partly.then(read(FILE + LATER)).then(later), ready),
                scene(WRITING, LINGERING, "that of the last answer of a turn",
                        nearlyFull.then(read(GET.repeat(127) + FILE + GET)).then(later), ready));
    }

    private Stream<Scene> atTheEnd() {
        Act blockedAnswer = fullSocket.then(read(GET + LATER)).then(answer).then(tasks);
        return Stream.of(
                scene(IDLE, CLOSED, "a deadline", timeOut),
                scene(IDLE, CLOSED, "a reset", reset, ready),
                scene(READING, CLOSED, "a reset", read("G").then(reset), ready),
                scene(WRITING, CLOSED, "the end of the loop", read(MANY), loopEnds),
                scene(HANDLING, CLOSED, "a reset that a loop notices which leaves", leave,
                        read(get("/reset"))),
                scene(AWAITING, CLOSED, "a reset", read(LATER).then(reset), ready),
                scene(WRITING, CLOSED, "a deadline", fullSocket.then(read(GET)), timeOut),
                scene(WRITING, CLOSED, "a deadline, with a second response", blockedAnswer, timeOut),
                scene(ENDING, CLOSED, "all is sent", read(LAST)),
                scene(ENDING, CLOSED, "a deadline", fullSocket.then(read(LAST)), timeOut),
                scene(LINGERING, CLOSED, "the client has ended", read(WRONG).then(clientEnds), ready));
    }

    List<Scene> scenes() {
        return Stream.of(whileReceiving(), whileABodyIsReceived(), whileAnswering(), whileStreaming(),
                whileUpgraded(), whileABodyFails(), atTheEnd()).flatMap(scenes -> scenes).toList();
    }

    /** How to play each scene, and what is wrong then. */
    @Override
    public Map<String, Callable<List<String>>> get() {
        var plays = new LinkedHashMap<String, Callable<List<String>>>();
        for (Scene scene : scenes()) {
            plays.put(scene.toString(), () -> {
                start();
                try {
                    return scene.play();
                } finally {
                    stop();
                }
            });
        }
        return plays;
    }

    @TestFactory
    Stream<DynamicTest> takesTheEdge() throws Exception {
        Supplier<Map<String, Callable<List<String>>>> twin = library.twin(ConnectionStateTest.class);
        Map<String, Callable<List<String>>> plays = twin.get();
        assertEquals(scenes().size(), plays.size());
        return plays.entrySet().stream().map(play -> DynamicTest.dynamicTest(play.getKey(),
                () -> assertEquals(List.of(), play.getValue().call())));
    }

    @Test
    @Tier.Gate
    void testsOfConnectionsTakeNoEdgeThatIsNotDrawn() throws Exception {
        var command = new ArrayList<>(List.of(Programs.JAVA, "-ea", "-cp", classPath));
        command.addAll(1, Programs.SHORT);
        command.add(NotedTests.class.getName());
        for (Path file : Readme.sources("src/test/java")) {
            boolean ofConnections = Readme.read(file).contains(" extends " + FIXTURE + " ");
            if (ofConnections && !file.endsWith(OWN)) command.add(PACKAGE + Readme.name(file));
        }
        Programs.run(0, command.toArray(String[]::new));
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
        assertEquals(IDLE, SeenEdges.note(CLOSED, IDLE));
        assertEquals(List.of("CLOSED -> IDLE"), Inside.edgesNotDrawn());
        assertEquals(Set.of(edge), SeenEdges.take());
        assertEquals(Set.of(), SeenEdges.all());
    }
}

package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.*;
import org.microhttp.protocol.Budget;
import org.microhttp.testing.RecordingLogger;
import org.microhttp.testing.TestServer;

/** A request and its answer: the place it has, what is kept of it, and that its end is told once. */
class ExchangeTest extends ConnectionFixture {

    private static final int PLACES = 3;
    private static final String BODY = "x".repeat(200_000);

    private Budget bytes;
    private Budget places;

    @BeforeEach
    void start() throws IOException {
        var options = new Options().withMaxPendingRequests(PLACES).withMaxBufferedBytes(2 << 20);
        loop = new ScriptedLoop(options, (request, callback) ->
                callback.accept(TestServer.ok(body(request.target()))));
        bytes = loop.context.group.bytes;
        places = loop.context.group.requests;
    }

    @AfterEach
    void stop() throws IOException {
        loop.later.forEach(callback -> callback.accept(TestServer.ok("in the end")));
        loop.runTasks();
        assertEquals(0, Inside.used(bytes), "bytes that are kept");
        loop.close();
    }

    private static String body(String target) {
        if (target.startsWith("/large")) return BODY;
        return target.equals("/medium") ? BODY.substring(0, 60_000) : target;
    }

    private Exchange exchange() throws IOException {
        return Exchanges.of(loop.connect().connection, false, false, true);
    }

    private List<Exchange> takeAll() throws IOException {
        List<Exchange> taken = List.of(exchange(), exchange(), exchange());
        taken.forEach(exchange -> assertTrue(exchange.takePlace()));
        return taken;
    }

    @Test
    void takesAPlaceAsLongAsThereIsOne() throws Exception {
        takeAll();
        Exchange another = exchange();
        assertFalse(another.takePlace());
        assertNull(another.place);
        another.releasePlace();
        assertEquals(PLACES, Inside.used(places));
    }

    @Test
    void givesItsPlaceBackOnce() throws Exception {
        Exchange first = takeAll().get(0);
        for (int i = 0; i < 3; i++) {
            first.releasePlace();
            assertEquals(PLACES - 1, Inside.used(places));
        }
        assertTrue(exchange().takePlace());
        assertFalse(exchange().takePlace());
    }

    /** With a large cookie, and a logger that does not want the event of every exchange. */
    @Test
    void namesItsRequestInAWarningHoweverLargeItsHeadIs() throws Exception {
        var warnings = RecordingLogger.of("response_ignored");
        try (var quiet = new ScriptedLoop(new Options(), warnings, TestServer::echoTarget)) {
            String cookie = "Cookie: " + BODY.substring(0, 5_000) + "\r\n";
            var client = quiet.connect().turn(get("/later").replace("Host", cookie + "Host"));
            for (int i = 0; i < 2; i++) {
                quiet.later.get(0).accept(TestServer.ok(""));
                quiet.runTasks();
            }
            client.expectOpen();
            assertEquals("/later", warnings.await("response_ignored").value("target"));
        }
    }

    @Test
    void hasAPlaceOnlyIfThereIsALimit() throws Exception {
        for (long limit : new long[] {Options.NO_LIMIT, 1}) {
            Options options = new Options().withMaxPendingRequests(limit);
            try (var loop = new ScriptedLoop(options, new NoopLogger(), TestServer::echoTarget)) {
                Exchange exchange = Exchanges.of(loop.connect().connection, false, false, true);
                assertTrue(exchange.takePlace());
                assertNull(exchange.place);
                exchange.keepPlace(loop.context.scheduler, 1, 1);
                assertEquals(limit == 1, exchange.place != null);
            }
        }
    }

    private List<RecordingLogger.Event> told() {
        return loop.log.events().stream().filter(event -> event.name().equals("exchange")).toList();
    }

    /** Targets, statuses and octets, in the order in which they were told. */
    private List<String> lines() {
        return told().stream().map(event -> event.value("target") + " " + event.value("status") + " "
                + event.value("bytes")).toList();
    }

    @Test
    void isToldWhenItsAnswerIsSent() throws Exception {
        loop.connect().turn("GET /a?b HTTP/1.0\r\nA: b\r\n\r\n");
        RecordingLogger.Event event = told().get(0);
        assertEquals(List.of("id", "peer", "method", "target", "version", "status", "bytes", "nanos"),
                List.copyOf(event.values().keySet()));
        String values = String.join(" ", event.values().values());
        assertTrue(values.matches("0 localhost/127.0.0.1:50000 GET /a\\?b HTTP/1.0 200 4 [0-9]+"), values);
        assertNull(event.cause());
    }

    @Test
    void isLoggedWithTheCodeOfItsRefusal() throws Exception {
        loop.connect().turn("GET / HTTP/1.1\r\nHost\r\n");
        assertEquals("missing_colon", told().get(0).value("code"));
    }

    @Test
    void isToldInOrderOfABatchOnceForEach() throws Exception {
        List<String> requests = IntStream.range(0, 300).mapToObj(i -> get("/" + i)).toList();
        var client = loop.connect().turn(String.join("", requests));
        loop.runTasks();
        loop.runTasks();
        client.drain();
        assertEquals(IntStream.range(0, 300).mapToObj(i -> "/" + i + " 200 " + ("/" + i).length()).toList(),
                lines());
    }

    /** Of what the client has not taken only what was sent counts. */
    @Test
    void isToldOfAnAnswerThatIsCut() throws Exception {
        var client = loop.connect();
        client.channel.take(50_000).room = 0;
        client.turn(get("/small") + get("/large"));
        assertEquals(List.of("/small 200 6"), lines());
        String sent = client.received();
        reset(client);
        int heads = sent.indexOf("\r\n\r\nxxx") + 4 + 2 * "Date: Thu, 01 Jan 2026 00:00:00 GMT\r\n".length();
        assertEquals(List.of("/small 200 6", "/large 200 " + (50_000 - heads)), lines());
    }

    @Test
    void isToldWithoutAStatusWhereNothingOfAnAnswerWasSent() throws Exception {
        var late = loop.connect().turn(get("/later"));
        reset(late);
        var unsent = connectBlocked().turn(get("/unsent"));
        reset(unsent);
        var begun = loop.connect().turn("POST /begun HTTP/1.1\r\nHost: x\r\n"
                + "Content-Length: 9\r\n\r\nab");
        reset(begun);
        var line = loop.connect().turn("GET /li");
        reset(line);
        var idle = loop.connect().turn();
        reset(idle);
        assertEquals(List.of("/later null 0", "/unsent null 0", "/begun null 0", "null null 0"), lines());
        answer(0, "late");
        assertEquals(4, told().size());
    }

    @Test
    void isToldWithTheCodeOfARefusalAndWhatIsKnownOfTheRequest() throws Exception {
        loop.connect().turn("GET /a HTTP/1.1\r\n\r\n");
        loop.connect().turn("GET /a\u0001 HTTP/1.1\r\n\r\n");
        Stream.generate(() -> get("/later")).limit(PLACES + 1).forEach(this::visit);
        List<String> codes = told().stream().map(event -> event.value("method") + " " + event.value("status")
                + " " + event.value("code")).toList();
        assertEquals(List.of("GET 400 missing_host", "null 400 control_character", "GET 503 overload"),
                codes);
    }

    private void visit(String text) {
        try {
            loop.connect().turn(text);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What is kept of a request while its answer waits counts as what is kept for clients. */
    @Test
    void countsWhatIsKeptOfItWhileItsAnswerWaits() throws Exception {
        String target = "/large/" + "t".repeat(10_000);
        var client = connectBlocked().turn(get(target));
        long kept = Inside.used(bytes);
        assertTrue(kept >= target.length() && kept < target.length() + 100, kept + " bytes");
        client.channel.room = Integer.MAX_VALUE;
        client.drain();
        assertEquals(0, Inside.used(bytes));
        assertEquals(List.of(target + " 200 " + BODY.length()), lines());
    }

    /** An answer that comes while those before it are blocked waits behind them. */
    @Test
    void countsItAlsoBehindAnotherThatWaits() throws Exception {
        String target = "/later/" + "t".repeat(10_000);
        var client = connectBlocked().turn(get("/medium") + get(target));
        long before = Inside.used(bytes);
        assertTrue(before >= target.length());
        answer(0, "late");
        assertTrue(Inside.used(bytes) >= before);
        reset(client);
        assertEquals(0, Inside.used(bytes));
        assertEquals(List.of("/medium null 0", target + " null 0"), lines());
    }

    @Test
    void forgetsItWhereThereIsNoRoomAndServesOn() throws Exception {
        assertTrue(bytes.tryTake(bytes.limit));
        var client = loop.connect();
        client.channel.take(100).room = 0;
        client.turn(get("/large" + "t".repeat(2_000)));
        client.channel.room = Integer.MAX_VALUE;
        client.drain();
        assertEquals(List.of("null 200 " + BODY.length()), lines());
        bytes.release(bytes.limit);
    }

    /** A head that was read has its exchange, whatever is in front of it. */
    @Test
    void isToldOfARequestThatHadBegunBehindAnAnswerThatWaits() throws Exception {
        var client = connectBlocked().turn(get("/medium") + "POST /begun HTTP/1.1\r\nHost: x\r\n"
                + "Content-Length: 9\r\n\r\nab");
        reset(client);
        assertEquals(List.of("/medium null 0", "/begun null 0"), lines());
    }

    @Test
    void isToldOfARequestThatHadBegunWhenTheServerWasStopped() throws Exception {
        var client = loop.connect();
        client.turn("POST /begun HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab");
        assertEquals(1, client.connection.countDropped());
        client.connection.free();
        assertEquals(List.of("/begun null 0"), lines());
    }

    /** What nobody wants to be told of is not kept, and takes no room from who has something to send. */
    @Test
    void countsNothingForAnAnswerThatNobodyWantsToBeToldOf() throws Exception {
        var options = new Options().withMaxBufferedBytes(2 << 20);
        try (var quiet = new ScriptedLoop(options, new NoopLogger(), (request, callback) ->
                callback.accept(TestServer.ok(BODY)))) {
            var client = quiet.connect();
            client.channel.room = 0;
            client.turn(get("/" + "t".repeat(10_000)));
            assertEquals(0, Inside.used(quiet.context.group.bytes));
        }
    }

    /** A request that is kept keeps nothing else, however its exchange has ended. */
    @Test
    void isNotKeptByItsRequest() throws Exception {
        var requests = new ArrayList<Request>();
        var options = new Options().withMaxBufferedBytes(2 << 20);
        try (var keeping = new ScriptedLoop(options, (request, callback) -> {
            requests.add(request);
            callback.accept(TestServer.ok(BODY));
        })) {
            String large = "/" + "t".repeat(10_000);
            keeping.connect().turn(get("/"));
            var slow = keeping.connect();
            slow.channel.room = 0;
            slow.turn(get(large));
            Budget budget = keeping.context.group.bytes;
            assertTrue(budget.tryTake(budget.limit - Inside.used(budget)));
            var crowded = keeping.connect();
            crowded.channel.room = 0;
            crowded.turn(get(large));
            for (ScriptedLoop.Client client : List.of(slow, crowded)) {
                reset(client);
            }
            assertEquals(3, requests.size());
            requests.forEach(request -> assertNull(request.abandonment.get()));
        }
    }

    /** A handler that keeps the callback for ever keeps no large request by that. */
    @Test
    void forgetsALargeRequestInTheEnd() throws Exception {
        String target = "/later/" + "t".repeat(10_000);
        loop.connect().turn("GET " + target + " HTTP/1.0\r\n\r\n");
        answer(0, "");
        assertEquals(List.of(target + " 200 0"), lines());
        answer(0, "again");
        assertNull(loop.log.await("response_ignored").value("target"));
        assertEquals(0, Inside.used(bytes));
    }

    @Test
    void isNotAskedForWhereNobodyWantsIt() throws Exception {
        var wanted = new AtomicBoolean();
        var logger = new RecordingLogger() {
            @Override
            public boolean enabled(String event) { return wanted.get(); }
        };
        try (var quiet = new ScriptedLoop(new Options(), logger, TestServer::echoTarget)) {
            Exchange begun = Exchanges.of(quiet.connect().connection, false, false, true);
            wanted.set(true);
            Exchange asked = Exchanges.of(quiet.connect().connection, false, false, true);
            begun.end(-1);
            assertEquals(List.of(), logger.events());
            asked.end(-1);
            assertEquals(1, logger.events().size());
            assertEquals(1, logger.count("exchange"));
        }
    }
}

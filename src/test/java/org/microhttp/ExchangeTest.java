package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.protocol.Budget;
import org.microhttp.testing.RecordingLogger;
import org.microhttp.testing.TestServer;

/** The end of an exchange is reported once, to a listener and the log; its place is released once. */
class ExchangeTest extends ConnectionFixture {

    private final List<ExchangeSummary> reported = new ArrayList<>();

    private Exchange exchange() throws Exception {
        return Exchanges.of(loop.connect().connection);
    }

    @Test
    void aPlaceIsTakenWhileOneIsLeftAndReleasedOnce() throws Exception {
        start(new Options().withMaxPendingRequests(2), TestServer::echoTarget);
        Budget places = loop.context.group.requests;
        Exchange first = exchange();
        assertTrue(first.takePlace() && exchange().takePlace());
        Exchange third = exchange();
        assertFalse(third.takePlace());
        third.releasePlace();
        assertEquals(2, Inside.used(places));
        for (int i = 0; i < 3; i++) {
            first.releasePlace();
            assertEquals(1, Inside.used(places));
        }
        assertTrue(exchange().takePlace());
    }

    @ParameterizedTest
    @ValueSource(longs = {Options.NO_LIMIT, 1})
    void aPlaceIsAnObjectOnlyIfThereIsALimitAndItMayOutlastTheConnection(long limit) throws Exception {
        start(new Options().withMaxPendingRequests(limit), TestServer::echoTarget);
        Exchange exchange = exchange();
        assertTrue(exchange.takePlace());
        assertNull(exchange.place);
        exchange.keepPlace(loop.context.scheduler, 1, 1);
        assertEquals(limit == 1, exchange.place != null);
    }

    @Test
    void aListenerAndTheLogGetTheSameOfAServedRequest() throws Exception {
        start(new Options().withExchangeListener(reported::add), TestServer::echoTarget);
        client.turn("GET /a?b HTTP/1.1\r\nHost: x\r\nREFERER:  \u00e9 \t\r\n\r\n");
        ExchangeSummary one = reported.get(0);
        assertEquals(new ExchangeSummary(0, one.client(), "GET", "/a?b", "HTTP/1.1",
                List.of(new Header("Host", "x"), new Header("REFERER", "\u00e9")), 200, 4, one.duration(),
                true, null), one);
        assertEquals("localhost/127.0.0.1:50000", "" + one.client());
        assertFalse(one.duration().isNegative());
        Header header = one.headers().get(0);
        assertThrows(UnsupportedOperationException.class, () -> one.headers().add(header));
        RecordingLogger.Event event = loop.log.await("exchange");
        assertEquals("id peer method target version status bytes nanos",
                String.join(" ", event.values().keySet()));
        String values = String.join(" ", event.values().values());
        assertTrue(values.matches("0 localhost/127.0.0.1:50000 GET /a\\?b HTTP/1.1 200 4 [0-9]+"), values);
        assertNull(event.cause());
    }

    /** The log states which of these answers are complete, see scripts/connections.txt. */
    @Test
    void aListenerGetsRefusalsAndCutAnswers() throws Exception {
        start(new Options().withExchangeListener(reported::add), TestServer::echoTarget);
        client.turn("GET /a HTTP/1.1\r\nHost : x\r\n\r\n");
        client = loop.connect();
        client.channel.take(200).room = 0;
        client.turn(get("/" + "a".repeat(1_000)) + get("/next"));
        reset(client);
        assertEquals(List.of("400 true space_after_name", "200 false null", "0 false null"), reported.stream()
                .map(one -> one.status() + " " + one.complete() + " " + one.code()).toList());
    }

    @Test
    void aListenerThatFailsHarmsNobody() throws Exception {
        start(new Options().withExchangeListener(exchange -> {
            throw new AssertionError("on purpose");
        }), TestServer::echoTarget);
        client.turn(get("/1")).turn(get("/2")).expectOpen();
        assertEquals("on purpose", loop.log.await("handler_error").cause().getMessage());
        assertLogged(2, "exchange");
    }

    /** The logger is asked when the exchange begins. Nothing is kept for an exchange that is not reported. */
    @Test
    void anExchangeThatNobodyWantsIsNotReported() throws Exception {
        var wanted = new AtomicBoolean();
        var logger = new RecordingLogger() {
            @Override
            public boolean enabled(String event) { return wanted.get(); }
        };
        loop = new ScriptedLoop(new Options(), logger, TestServer::echoTarget);
        Exchange unwanted = exchange();
        client = connectBlocked().turn(get("/" + "t".repeat(10_000)));
        assertEquals(0, Inside.used(loop.context.group.bytes));
        wanted.set(true);
        Exchange reported = exchange();
        unwanted.end(-1);
        assertEquals(List.of(), logger.events());
        reported.end(-1);
        assertEquals(1, logger.count("exchange"));
    }

    /** Also if the logger does not want the event of each exchange. */
    @Test
    void aWarningNamesItsRequestHoweverLargeTheHead() throws Exception {
        var warnings = RecordingLogger.of("response_ignored");
        loop = new ScriptedLoop(new Options(), warnings, TestServer::echoTarget);
        client = loop.connect();
        client.turn(get("/later").replace("Host", "Cookie: " + "c".repeat(5_000) + "\r\nHost"));
        answer(0, "");
        answer(0, "again");
        client.expectOpen();
        assertEquals("/later", warnings.await("response_ignored").value("target"));
    }

    /** A handler that keeps the callback for ever keeps no large request by that. */
    @Test
    void anExchangeThatHasEndedKeepsNoLargeRequest() throws Exception {
        start(TestServer::echoTarget);
        client.turn(get("/later/" + "t".repeat(10_000)));
        answer(0, "");
        answer(0, "again");
        assertNull(loop.log.await("response_ignored").value("target"));
        assertEquals(0, Inside.used(loop.context.group.bytes));
    }

    /** A request that a program keeps retains nothing else, however its exchange has ended. */
    @Test
    void aRequestDoesNotKeepItsExchange() throws Exception {
        var requests = new ArrayList<Request>();
        start(new Options().withMaxBufferedBytes(2 << 20), (request, callback) -> {
            requests.add(request);
            callback.accept(TestServer.ok("x".repeat(200_000)));
        });
        String large = get("/" + "t".repeat(10_000));
        client.turn(get("/"));
        var slow = connectBlocked().turn(large);
        Budget budget = loop.context.group.bytes;
        assertTrue(budget.tryTake(budget.left()));
        var crowded = connectBlocked().turn(large);
        reset(slow);
        reset(crowded);
        assertEquals(3, requests.size());
        requests.forEach(request -> assertNull(request.abandonment.get()));
    }
}

package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.microhttp.testing.RecordingLogger;
import org.microhttp.testing.TestServer;

/** Who listens is told of each request that is over, as the log is, and with its headers. */
class ExchangeListenerTest extends ConnectionFixture {

    private final List<ExchangeSummary> told = new ArrayList<>();

    private void serve() throws Exception {
        start(new Options().withExchangeListener(told::add), TestServer::echoTarget);
    }

    private static String lines(ExchangeSummary summary) {
        return summary.headers().stream().map(header -> header.name() + ":" + header.value() + ";")
                .collect(Collectors.joining());
    }

    @Test
    void aServedRequest() throws Exception {
        serve();
        client.turn("GET /a?b HTTP/1.1\r\nHost: x\r\nREFERER:  \u00e9 \t\r\n\r\n");
        ExchangeSummary one = told.get(0);
        assertEquals(new ExchangeSummary(0, one.client(), "GET", "/a?b", "HTTP/1.1",
                List.of(new Header("Host", "x"), new Header("REFERER", "\u00e9")), 200, 4, one.duration(),
                true, null), one);
        assertEquals("localhost/127.0.0.1:50000", "" + one.client());
        assertFalse(one.duration().isNegative());
        Header header = one.headers().get(0);
        assertThrows(UnsupportedOperationException.class, () -> one.headers().add(header));
        assertEquals(1, loop.log.count("exchange"));
    }

    @Test
    void aRefusedRequest() throws Exception {
        serve();
        client.turn("GET /a HTTP/1.1\r\nHost : x\r\n\r\n");
        ExchangeSummary one = told.get(0);
        assertEquals("GET /a HTTP/1.1 400 space_after_name", one.method() + " " + one.target() + " "
                + one.version() + " " + one.status() + " " + one.code());
        assertTrue(one.complete());
        assertEquals("", lines(one));
    }

    @Test
    void whatTheClientHasLeft() throws Exception {
        serve();
        client.turn(get("/later"));
        reset(client);
        ExchangeSummary one = told.get(0);
        assertEquals("/later 0 0 false", one.target() + " " + one.status() + " " + one.bytes() + " "
                + one.complete());
        assertEquals("Host:x;", lines(one).replaceAll("(?<=;).*", ""));
    }

    @Test
    void anAnswerThatIsCut() throws Exception {
        serve();
        client.channel.room = 0;
        client.channel.take(200);
        client.turn(get("/" + "a".repeat(1_000)) + get("/next"));
        client.timeOut();
        assertEquals(List.of("200 false", "0 false"),
                told.stream().map(one -> one.status() + " " + one.complete()).toList());
        assertTrue(told.get(0).bytes() > 0 && told.get(0).bytes() < 1_000, () -> "" + told.get(0));
    }

    /** The connection goes on, and the log has both. */
    @Test
    void aListenerThatFailsHarmsNobody() throws Exception {
        start(new Options().withExchangeListener(exchange -> {
            throw new AssertionError("on purpose");
        }), TestServer::echoTarget);
        client.turn(get("/1")).turn(get("/2")).expectOpen();
        RecordingLogger.Event failure = loop.log.await("handler_error");
        assertEquals("on purpose", failure.cause().getMessage());
        assertEquals(2, loop.log.count("exchange"));
    }

    /** Not even the clock is read; see also the tests of who is asked. */
    @Test
    void nothingIsKeptWhereNobodyListens() throws Exception {
        try (var quiet = new ScriptedLoop(new Options(), new NoopLogger(), TestServer::echoTarget)) {
            assertFalse(Exchanges.of(quiet.connect().connection, false, false, true).reported);
        }
        serve();
        assertTrue(Exchanges.of(client.connection, false, false, true).reported);
    }
}

package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.microhttp.testing.TestServer;

/** Whoever sees the end of a connection knows by then from the log whether its last answer was complete. */
class ExchangeOrderTest extends ConnectionFixture {

    /** Of each exchange whether its connection was still whole when it was logged. */
    private final List<Boolean> whole = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        start(new Options(), TestServer::echoTarget);
        loop.log.hook = name -> {
            if (name.equals("exchange")) {
                whole.add(!client.isClosed() && !client.channel.outputEnded);
            }
        };
    }

    /** The statuses and codes of what was logged while the connection was whole, which is all. */
    private void expect(String... ends) {
        var found = loop.log.events().stream().filter(event -> event.name().equals("exchange"))
                .map(event -> event.value("status") + " " + event.value("code")).toList();
        assertEquals(List.of(ends), found);
        assertFalse(whole.contains(false), "logged too late: " + whole);
        assertTrue(client.isClosed() || client.channel.outputEnded);
    }

    @Test
    void logsACompleteAnswerBeforeTheEnd() {
        client.turn(closing("/a"));
        expect("200 null");
    }

    @Test
    void logsARefusalBeforeTheEnd() {
        client.turn("GET /\r\n\r\nmore");
        expect("400 bad_request_line");
    }

    @Test
    void logsARequestThatIsNotAnsweredBeforeTheEnd() {
        client.turn(get("/later"));
        reset(client);
        expect("null null");
    }

    @Test
    void logsAnIncompleteRequestBeforeTheEnd() {
        client.turn("GET / HT");
        reset(client);
        expect("null null");
    }

    @Test
    void logsAnAnswerThatIsCutAsIncompleteBeforeTheEnd() {
        client.channel.room = 0;
        client.channel.take(200);
        client.turn(get("/" + "a".repeat(1_000)) + get("/next"));
        client.timeOut();
        expect("200 incomplete", "null null");
    }

    @Test
    void logsWhatIsDroppedWhenTheLoopEndsBeforeTheEnd() {
        client.turn(get("/later"));
        client.connection.countDropped();
        client.connection.free();
        expect("null null");
    }
}

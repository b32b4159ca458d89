package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How slowly a client may take a response that it takes some of all the time. */
class SendRateTest extends ConnectionFixture {

    private static final int LENGTH = 200_000;

    /** Asks for a response, or for a stream of as many bytes, of which the socket takes nothing yet. */
    private void begin(int rate, boolean streamed) throws IOException {
        String text = "x".repeat(LENGTH);
        var publisher = new ScriptedPublisher().answer(List.of(text));
        Response response = Bodies.HEAP.response(text);
        Response stream = new Response(200, List.of(), Body.of(publisher));
        Options options = new Options().withSocketTimeout(Duration.ofSeconds(10))
                .withResolution(Duration.ofMillis(10)).withMinSendRate(rate);
        // only the time that the test makes pass counts
        start(Inside.withClock(options, () -> 0, () -> 0),
                (request, callback) -> callback.accept(streamed ? stream : response));
        client.channel.room = 0;
        client.turn(get("/"));
        loop.runTasks();
    }

    /** Each second so many bytes; says whether it was still open then. */
    private boolean take(int bytes, int seconds) {
        for (int i = 0; i < seconds && !client.isClosed(); i++) {
            client.channel.room = bytes;
            client.turn();
            client.channel.room = 0;
            loop.passTime(Duration.ofSeconds(1));
        }
        return !client.isClosed();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void withoutAMinimumAByteIsEnough(boolean streamed) throws IOException {
        begin(0, streamed);
        assertTrue(take(1, 300));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoTakesTooLittleIsClosed(boolean streamed) throws IOException {
        begin(1000, streamed);
        assertTrue(take(900, 9));
        assertTrue(!take(900, 2));
        assertLogged(1, "socket_timeout");
    }

    @ParameterizedTest
    @CsvSource({"1120, true", "1120, false", "100000, true", "100000, false"})
    void whoTakesEnoughGetsAll(int bytes, boolean streamed) throws IOException {
        begin(1000, streamed);
        assertTrue(take(bytes, LENGTH / bytes + 2));
        assertLogged(1, "write_response");
    }

    /** What it took too fast before does not count for later. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoStopsIsClosed(boolean streamed) throws IOException {
        begin(1000, streamed);
        assertTrue(take(50_000, 3));
        assertTrue(!take(0, 12));
    }
}

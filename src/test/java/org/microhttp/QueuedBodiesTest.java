package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.microhttp.GivenBodies.Kind;

/**
 * What the server holds for a client that sends many requests and reads nothing, by kind and length of the
 * bodies; and what happens to it when the client reads after all, or ends. Of each three requests, one is
 * answered with a body, one is a HEAD, and one is answered with 304.
 */
class QueuedBodiesTest extends QueuedBodiesFixture {

    private static final int REQUESTS = 60;

    private static boolean hasBody(int number) {
        return number % 3 == 0;
    }

    private static String request(int number) {
        return number % 3 == 1 ? get("/" + number).replace("GET", "HEAD") : get("/" + number);
    }

    private static String expected(int number, int length) {
        if (hasBody(number)) return answer(number, length);
        return number % 3 == 1 ? "HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n"
                : "HTTP/1.1 304 Not Modified\r\n\r\n";
    }

    /** Sends all requests; the client reads nothing for some turns, then a little. */
    private void sendAndReadLittle(Kind kind, int length) throws IOException {
        start(new Options(), (request, callback) -> {
            checkMayTakeRequest(bodies.count() == 0 || hasBody(bodies.count() - 1));
            int number = Integer.parseInt(request.target().substring(1));
            callback.accept(new Response(number % 3 == 2 ? 304 : 200, List.of(),
                    bodies.give(kind, number, length)));
        });
        client.channel.room = 0;
        var requests = new StringBuilder();
        for (int i = 0; i < REQUESTS; i++) {
            requests.append(request(i));
        }
        send("" + requests);
        readNothing();
        // answers that the client has not read count as one, and so do requests that are not answered
        int dropped = 1 + Math.min(1, REQUESTS - bodies.count());
        assertEquals(dropped, client.connection.countDropped());
        for (int i = 0; i < 5; i++) {
            turn(15);
        }
        assertEquals(dropped, client.connection.countDropped());
        for (int i = 1; i < 40; i++) {
            turn(i * i);
        }
    }

    @ParameterizedTest
    @MethodSource("kindsAndLengths")
    void areSentInOrderWhenTheClientReads(Kind kind, int length) throws Exception {
        sendAndReadLittle(kind, length);
        drain(Integer.MAX_VALUE);
        String received = client.received();
        int at = 0;
        for (int i = 0; i < REQUESTS; i++) {
            String expected = expected(i, length);
            assertTrue(received.startsWith(expected, at), "another answer than " + i);
            at += expected.length();
        }
        assertEquals(at, received.length());
        client.expectOpen();
    }

    @ParameterizedTest
    @MethodSource("kindsLengthsAndEnds")
    void areReleasedIfTheClientEnds(Kind kind, int length, End end) throws Exception {
        sendAndReadLittle(kind, length);
        end(end);
        assertEquals(0, client.connection.countDropped());
    }
}

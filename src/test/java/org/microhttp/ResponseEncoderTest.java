package org.microhttp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.tools.RawResponse;

/** The exact bytes of an answer, into buffers of any size. */
class ResponseEncoderTest {

    private static final Response OK = new Response(200, "OK", List.of(new Header("A", "b")),
            "hello".getBytes());
    private static final String HEAD = "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 5\r\n";

    private final ResponseTail tail = new ResponseTail(new Clock());
    private final long now = System.nanoTime();

    private ResponseEncoder start(Response response, boolean toHead, boolean http10, boolean persistent,
            long time) {
        var exchange = Exchanges.of(null, toHead, http10, persistent);
        exchange.response = response;
        exchange.last = !persistent;
        var encoder = new ResponseEncoder();
        encoder.start(exchange, tail.of(exchange, time));
        return encoder;
    }

    /** All of an answer, through a buffer of that capacity. */
    private static String encode(ResponseEncoder encoder, int capacity) throws IOException {
        var bytes = new ByteArrayOutputStream();
        var buffer = ByteBuffer.allocate(capacity);
        for (boolean complete = false; !complete; ) {
            complete = encoder.encode(buffer.clear());
            assertTrue(buffer.position() > 0, "progress");
            bytes.write(buffer.array(), 0, buffer.position());
        }
        return bytes.toString(ISO_8859_1);
    }

    private String encode(Response response, boolean toHead, boolean http10, boolean persistent)
            throws IOException {
        return encode(start(response, toHead, http10, persistent, now), 10_000);
    }

    private static String undated(String text) {
        assertNotEquals(text, RawResponse.undated(text), "a date");
        return RawResponse.undated(text);
    }

    @Test
    void leavesTheBodyOutOfAnswersToHead() throws IOException {
        assertEquals(HEAD + "\r\n", undated(encode(OK, true, false, true)));
        assertEquals(HEAD + "Connection: close\r\n\r\n", undated(encode(OK, true, true, false)));
    }

    @Test
    void leavesTheBodyOutWhereTheStatusHasNone() throws IOException {
        for (int status : new int[] {204, 205, 304}) {
            var response = new Response(status, "R", List.of(), "hello".getBytes());
            String length = status == 205 ? "Content-Length: 0\r\n" : "";
            assertEquals("HTTP/1.1 " + status + " R\r\n" + length + "\r\n",
                    undated(encode(response, false, false, true)));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 64, 100})
    void givesTheSameBytesThroughABufferOfAnySize(int capacity) throws IOException {
        for (boolean toHead : new boolean[] {false, true}) {
            String whole = encode(start(OK, toHead, false, false, now), 10_000);
            assertEquals(whole, encode(start(OK, toHead, false, false, now), capacity));
        }
    }

    @Test
    void encodesAgainFromAnEarlierPosition() throws IOException {
        ResponseEncoder encoder = start(OK, false, false, true, now);
        String whole = encode(encoder, 10_000);
        for (int count = 1; count <= whole.length(); count++) {
            assertTrue(encoder.takeBack(count));
            assertEquals(whole.substring(whole.length() - count), encode(encoder, 10_000));
        }
    }

    @Test
    void takesBackNothingOfTheResponseBefore() throws IOException {
        ResponseEncoder encoder = start(OK, false, false, true, now);
        var part = ByteBuffer.allocate(20);
        assertFalse(encoder.encode(part));
        assertFalse(encoder.takeBack(21));
        assertTrue(encoder.takeBack(20));
        assertEquals(encode(start(OK, false, false, true, now), 10_000), encode(encoder, 10_000));
    }

    @Test
    void takesSeveralAnswersInOneBuffer() throws IOException {
        var buffer = ByteBuffer.allocate(10_000);
        for (int i = 0; i < 3; i++) {
            assertTrue(start(OK, false, false, true, now).encode(buffer));
        }
        String text = new String(buffer.array(), 0, buffer.position(), ISO_8859_1);
        assertEquals((HEAD + "\r\nhello").repeat(3), undated(text));
        assertFalse(start(OK, false, false, true, now).encode(ByteBuffer.allocate(20)));
    }
}

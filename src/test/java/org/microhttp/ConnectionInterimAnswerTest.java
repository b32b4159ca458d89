package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.microhttp.tools.TestServer;

/** R16: a 100 comes once, whole and in its place, wherever the socket cuts what is sent. */
class ConnectionInterimAnswerTest {

    private static final String BODY = "b".repeat(25);
    private static final String HEAD = "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
            + "Content-Length: 25\r\n\r\n";
    private static final String CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

    private static ScriptedLoop loop() throws IOException {
        return new ScriptedLoop((request, callback) -> {
            boolean post = request.method().equals("POST");
            int length = post ? BODY.length() : Integer.parseInt(request.uri().substring(1));
            callback.accept(TestServer.ok((post ? "b" : "a").repeat(length)));
        });
    }

    /** An answer of that length and a 100 behind it; the socket takes so many bytes first. */
    private static int cut(ScriptedLoop loop, int length, int... takes) throws IOException {
        ScriptedLoop.Client client = loop.connect();
        client.channel.take(takes);
        client.turn(ScriptedLoop.get("/" + length) + HEAD).drain();
        String first = ScriptedLoop.ok("a".repeat(length)) + CONTINUE;
        assertEquals(first, client.received(), () -> "cut at " + Arrays.toString(takes));
        int sent = client.channel.length();
        client.turn(BODY).drain();
        assertEquals(first + ScriptedLoop.ok(BODY), client.received());
        return sent;
    }

    @Test
    void comesOnceWhereverItIsCut() throws Exception {
        try (var loop = loop()) {
            int length = cut(loop, 25);
            for (int first = 0; first <= length; first++) {
                cut(loop, 25, first);
                cut(loop, 25, first, 0, 1, 2);
            }
        }
    }

    @Test
    void comesOnceBehindAnAnswerThatFillsTheWriteBuffer() throws Exception {
        try (var loop = loop()) {
            int most = 64 * 1024 - cut(loop, 0);
            // from where both have room to where only the answer has
            for (int length = most - 50; length < most + 50; length++) {
                cut(loop, length);
                cut(loop, length, 64 * 1024 - 30, 10);
            }
        }
    }
}

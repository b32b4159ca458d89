package org.microhttp;

import static java.nio.channels.SelectionKey.OP_READ;
import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;

/** What tests of received bodies share: a handler that has its bodies received, but those for /kept. */
abstract class BodyReceiverFixture extends ConnectionFixture {

    static final String HEAD = "POST / HTTP/1.1\r\nHost: x\r\n";

    /** The beginning of a request with a body of ten bytes, and of one with a body in chunks. */
    static final String COUNTED = HEAD + "Content-Length: 10\r\n\r\n";
    static final String CHUNKED = HEAD + "Transfer-Encoding: chunked\r\n\r\n";

    /** How a body ends of which three bytes in a chunk have come and been passed on. */
    enum End {

        COMPLETE, RESET, TRUNCATED, MALFORMED, SILENT, REQUESTED_ZERO;

        void happen(ScriptedLoop loop, ScriptedLoop.Client client, ScriptedReceiver receiver) {
            switch (this) {
                case COMPLETE -> client.turn("0\r\n\r\n");
                case RESET -> client.channel.reset();
                case TRUNCATED -> client.channel.end();
                case MALFORMED -> client.turn("x\r\n");
                case SILENT -> client.timeOut();
                case REQUESTED_ZERO -> receiver.subscription.request(0);
            }
            loop.runTasks();
            client.turn();
        }
    }

    /** The subscriber of the next body. */
    ScriptedReceiver receiver = ScriptedReceiver.requesting(Long.MAX_VALUE);

    /** How often the handler was asked for a subscriber; how many requests it has handled at once. */
    int asked;
    int handled;

    @BeforeEach
    void start() throws IOException {
        start(new Options());
    }

    void start(Options options) throws IOException {
        start(options, new Handler() {

            @Override
            public void handle(Request request, Consumer<Response> callback) {
                handled++;
                boolean streamed = request.receiver() != null;
                callback.accept(Response.text(200, streamed ? "streamed" : "kept " + request.body().length));
            }

            @Override
            public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
                asked++;
                assertEquals("POST", request.method());
                assertEquals("x", request.host());
                return request.path().equals("/kept") ? null : receiver;
            }
        });
    }

    /** The same request, which the handler answers when the test does. */
    static String later(String request) {
        return request.replace("POST /", "POST /later");
    }

    void expectSignals(String signals) {
        assertEquals(signals, "" + receiver.signals);
    }

    void expectStatus(int status) {
        String received = client.received();
        assertTrue(received.startsWith("HTTP/1.1 " + status + " "), received);
    }

    void expectRefusal(int status, String code) {
        String received = client.received();
        assertTrue(received.startsWith("HTTP/1.1 " + status + " "), received);
        assertTrue(received.contains("Connection: close") && received.contains(code + ": "), received);
        assertEquals(0, handled);
    }

    void happen(End end) {
        end.happen(loop, client, receiver);
    }

    /** Begins a body of which three bytes have come, and that the handler answers when the test does. */
    void begin() {
        client.turn(later(CHUNKED) + "3\r\nabc\r\n");
        loop.runTasks();
    }

    /** Does it on another thread, and fails if it throws or does not return. */
    static void apart(Runnable action) {
        try {
            CompletableFuture.runAsync(action).get(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** So many turns, in which is read only what the selector would have the connection read. */
    void turns(int count) {
        for (int i = 0; i < count; i++) {
            loop.runTasks();
            if ((client.interest() & OP_READ) != 0) client.turn();
        }
    }

    /** Sends a body of ten bytes, each of which is a read of its own. */
    void sendTen(String head) {
        client.turn(head);
        for (String piece : "abcdefghij".split("")) {
            client.channel.send(piece);
        }
    }

    ScriptedLoop.Client connect() {
        try {
            return loop.connect();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}

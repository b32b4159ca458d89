package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.*;
import org.microhttp.simulation.network.*;

/**
 * What a subscriber gets of the body of a request, and what the client and the handler see of it: first the
 * scripts, among them the rules of Reactive Streams (reactive-streams-jvm 1.0.4, §1 and §3), then what no
 * script can say.
 */
class BodyReceiverTest extends ConnectionFixture {

    private static final String POST = "POST / HTTP/1.1\r\nHost: x\r\n";

    private ScriptedReceiver receiver = ScriptedReceiver.requesting(Long.MAX_VALUE);

    private final Handler handler = new Handler() {

        @Override
        public void handle(Request request, Consumer<Response> callback) {
            callback.accept(Response.text(200, "received"));
        }

        @Override
        public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
            assertEquals("POST x", request.method() + " " + request.host());
            return receiver;
        }
    };

    @BeforeEach
    void start() throws IOException {
        start(new Options(), handler);
    }

    @TestFactory
    Stream<DynamicTest> scripts() {
        return Script.tests("uploads.txt");
    }

    @Test
    void wrappersKeepTheReceiver() throws IOException {
        start(new Options(), handler.andThen((request, response) -> response.withHeader("X", "y")));
        client.turn(POST + "Content-Length: 3\r\n\r\nabc");
        assertEquals("(abc)", "" + receiver.signals);
        assertTrue(client.received().contains("X: y"));
    }

    @Test
    void arrayOfABufferHasOnlyTheBody() {
        var lengths = new ArrayList<Integer>();
        receiver = new ScriptedReceiver() {

            @Override
            public void onNext(List<ByteBuffer> buffers) {
                buffers.forEach(buffer -> lengths.add(buffer.array().length));
                super.onNext(buffers);
            }
        };
        receiver.onSubscribe = given -> given.request(Long.MAX_VALUE);
        client.turn(POST + "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n2\r\nbc\r\n0\r\n\r\n"
                + get("/secret").repeat(10));
        assertEquals("(abc)", "" + receiver.signals);
        assertEquals(List.of(3), lengths);
    }

    /** Rule 3.3: 128 KiB in pieces of 16 bytes that are all there, each requested in the one before. */
    @Test
    void requestsInSignalsDoNotRecurse() {
        var depths = new LongSummaryStatistics();
        receiver.onSubscribe = given -> {
            for (int i = 0; i < 10_000; i++) {
                given.request(1);
            }
            assertEquals("(", "" + receiver.signals);
        };
        receiver.onNext = given -> {
            long depth = StackWalker.getInstance().walk(Stream::count);
            depths.accept(depth);
            given.request(1);
        };
        int pieces = 1 << 13;
        client.turn(POST + "Content-Length: " + (pieces << 4) + "\r\n\r\n");
        for (int i = 0; i < pieces; i++) {
            client.channel.send("0123456789abcdef");
        }
        for (int i = 0; i < pieces; i++) {
            loop.runTasks();
            client.turnToRead();
        }
        assertEquals(pieces, depths.getCount());
        assertTrue(("" + receiver.signals).endsWith("f)"));
        assertTrue(depths.getMax() - depths.getMin() < 10, "frames of calls: " + depths);
    }

    /** The task of a request still runs, but its turn has already looked for a cancel. */
    @Test
    void cancelAtTheEndOfATurnIsNoticed() {
        receiver = new ScriptedReceiver();
        client.turn(POST + "Content-Length: 9\r\n\r\nabc");
        receiver.subscription.request(1);
        loop.machine.observe(new Witness() {

            @Override
            public void strike(Call call, Peer peer) {
                if (call == Call.INTEREST) elsewhere(receiver.subscription::cancel);
            }
        });
        loop.runTasks();
        assertEquals("(abc", "" + receiver.signals);
        loop.runTasks();
        assertTrue(client.received().endsWith("received"));
    }

    /** As many as the client has sent pieces would have the loop read as often in its next turn. */
    @Test
    void requestsInSignalsAreOneTask() {
        receiver = ScriptedReceiver.requesting(1);
        receiver.onNext = given -> given.request(1);
        client.turn(POST + "Content-Length: 100\r\n\r\n");
        for (int i = 0; i < 50; i++) {
            client.turn("x");
        }
        assertEquals(51, receiver.signals.length());
        assertEquals(1, loop.context.tasks.present().count());
    }
}

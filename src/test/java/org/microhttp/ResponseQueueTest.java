package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.protocol.Budget;
import org.microhttp.testing.TestServer;

/** Each byte is sent once, in few writes, and memory that waits is charged, however little a socket takes. */
class ResponseQueueTest extends ConnectionFixture {

    private static final String CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
    private static final int BUFFER = 64 * 1024;
    private static final int WRITE = 256 * 1024;

    private final StringBuilder expected = new StringBuilder();
    private ClientSocket socket;
    private ScriptedPeer channel;
    private ResponseQueue queue;

    @BeforeEach
    void start() throws IOException {
        loop = new ScriptedLoop(TestServer::echoTarget);
        client = loop.connect();
        channel = client.channel;
        socket = client.connection.socket;
        queue = client.connection.queue;
        loop.context.connectionTurn.begin();
        expected.setLength(0);
    }

    private Exchange exchange(int bodyLength) throws IOException {
        Exchange exchange = Exchanges.of(loop.connect().connection);
        exchange.response = TestServer.ok(body(bodyLength));
        return exchange;
    }

    /** A text in which no two places look alike. */
    private static String body(int length) {
        var body = new StringBuilder();
        for (int i = 0; body.length() < length; i++) {
            body.append(i).append(' ');
        }
        return body.substring(0, length);
    }

    private void add(int bodyLength) throws IOException {
        expected.append(ok(body(bodyLength)));
        queue.add(exchange(bodyLength));
    }

    private void addInterim() throws IOException {
        Exchange exchange = exchange(0);
        exchange.response = Response.CONTINUE;
        expected.append(CONTINUE);
        queue.add(exchange);
    }

    private boolean flush() throws IOException {
        loop.context.connectionTurn.begin();
        return queue.flush();
    }

    private long held() {
        return Inside.used(loop.context.group.bytes);
    }

    private long answers() {
        return GroupContext.sum(loop.context).responses().get(2);
    }

    /** Turns until all is sent; the socket takes so many bytes a write, and now and then none. */
    private void sendAll(int most) throws IOException {
        int turns = 0;
        for (boolean sent = false; !sent; turns++) {
            channel.take(most, turns % 2 * most, 0);
            sent = flush();
            assertEquals(!sent, queue.blocked);
            assertTrue(turns <= 10_000 + expected.length(), "no end");
        }
        assertEquals(expected.toString(), channel.received());
        assertEquals(0, held());
    }

    @ParameterizedTest
    @CsvSource({"0, 1 2 3 7 64 100 1000", "1, 1 2 3 7 64 100 1000", "500, 1 2 3 7 64 100 1000",
        "65496, 999 1000 65535 65536 65537", "65536, 999 1000 65535 65536 65537",
        "196608, 999 1000 65535 65536 65537"})
    void sendsEveryByteOnceHoweverFewTheSocketTakes(int size, String parts) throws Exception {
        for (String part : parts.split(" ")) {
            start();
            channel.room = 0;
            add(size);
            assertFalse(flush());
            sendAll(Integer.parseInt(part));
            assertEquals(1, answers());
        }
    }

    /** From where both fit the write buffer to where the first alone does not. */
    @Test
    void sendsAnInterimResponseAfterOneThatFillsTheBuffer() throws Exception {
        for (int length = BUFFER - 150; length < BUFFER + 10; length++) {
            add(length);
            addInterim();
            assertTrue(flush());
            assertEquals(expected.toString(), channel.received());
            start();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 50, 1000})
    void sendsALargeAnswerAfterSmallOnes(int part) throws Exception {
        channel.take(part, 0).room = 0;
        add(5);
        add(6);
        add(BUFFER + 5);
        assertFalse(flush());
        assertEquals(part, channel.length());
        sendAll(BUFFER / 3);
        assertEquals(3, answers());
    }

    /** How much a socket takes that was full is not known. */
    @Test
    void writesLittleAtFirstToASocketThatWasFull() throws Exception {
        add(4 * WRITE);
        channel.take(1_000, BUFFER, 0);
        assertFalse(flush());
        assertFalse(flush());
        assertEquals(3, channel.writes, "it takes the second write, so there is a third");
        channel.take(1_000_000, 0);
        assertFalse(flush());
        assertEquals(1_000 + 2 * BUFFER, channel.length());
    }

    /** The program has made it, and it is not counted. */
    @Test
    void holdsNothingForTheFirstResponse() throws Exception {
        channel.room = 0;
        add(1000);
        assertFalse(flush());
        assertEquals(0, held());
        sendAll(1000);
    }

    /** Each is counted with its body in full, but for the largest, and no longer when it is the first. */
    @Test
    void holdsTheResponsesAfterTheFirstAndAllBodiesButTheLargest() throws Exception {
        channel.take(10).room = 0;
        add(100);
        add(2000);
        add(30_000);
        assertFalse(flush());
        long two = held();
        assertTrue(two > 2_100 && two < 4_000, two + " bytes");
        channel.take(300);
        assertFalse(flush());
        long one = held();
        assertTrue(one > 2_000 && one < 3_000, one + " bytes");
        channel.take(3000);
        assertFalse(flush());
        assertEquals(0, held(), "what is left is of one response");
        channel.room = BUFFER;
        sendAll(BUFFER);
    }

    @Test
    void failsIfNothingMayBeBuffered() throws Exception {
        Budget bytes = loop.context.group.bytes;
        long all = bytes.limit;
        assertTrue(bytes.tryTake(all));
        channel.room = 0;
        add(10);
        add(10);
        socket.report(assertThrows(IOException.class, this::flush));
        assertEquals(1, loop.log.count("out_of_buffers"));
        assertEquals(all, Inside.used(bytes));
        queue.drop();
        assertEquals(all, Inside.used(bytes));
    }
}

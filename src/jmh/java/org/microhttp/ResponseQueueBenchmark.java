package org.microhttp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.microhttp.protocol.RefusalException;
import org.microhttp.protocol.RequestHead;
import org.microhttp.protocol.RequestParser;
import org.microhttp.protocol.Syntax;
import org.microhttp.versions.MemoryChannel;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/**
 * What does it cost to send a response: one that the handler keeps, one that it makes for each request, a
 * body of 1 MiB that leaves in pieces, and an answer to HEAD? The channel is in memory. The clock is read for
 * each, as it is for each turn of a connection, so the date is rendered once a second.
 */
public class ResponseQueueBenchmark extends Measured {

    private static final RequestParser GET = parser("GET"), HEAD = parser("HEAD");

    private LoopContext loop;
    private Connection connection;
    private MemoryChannel channel;
    private ResponseQueue queue;
    private final Response hello = Samples.hello();
    private final Response large = new Response(200, "OK",
            List.of(new Header("Content-Type", "application/octet-stream")), new byte[1024 * 1024]);

    /** One that has just parsed a request. */
    private static RequestParser parser(String method) {
        byte[] bytes = Syntax.bytes(method + " / HTTP/1.1\r\nHost: x\r\n\r\n");
        var parser = Samples.parser();
        parser.receive(ByteBuffer.wrap(bytes), new byte[bytes.length]);
        try {
            parser.next();
        } catch (RefusalException e) {
            throw new IllegalStateException(e);
        }
        return parser;
    }

    @Setup
    public void open() throws IOException {
        Handler none = (request, callback) -> { };
        MemoryChannel.Key key = new MemoryChannel.Key();
        loop = Samples.loop(none);
        channel = key.channel();
        connection = new Connection(loop, channel, key);
        queue = new ResponseQueue(connection.socket);
    }

    @Benchmark
    public long kept() throws IOException { return send(hello, GET); }

    @Benchmark
    public long madeForEachRequest() throws IOException { return send(Samples.hello(), GET); }

    @Benchmark
    public long bodyOf1MiB() throws IOException { return send(large, GET); }

    @Benchmark
    public long head() throws IOException { return send(hello, HEAD); }

    private long send(Response response, RequestParser asked) throws IOException {
        var exchange = new Exchange(connection, asked, RequestHead.NONE);
        exchange.response = response;
        queue.add(exchange);
        loop.clock.endTurn();
        boolean sent = false;
        while (!sent) {
            loop.shares.begin();
            if (queue.waits()) queue.leaveLine();
            loop.connectionTurn.begin();
            sent = queue.flush();
        }
        return channel.written();
    }
}

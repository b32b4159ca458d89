package org.microhttp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.microhttp.versions.MemoryChannel;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/**
 * What does it cost to turn a response into bytes: one that the handler keeps, one that it makes for each
 * request, a body of 1 MiB that leaves in pieces, and an answer to HEAD? The clock is read for each, as it is
 * once a turn, so the date is rendered once a second.
 */
public class EncoderBenchmark extends Measured {

    private static final RequestParser GET = parser("GET"), HEAD = parser("HEAD");

    private Connection connection;
    private final ResponseEncoder encoder = new ResponseEncoder();
    private final ResponseTail tail = new ResponseTail(new Clock());
    private final ByteBuffer out = ByteBuffer.allocateDirect(64 * 1024);
    private final Response hello = Samples.hello();
    private final Response large = new Response(200, "OK",
            List.of(new Header("Content-Type", "application/octet-stream")), new byte[1024 * 1024]);

    /** One that has just parsed a request. */
    private static RequestParser parser(String method) {
        byte[] bytes = Syntax.octets(method + " / HTTP/1.1\r\nHost: x\r\n\r\n");
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
        connection = new Connection(Samples.loop(none), key.channel(), key);
    }

    @Benchmark
    public Object kept() throws IOException { return encode(hello, false); }

    @Benchmark
    public Object madeForEachRequest() throws IOException { return encode(Samples.hello(), false); }

    @Benchmark
    public Object bodyOf1MiB() throws IOException { return encode(large, false); }

    @Benchmark
    public Object head() throws IOException { return encode(hello, true); }

    private ResponseEncoder encode(Response response, boolean toHead) throws IOException {
        var exchange = new Exchange(connection, toHead ? HEAD : GET, RequestHead.NONE, 0);
        exchange.response = response;
        encoder.start(exchange, tail.of(exchange, System.nanoTime()));
        boolean whole = false;
        while (!whole) {
            whole = encoder.encode(out.clear());
        }
        return encoder;
    }
}

package org.microhttp;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.microhttp.protocol.RefusalException;
import org.microhttp.protocol.RequestParser;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.infra.Blackhole;

/**
 * What does it cost to turn received bytes into one request: the smallest one, a browser's, one with a body,
 * with a chunked body, one of a pipelined batch, and one that arrives in two parts? Each is a turn as a
 * connection takes it: bytes from the direct read buffer into the queue, requests until there are no more,
 * then what is left over is kept. Nobody looks at the header fields; {@link HeaderBenchmark} does.
 */
public class ParserBenchmark extends Measured {

    private static final int BATCH = 16;

    private final RequestParser parser = Samples.parser();
    private final byte[] scratch = new byte[64 * 1024];
    private final ByteBuffer hello = Samples.received(Samples.HELLO);
    private final ByteBuffer browser = Samples.received(Samples.BROWSER);
    private final ByteBuffer post = Samples.received(Samples.POST);
    private final ByteBuffer chunked = Samples.received(Samples.CHUNKED);
    private final ByteBuffer batch = Samples.received(Samples.repeat(Samples.HELLO, BATCH));
    private final ByteBuffer firstPart = Samples.received(Arrays.copyOf(Samples.BROWSER, 500));
    private final ByteBuffer secondPart =
            Samples.received(Arrays.copyOfRange(Samples.BROWSER, 500, Samples.BROWSER.length));

    @Benchmark
    public void hello(Blackhole seen) throws Exception { turn(hello, 1, seen); }

    @Benchmark
    public void browser(Blackhole seen) throws Exception { turn(browser, 1, seen); }

    @Benchmark
    public void bodyOf4KiB(Blackhole seen) throws Exception { turn(post, 1, seen); }

    @Benchmark
    public void chunkedBodyOf4KiB(Blackhole seen) throws Exception { turn(chunked, 1, seen); }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void pipelined(Blackhole seen) throws Exception { turn(batch, BATCH, seen); }

    @Benchmark
    public void browserInTwoParts(Blackhole seen) throws Exception {
        turn(firstPart, 0, seen);
        turn(secondPart, 1, seen);
    }

    /** A sample that is refused, or not all requests, would give a fast and wrong figure. */
    private void turn(ByteBuffer received, int requests, Blackhole seen) throws RefusalException {
        parser.receive(received.flip(), scratch);
        int count = 0;
        for (Request request; (request = Samples.next(parser)) != null; count++) seen.consume(request);
        parser.keep(scratch);
        if (count != requests) throw new IllegalStateException(count + " requests, not " + requests);
    }
}

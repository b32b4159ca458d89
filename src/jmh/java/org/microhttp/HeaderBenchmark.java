package org.microhttp;

import java.nio.ByteBuffer;
import java.util.List;
import org.microhttp.protocol.RequestHead;
import org.microhttp.protocol.RequestParser;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * What does a handler pay that looks at the fields of a browser's request: at the first, at the last, at one
 * that is not there, or at all of them? The parser only keeps the bytes of the section, so the first look
 * costs most; a new request each time measures that, and a second look at the same request what is left.
 */
public class HeaderBenchmark extends Measured {

    private final RequestHead head = head();
    private final Request seen = request();

    private static RequestHead head() {
        RequestParser parser = Samples.parser();
        parser.receive(ByteBuffer.wrap(Samples.BROWSER), new byte[Samples.BROWSER.length]);
        return parser.next();
    }

    private Request request() { return new Request(head, new byte[0], null, new Abandonment(), null); }

    @Benchmark
    public Request none() { return request(); }

    @Benchmark
    public String first() { return request().header("host"); }

    @Benchmark
    public String last() { return request().header("cookie"); }

    @Benchmark
    public String missing() { return request().header("authorization"); }

    @Benchmark
    public List<Header> headers() { return request().headers(); }

    @Benchmark
    public String secondLookAtLast() { return seen.header("cookie"); }
}

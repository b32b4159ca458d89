package org.microhttp;

import java.util.Arrays;
import java.util.List;
import org.microhttp.protocol.RequestHead;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * What does a handler pay that looks at the fields of a browser's request: at the first, at the last, at one
 * that is not there, or at all of them? The parser only keeps the bytes of the section, so the first look
 * costs most; a new request each time measures that, and a second look at the same request what is left.
 */
public class HeaderBenchmark extends Measured {

    private final byte[] section = section();
    private final Request seen = request();

    /** The field lines alone: without request line, and without the empty line. */
    private static byte[] section() {
        int from = 0;
        while (Samples.BROWSER[from++] != '\n') { }
        return Arrays.copyOfRange(Samples.BROWSER, from, Samples.BROWSER.length - 2);
    }

    private Request request() {
        var head = new RequestHead("GET", "/", "HTTP/1.1");
        head.fields = section;
        return new Request(head, new byte[0], null, null);
    }

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

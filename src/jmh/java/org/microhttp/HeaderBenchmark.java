package org.microhttp;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does a handler pay that looks at the fields of a browser's request: at the first, at the last, at one
 * that is not there, or at all of them? The parser only keeps the bytes of the section, so the first look
 * costs most; a new request each time measures that, and a second look at the same request what is left.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class HeaderBenchmark {

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
        return new Request(head, new byte[0], null);
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

package org.microhttp;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.microhttp.versions.MemoryChannel;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;

/**
 * What does the whole library cost for one request, and how much of what a server does is it? A real
 * connection with parser, queue and scheduler, driven as the loop drives it, over a channel in memory: bytes
 * in, handler, bytes out. What the kernel and the selector add is the difference to a load test.
 */
public class ConnectionBenchmark extends Measured {

    private static final int BATCH = 16;

    private final ByteBuffer hello = Samples.received(Samples.HELLO).flip();
    private final ByteBuffer browser = Samples.received(Samples.BROWSER).flip();
    private final ByteBuffer post = Samples.received(Samples.POST).flip();
    private final ByteBuffer batch = Samples.received(Samples.repeat(Samples.HELLO, BATCH)).flip();
    private LoopContext loop;
    private MemoryChannel channel;
    private Connection connection;

    @Setup
    public void open() throws IOException {
        Response response = Samples.hello();
        loop = Samples.loop((request, callback) -> callback.accept(response));
        MemoryChannel.Key key = new MemoryChannel.Key();
        channel = key.channel();
        connection = new Connection(loop, channel, key);
    }

    /** The thread that measures is the loop's: an answer from another would go through the task queue. */
    @Setup(Level.Iteration)
    public void enter() { loop.tasks.thread = Thread.currentThread(); }

    @Benchmark
    public long hello() { return turn(hello); }

    @Benchmark
    public long browser() { return turn(browser); }

    @Benchmark
    public long bodyOf4KiB() { return turn(post); }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long pipelined() { return turn(batch); }

    /** One turn, with the look at the clock that the loop takes after it has slept: answered in one write. */
    private long turn(ByteBuffer request) {
        loop.clock.endTurn();
        long before = channel.writes();
        channel.send(request);
        connection.onReady();
        if (channel.writes() != before + 1) throw new IllegalStateException("not one write");
        return channel.written();
    }
}

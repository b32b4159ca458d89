package org.microhttp;

import java.io.IOException;
import java.net.*;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Several event loops on one port, to use several processors. For example, with four loops:
 * <pre>{@code
 *   new EventLoopGroup(new Options().withPort(8080), new SystemLogger(), handler, 4).start();
 * }</pre>
 * Each loop has its own thread, selector and connections, and accepts for itself where the platform lets
 * ports be shared (SO_REUSEPORT). The kernel spreads connections unevenly, so a loop hands a new connection
 * to the loop with the fewest connections; then the connection stays there.
 * <p>
 * <b>Handlers run concurrently</b>: the handler and the logger are called by all loops' threads at once.
 * {@code maxConnections}, {@code maxBufferedBytes} and {@code maxPendingRequests} hold for the group as a
 * whole. A port in use is refused, unless {@code reusePort} is set here and by its other user.
 */
public final class EventLoopGroup implements Server {

    private final List<EventLoop> loops = new ArrayList<>();

    /** The loop that binds before the others, and runs on the thread that starts the group. */
    private final EventLoop first;
    private final AtomicBoolean started = new AtomicBoolean();
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    /** The first failure of a loop, or of the start of a thread; null if nothing failed. */
    private volatile Throwable failure;

    /**
     * Binds with default options and a loop for each processor, and prints every event.
     *
     * @param handler answers the requests, on several threads at once
     * @throws IOException          if the port cannot be bound; the message says which and why
     * @throws NullPointerException if the handler is null
     */
    public EventLoopGroup(Handler handler) throws IOException { this(new Options(), handler); }

    /**
     * Binds with a loop for each processor, and prints every event.
     *
     * @param options the settings
     * @param handler answers the requests, on several threads at once
     * @throws IOException              if the port cannot be bound; the message says which and why
     * @throws IllegalArgumentException if two options contradict each other
     * @throws NullPointerException     if an argument is null
     */
    public EventLoopGroup(Options options, Handler handler) throws IOException {
        this(options, new DebugLogger(), handler);
    }

    /**
     * Binds with a loop for each processor.
     *
     * @param options the settings
     * @param logger  gets the events, on several threads at once
     * @param handler answers the requests, on several threads at once
     * @throws IOException              if the port cannot be bound; the message says which and why
     * @throws IllegalArgumentException if two options contradict each other
     * @throws NullPointerException     if an argument is null
     */
    public EventLoopGroup(Options options, Logger logger, Handler handler) throws IOException {
        this(options, logger, handler, Runtime.getRuntime().availableProcessors());
    }

    /**
     * Binds.
     *
     * @param options the settings
     * @param logger  gets the events, on several threads at once
     * @param handler answers the requests, on several threads at once
     * @param size    how many loops, 1 to 1024
     * @throws IOException              if the port cannot be bound; the message says which and why
     * @throws IllegalArgumentException if two options contradict each other, or the size is out of its range
     * @throws NullPointerException     if an argument is null
     */
    public EventLoopGroup(Options options, Logger logger, Handler handler, int size) throws IOException {
        Check.within("size", size, 1, 1024);
        // the first loop binds alone, so that a port in use is noticed
        first = new EventLoop(options, logger, handler);
        loops.add(first);
        try {
            SocketAddress others = options.sharing() && size > 1 ? first.acceptor.share() : null;
            while (loops.size() < size) {
                loops.add(new EventLoop(options, logger, handler, first.context.group, others));
            }
        } catch (Throwable t) {
            close();
            throw t;
        }
    }

    @Override
    public SocketAddress getAddress() { return first.getAddress(); }

    /**
     * Runs the first loop on the calling thread and the others on new threads, and returns when all have
     * ended: after {@link #stop}, or after an interrupt of the calling thread that {@link EventLoop#start}
     * takes for a stop; then the interrupt flag is set. By then every connection, the port and every
     * descriptor are closed.
     *
     * @throws IllegalStateException if the group was started before and not stopped since; or if a loop
     *                               failed, which stops the others, with the failure as the cause
     */
    @Override
    public void start(Runnable running) {
        Objects.requireNonNull(running, "running");
        if (started.getAndSet(true)) {
            if (!first.isStopping()) throw new IllegalStateException("a group starts once");
            first.join(end);
            return;
        }
        try {
            serve(running);
            end.complete(null);
        } catch (Throwable t) {
            end.completeExceptionally(t);
            throw t;
        }
    }

    private void serve(Runnable running) {
        var missing = new AtomicInteger(loops.size());
        Runnable present = () -> {
            if (missing.decrementAndGet() == 0) running.run();
        };
        List<Thread> threads = loops.stream().skip(1)
                .map(loop -> new Thread(() -> run(loop, present), "microhttp-" + loops.indexOf(loop)))
                .toList();
        try {
            threads.forEach(Thread::start);
        } catch (Throwable t) {
            failure = t;
            // this also closes the loops whose threads did not start
            loops.forEach(EventLoop::close);
        }
        run(first, present);
        threads.forEach(this::join);
        if (failure instanceof IllegalStateException failed) throw failed;
        if (failure != null) throw new IllegalStateException("the group failed", failure);
    }

    @Override
    public CompletableFuture<Void> ended() { return end.copy(); }

    /** Waits until a thread has ended. An interrupt, also one that ended the first loop, stops all loops. */
    private void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            boolean early = loops.stream().anyMatch(loop -> !loop.context.end.stopped);
            if (early) first.context.log.report(Event.LOOP_INTERRUPT, stats().connections());
            stop();
            join(thread);
            Thread.currentThread().interrupt();
        }
    }

    /** Runs a loop. If it has failed, or an interrupt has ended it, stops the others. */
    private void run(EventLoop loop, Runnable running) {
        try {
            loop.start(running);
        } catch (Throwable t) {
            if (failure == null) failure = t;
        }
        if (failure != null || loop.context.end.interrupted) stop();
    }

    /** Makes {@link #start} return soon, as {@link EventLoop#stop()} does. */
    @Override
    public void stop() { loops.forEach(EventLoop::stop); }

    /**
     * Stops all loops gracefully, as {@link EventLoop#stop(Duration)} does.
     *
     * @param grace how long requests may take, 0 to 365 days; then the rest is dropped
     * @return how many requests were dropped; 0 on a thread of one of the loops, where the stop only begins
     * @throws IllegalArgumentException if the grace period is out of its range
     */
    @Override
    public int stop(Duration grace) {
        long until = first.until(grace);
        loops.forEach(loop -> loop.leave(until));
        int dropped = loops.stream().mapToInt(loop -> loop.awaitEnd(until)).sum();
        // of a group that never started no other thread does
        if (!started.get()) end.complete(null);
        if (!first.context.group.isLoopThread()) first.await(end, until);
        return dropped;
    }

    /**
     * Says whether the calling thread runs one of the loops. A server around this one must not wait there.
     *
     * @return true on a loop's thread, where {@link #stop(Duration)} does not wait
     */
    public boolean isLoopThread() { return first.context.group.isLoopThread(); }

    @Override
    public Stats stats() { return first.stats(); }
}

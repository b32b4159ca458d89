package org.microhttp;

import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;

/**
 * What the connections of one loop have in common: buffers, limits, the time, and the tasks for the loop's
 * thread, by which a response that was made elsewhere comes back. All but {@link #execute} is for the loop's
 * thread alone.
 */
final class Shared implements Executor {

    /** What is encoded in one go; larger responses leave piece by piece through it. */
    private static final int WRITE_BUFFER_SIZE = 64 * 1024;

    final Selector selector;
    final Handler handler;
    final EventLog log;
    final Scheduler scheduler;
    final ResponseEncoder encoder = new ResponseEncoder();
    final Limits limits;
    final Budget budget;
    final long socketTimeout, requestTimeout, handlerTimeout;

    /**
     * Where the loop receives, and where bytes are parsed from if nothing was left over from the turn before.
     */
    final ByteBuffer received;
    final byte[] scratch;

    /** Where answers are collected; empty between turns. */
    final ByteBuffer out = ByteBuffer.allocateDirect(WRITE_BUFFER_SIZE);

    /** How many connections are open, and what is called when one was closed. */
    int open;
    Runnable onClose;

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private volatile Thread thread;
    private boolean asleep;
    private long now = System.nanoTime();

    Shared(Selector selector, Options options, Logger logger, Handler handler) {
        this.selector = selector;
        this.handler = handler;
        log = new EventLog(logger);
        scheduler = new Scheduler(now, options.resolution.toNanos());
        limits = new Limits(options.maxRequestSize, options.maxHeaderSize, options.maxHeaders);
        long most = options.maxBufferedBytes;
        if (most > 0 && most < options.maxRequestSize) {
            throw new IllegalArgumentException("maxBufferedBytes is " + most + "; allowed: 0, or at least "
                    + options.maxRequestSize + ", the maxRequestSize");
        }
        long quarter = Runtime.getRuntime().maxMemory() / 4;
        budget = new Budget(most > 0 ? most : Math.max(quarter, options.maxRequestSize));
        socketTimeout = options.socketTimeout.toNanos();
        requestTimeout = options.requestTimeout.toNanos();
        handlerTimeout = options.handlerTimeout.toNanos();
        received = ByteBuffer.allocateDirect(options.readBufferSize);
        scratch = new byte[options.readBufferSize];
    }

    /** The time of this turn: the clock is read once a turn, when it is first asked for. */
    long now() {
        if (asleep) now = System.nanoTime();
        asleep = false;
        return now;
    }

    /** Called when a connection was closed. */
    void closed(long id) {
        log.closed(id);
        open--;
        onClose.run();
    }

    /** Ends the turn; the next look at the time reads the clock. */
    void sleep() { asleep = true; }

    /** Says which thread is the loop's from now on. */
    void runOn(Thread loop) { thread = loop; }

    boolean isLoopThread() { return Thread.currentThread() == thread; }

    /**
     * Runs a task on the loop's thread, soon. A selector that is woken once stays so: waking it again is
     * cheap.
     */
    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        // the loop looks at the queue before it sleeps, so on its own thread nothing is to be woken
        if (!isLoopThread()) selector.wakeup();
    }

    boolean hasTasks() { return !tasks.isEmpty(); }

    /** Runs tasks, at most so many: one that adds another must not hold the loop. */
    void runTasks(int most) {
        Runnable task;
        for (int i = 0; i < most && (task = tasks.poll()) != null; i++) task.run();
    }
}

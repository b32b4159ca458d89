package org.microhttp;

import java.lang.invoke.*;
import java.util.concurrent.*;

/**
 * The threads of {@link Handler#blocking(Responder)}, which all its handlers share. They are made when there
 * is work for them, and never need to be ended.
 */
final class BlockingThreads {

    /** Databases serve fewer connections than this, and so many stacks take some 200 MiB at worst. */
    private static final int MOST = 200;
    private static final int IDLE_SECONDS = 10;

    /** Not the executor itself, which a program could cast and shut down. */
    static final Executor SHARED = make()::execute;

    /** The project is compiled for Java 17, so a method of Java 21 can only be found by its name. */
    private static Executor make() {
        try {
            return (Executor) MethodHandles.publicLookup().findStatic(Executors.class,
                    "newVirtualThreadPerTaskExecutor", MethodType.methodType(ExecutorService.class)).invoke();
        } catch (Throwable t) {
            // there is none, or, in Java 19 and 20, none without a flag
            return pool();
        }
    }

    /** Makes a daemon thread for each task, up to the limit; after that tasks wait for these threads. */
    static ThreadPoolExecutor pool() {
        var pool = new ThreadPoolExecutor(MOST, MOST, IDLE_SECONDS, TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(), BlockingThreads::thread);
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static Thread thread(Runnable work) {
        var thread = new Thread(work, "microhttp-blocking");
        thread.setDaemon(true);
        return thread;
    }
}

package org.microhttp.httpserver;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that run handlers if the program sets no executor: a virtual thread for each exchange if Java
 * has them, else a free thread, or a new one of at most {@value #MOST}; further exchanges wait.
 */
final class HandlerThreads {

    /** A slow client holds a thread, so a thousand slow clients must leave some. */
    private static final int MOST = 2_000;
    private static final int IDLE_SECONDS = 10;

    private HandlerThreads() {
    }

    /** Takes a task only if a thread waits for one: otherwise the pool makes a thread. */
    private static final class Waiting extends LinkedTransferQueue<Runnable> {

        private static final long serialVersionUID = 1;

        @Override
        public boolean offer(Runnable task) {
            return tryTransfer(task);
        }

        /** Queues a task when the pool has all its threads. */
        void add(Runnable task, ThreadPoolExecutor pool) {
            if (pool.isShutdown()) {
                throw new RejectedExecutionException("the server is stopped");
            }
            put(task);
        }
    }

    /** The project is compiled for Java 17, so a method of Java 21 can only be found by its name. */
    static ExecutorService make() {
        try {
            return (ExecutorService) MethodHandles.publicLookup().findStatic(Executors.class,
                    "newVirtualThreadPerTaskExecutor", MethodType.methodType(ExecutorService.class)).invoke();
        } catch (Throwable t) {
            // Java has no such method, or, in 19 and 20, none without a flag
            return pool();
        }
    }

    private static ExecutorService pool() {
        var waiting = new Waiting();
        return new ThreadPoolExecutor(0, MOST, IDLE_SECONDS, TimeUnit.SECONDS, waiting,
                task -> new Thread(task, "HTTP-Handler"), waiting::add);
    }
}

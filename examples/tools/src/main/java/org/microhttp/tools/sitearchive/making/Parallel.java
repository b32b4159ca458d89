package org.microhttp.tools.sitearchive.making;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.microhttp.tools.processes.BatchProgram;

/** Work on many things by several threads. The first failure ends it, and so does the end of the program. */
final class Parallel {

    /** What is done with a thing. */
    @FunctionalInterface
    interface Work<T> {

        void on(T item) throws IOException, InterruptedException;
    }

    private Parallel() {
    }

    /** Works on all of them, begun in their order, and returns when nothing is done any more. */
    static <T> void each(List<T> items, int jobs, Work<T> work) throws IOException, InterruptedException {
        var next = new AtomicInteger();
        Callable<Void> job = () -> {
            try {
                for (int i = next.getAndIncrement(); i < items.size(); i = next.getAndIncrement()) {
                    BatchProgram.requireRunning();
                    work.on(items.get(i));
                }
                return null;
            } finally {
                next.set(items.size());
            }
        };
        List<Callable<Void>> all = new ArrayList<>();
        for (int i = 0; i < Math.min(jobs, items.size()); i++) {
            all.add(job);
        }
        run(all);
    }

    private static void run(List<Callable<Void>> jobs) throws IOException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(Math.max(1, jobs.size()));
        try {
            for (Future<Void> job : threads.invokeAll(jobs)) {
                job.get();
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            if (e.getCause() instanceof InterruptedException interrupt) {
                throw interrupt;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            end(threads);
        }
    }

    /** What they are at is over before anything is removed. */
    private static void end(ExecutorService threads) throws InterruptedException {
        threads.shutdownNow();
        threads.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    }
}

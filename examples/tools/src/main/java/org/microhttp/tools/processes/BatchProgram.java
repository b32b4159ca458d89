package org.microhttp.tools.processes;

import java.io.InterruptedIOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/** A program that does its work and ends, and what it does when it is told to end before that. */
public final class BatchProgram {

    private static final int LOOK_MILLIS = 20;

    /** For the program to return by itself, so that it ends within a second. */
    private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(600);

    private static final Set<Runnable> REMOVALS = ConcurrentHashMap.newKeySet();

    private static volatile boolean ending;

    private BatchProgram() {
    }

    /** Whether Ctrl-C or SIGTERM has come: what fails from then on is no failure. */
    public static boolean isEnding() {
        return ending;
    }

    /** Fails if Ctrl-C or SIGTERM has come. */
    public static void requireRunning() throws InterruptedIOException {
        if (ending) {
            throw new InterruptedIOException("it was told to end");
        }
    }

    /**
     * Says what removes the unfinished work of a program that does not return in time, since it waits for a
     * file that nobody writes, for example. It may run while the program does the same.
     *
     * @return what takes that back, when there is nothing to remove any more
     */
    public static Runnable removeAtEnd(Runnable removal) {
        REMOVALS.add(removal);
        return () -> REMOVALS.remove(removal);
    }

    /**
     * Runs a program. On Ctrl-C and SIGTERM its thread is interrupted, and the programs that it has started
     * end. If it has not returned after more than half a second, its unfinished work is removed without it.
     *
     * @return the exit code that the program returns
     */
    public static int run(IntSupplier program) {
        var returned = new CountDownLatch(1);
        Thread thread = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(thread, returned), "ending"));
        try {
            return program.getAsInt();
        } finally {
            returned.countDown();
        }
    }

    /** Other programs get Ctrl-C themselves, but not SIGTERM. One may be started meanwhile. */
    private static void end(Thread program, CountDownLatch returned) {
        if (returned.getCount() == 0) {
            return;
        }
        ending = true;
        program.interrupt();
        long end = System.nanoTime() + GRACE_NANOS;
        try {
            boolean over;
            do {
                ProcessHandle.current().children().forEach(ProcessHandle::destroy);
                over = returned.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            } while (!over && System.nanoTime() - end < 0);
            if (!over) {
                REMOVALS.forEach(Runnable::run);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

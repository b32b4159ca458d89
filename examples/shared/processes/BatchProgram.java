package processes;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/** A program that does its work and ends, and what it does when it is told to end before that. */
public final class BatchProgram {

    private static final int LOOK_MILLIS = 20;

    private static volatile boolean ending;

    private BatchProgram() {
    }

    /** Whether Ctrl-C or SIGTERM has come: what fails from then on is no failure. */
    public static boolean isEnding() {
        return ending;
    }

    /**
     * Runs a program. On Ctrl-C and SIGTERM the programs that it has started end, too.
     *
     * @param grace for the program to notice that it {@link #isEnding} and return
     * @return the exit code that the program returns
     */
    public static int run(IntSupplier program, Duration grace) {
        var returned = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(returned, grace), "ending"));
        try {
            return program.getAsInt();
        } finally {
            returned.countDown();
        }
    }

    /** They are told of Ctrl-C themselves, but not of SIGTERM. One may be started while others are ended. */
    private static void end(CountDownLatch returned, Duration grace) {
        ending = true;
        long end = System.nanoTime() + grace.toNanos();
        try {
            do {
                ProcessHandle.current().children().forEach(ProcessHandle::destroy);
            } while (System.nanoTime() - end < 0 && !returned.await(LOOK_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

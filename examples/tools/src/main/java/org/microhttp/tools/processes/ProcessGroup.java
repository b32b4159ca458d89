package org.microhttp.tools.processes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.microhttp.Options;

/**
 * Several processes that serve on one port, which they share (SO_REUSEPORT). This process serves nobody: it
 * starts them, prints what they print, and ends with them. When one ends, the others are ended, too, and none
 * is started again: who starts this one sees that, and may. The first is started alone, so what is wrong with
 * flags is told once.
 */
public final class ProcessGroup {

    public static final int MOST = 1024;

    /** As the JVM exits on Ctrl-C, which every process of a terminal gets. */
    private static final int INTERRUPTED = 130;

    private final String program;
    private final List<String> command;
    private final boolean json;
    private final long limitMillis;
    private final List<StartedProcess> started = new ArrayList<>();
    private boolean ending;

    /**
     * @param program     for messages
     * @param json        whether what they print is an object a line
     * @param limitMillis for each to end, when it is told to
     */
    public ProcessGroup(String program, List<String> command, boolean json, long limitMillis) {
        this.program = program;
        this.command = command;
        this.json = json;
        this.limitMillis = limitMillis;
    }

    /**
     * Runs them until one has ended.
     *
     * @param listening is given the port, when all listen
     * @return with which exit code this process is to end
     * @throws IOException if there is no such port, or Java cannot be started
     */
    public int run(Options options, int count, IntConsumer listening) throws IOException {
        Runtime.getRuntime().addShutdownHook(new Thread(this::end, "shutdown"));
        try (var port = new HeldPort(options)) {
            int shared = port.number();
            StartedProcess first = start(1, shared);
            if (!first.awaitListening()) {
                return told(first) ? first.process.exitValue() : failed(first, count);
            }
            for (int number = 2; number <= count; number++) {
                start(number, shared);
            }
            for (StartedProcess other : started.subList(1, count)) {
                if (!other.awaitListening()) {
                    return failed(other, count);
                }
            }
            listening.accept(shared);
            started.forEach(StartedProcess::startCopying);
        }
        return failed(awaitAny(), count);
    }

    private StartedProcess start(int number, int port) throws IOException {
        List<String> own = new ArrayList<>(command);
        own.addAll(1, List.of(ChildProcess.flags(number, port)));
        var builder = new ProcessBuilder(own);
        // those that Java has taken from there are in the command already
        builder.environment().keySet().removeAll(List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS"));
        var process = new StartedProcess(number, builder, json);
        synchronized (started) {
            started.add(process);
            if (ending) {
                process.tellToEnd();
            }
        }
        return process;
    }

    /** Whether it has said itself what is wrong with flags. */
    private static boolean told(StartedProcess process) {
        return process.process.onExit().join().exitValue() == 2;
    }

    private StartedProcess awaitAny() {
        List<CompletableFuture<StartedProcess>> ends = started.stream()
                .map(one -> one.process.onExit().thenApply(ended -> one))
                .toList();
        return CompletableFuture.anyOf(ends.toArray(CompletableFuture[]::new))
                .thenApply(StartedProcess.class::cast)
                .join();
    }

    /** Says which one has ended, unless all were told to. */
    private int failed(StartedProcess process, int count) {
        int status = process.process.onExit().join().exitValue();
        synchronized (started) {
            if (ending || status == INTERRUPTED) {
                return status;
            }
        }
        System.err.println(program + ": process " + process.number + " of " + count
                + " has ended, with " + status + "; so the others are ended, too");
        return 1;
    }

    /** As this process ends, whatever ends it. */
    private void end() {
        List<StartedProcess> all;
        synchronized (started) {
            ending = true;
            all = List.copyOf(started);
        }
        all.forEach(StartedProcess::tellToEnd);
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMillis);
        try {
            for (StartedProcess process : all) {
                long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
                process.awaitEnd(Math.max(left, 0));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

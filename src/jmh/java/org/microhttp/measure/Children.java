package org.microhttp.measure;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The processes that a program has started. None outlives it: what ends it in an orderly way ends them, and
 * should it be killed the kernel does, which {@code setpriv} asks for. Each has a limit of its own as well.
 * The kernel watches the thread that starts a process, so that must be one that lives as long: the main one.
 */
public final class Children {

    private static final Set<Process> LIVE = new HashSet<>();
    private static boolean closed;

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(Children::endAll));
    }

    private Children() { }

    /** Ends this program, and with it all of them, after so many seconds. */
    public static void endAfter(double seconds) {
        Thread thread = new Thread(() -> {
            try {
                Thread.sleep((long) (seconds * 1000));
            } catch (InterruptedException e) {
                return;
            }
            System.err.println("not finished after " + (int) seconds + " s");
            System.exit(3);
        });
        thread.setDaemon(true);
        thread.start();
    }

    /** Starts a command that is interrupted after so many seconds; its output, errors too, goes there. */
    public static synchronized Process start(List<String> command, double seconds, Redirect output)
            throws IOException {
        if (closed) throw new IOException("no process is started any more");
        Stream<String> limit =
                Stream.of("setpriv", "--pdeathsig", "TERM", "timeout", "-s", "INT", "-k", "5", "" + seconds);
        List<String> limited = Stream.concat(limit, command.stream()).toList();
        ProcessBuilder builder = new ProcessBuilder(limited).redirectErrorStream(true).redirectOutput(output)
                .redirectInput(Path.of("/dev/null").toFile());
        Process process = builder.start();
        LIVE.add(process);
        return process;
    }

    /** {@return what a command printed, which has so many seconds}; fails if it does. */
    public static String succeed(List<String> command, double seconds) throws IOException {
        Process process = start(command, seconds, Redirect.PIPE);
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            boolean ended = process.waitFor(10, TimeUnit.SECONDS);
            boolean failed = !ended || process.exitValue() != 0;
            if (failed) throw new IOException(command.get(0) + " failed: " + output.strip());
            return output;
        } catch (InterruptedException e) {
            throw new IOException(e);
        } finally {
            end(process);
        }
    }

    /** Asks a process to end, and insists when it does not. */
    public static synchronized void end(Process process) {
        List<ProcessHandle> family = family(process);
        process.destroy();
        try {
            process.waitFor(3, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            // then at once
        }
        family.forEach(ProcessHandle::destroyForcibly);
        LIVE.remove(process);
    }

    static List<ProcessHandle> family(Process process) {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
    }

    private static synchronized void endAll() {
        closed = true;
        LIVE.forEach(Process::destroy);
        List.copyOf(LIVE).forEach(Children::end);
    }
}

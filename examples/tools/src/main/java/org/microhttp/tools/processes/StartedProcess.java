package org.microhttp.tools.processes;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;

/**
 * One of the processes of a {@link ProcessGroup}, as seen from the one that has started it. Standard error is
 * that of this process; standard input is kept open, and its end tells that this process is gone.
 */
final class StartedProcess {

    final int number;
    final Process process;
    private final BufferedReader output;
    private final boolean json;
    private final Thread copier = new Thread(this::copy, "output");

    StartedProcess(int number, ProcessBuilder builder, boolean json) throws IOException {
        this.number = number;
        this.json = json;
        process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        // each byte a character, so that it is copied as it is
        output = process.inputReader(ISO_8859_1);
        copier.setDaemon(true);
    }

    /**
     * Waits for its first line, which says that it listens.
     *
     * @return false if it has ended before
     */
    boolean awaitListening() {
        try {
            return output.readLine() != null;
        } catch (IOException e) {
            return false;
        }
    }

    /** Has what it prints from then on printed here. */
    void startCopying() {
        copier.start();
    }

    private void copy() {
        try {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                print(System.out, line);
            }
        } catch (IOException e) {
            // it was ended
            return;
        }
    }

    /** Each line says which process it is of. */
    private void print(PrintStream out, String line) {
        String marked = "[" + number + "] " + line;
        if (json && line.endsWith("}")) {
            marked = line.substring(0, line.length() - 1) + ",\"process\":" + number + "}";
        }
        byte[] bytes = (marked + "\n").getBytes(ISO_8859_1);
        out.write(bytes, 0, bytes.length);
        out.flush();
    }

    /** Asks it to end. Unlike {@link Process#destroy} this leaves its output to be read. */
    void tellToEnd() {
        process.toHandle().destroy();
    }

    /** Waits until it has ended and its output is copied; ends it by force after that time. */
    void awaitEnd(long millis) throws InterruptedException {
        if (!process.waitFor(millis, TimeUnit.MILLISECONDS)) {
            process.destroyForcibly();
        }
        copier.join(Math.max(millis, 1));
    }
}

package org.microhttp.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.microhttp.faults.soak.EdgePair;
import org.microhttp.faults.soak.Soak;
import org.microhttp.faults.soak.SoakRow;

/**
 * An hour of what an adopter may have: real clients, HAProxy and nginx before servers that are restarted in
 * turn, archives that are replaced, and beside them faults. No request of a client that does all right fails,
 * and a server that is never restarted has at the end no more in use than in the beginning. Prints a row
 * every ten minutes, or every tenth of a shorter time. Needs curl, h2load, HAProxy, nginx and openssl; uses
 * ab, wrk and slowhttptest, too. Not run by Maven:
 * <pre>
 *   src/test/full FullSoak [minutes]
 * </pre>
 * The minutes may be seconds, as in {@code 30s}.
 */
final class FullSoak {

    private static final long SECONDS = 3_600;

    /** Between rows: of the whole in seconds, or of a shorter time in parts of it. */
    private static final double INTERVAL = 600;
    private static final double SHARE = 0.1;

    /** In seconds; a restart takes some ten of them. */
    private static final double LEAST_BETWEEN_RESTARTS = 15;

    private FullSoak() {
    }

    public static void main(String[] arguments) throws Exception {
        long seconds = arguments.length > 0 ? seconds(arguments[0]) : SECONDS;
        if (!EdgePair.isPossible()) {
            throw new IOException("needs the Debian packages curl, haproxy, nginx-light, nghttp2-client and"
                    + " openssl");
        }
        Path folder = Files.createTempDirectory("full-soak");
        // however this ends, nothing that it started goes on or is left
        Runtime.getRuntime().addShutdownHook(new Thread(() -> clear(folder)));
        List<String> wrong;
        try (var soak = new Soak(folder)) {
            wrong = run(soak, seconds);
        }
        wrong.forEach(System.out::println);
        System.out.println(wrong.isEmpty() ? "kept" : "BROKEN");
        System.exit(wrong.isEmpty() ? 0 : 1);
    }

    private static long seconds(String text) {
        return text.endsWith("s") ? Long.parseLong(text.substring(0, text.length() - 1))
                : TimeUnit.MINUTES.toSeconds(Long.parseLong(text));
    }

    private static List<String> run(Soak soak, long seconds) throws Exception {
        double interval = seconds < SECONDS ? seconds * SHARE : INTERVAL;
        long rows = Math.round(seconds / interval);
        // with each row, unless it is a run of seconds
        long restartEvery = (long) Math.ceil(LEAST_BETWEEN_RESTARTS / interval);
        var taken = new ArrayList<SoakRow>();
        long began = System.nanoTime();
        System.out.print(SoakRow.HEAD);
        for (int i = 1; i <= rows; i++) {
            soak.runUntil(began + (long) (i * interval * 1e9), (i - 1) % restartEvery == 0);
            SoakRow row = soak.row((System.nanoTime() - began) / 60e9);
            System.out.println(row);
            taken.add(row);
        }
        soak.end();
        System.out.println(soak.done());
        var wrong = new ArrayList<>(soak.wrong());
        wrong.addAll(taken.get(taken.size() - 1).growth(taken.get(1)));
        return wrong;
    }

    private static void clear(Path folder) {
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

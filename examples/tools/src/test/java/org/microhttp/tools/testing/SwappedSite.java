package org.microhttp.tools.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.microhttp.testing.*;
import org.microhttp.tools.sitearchive.format.ArchiveFormat;

/**
 * An archive that is replaced again and again, and clients that ask for its pages all the while. Each page
 * has the number of its version in every line, so an answer that has two shows.
 */
public final class SwappedSite implements AutoCloseable {

    private static final int CLIENTS = 2;

    /** How many lines each page has; the last is larger than what is kept or copied. */
    private static final int[] LINES = {1, 10, 100, 20_000};

    private final Path file;
    private final long pauseNanos;
    private final ArchiveSite site;
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private final AtomicLong answers = new AtomicLong();
    private final List<Thread> clients = new ArrayList<>();
    private volatile boolean ended;
    private int version;

    /** With clients that ask as fast as they are answered. */
    public SwappedSite(Path folder, ArchiveSite.Way way) throws IOException {
        this(folder, way, 0);
    }

    /** @param pauseMillis of a client, after each answer */
    public SwappedSite(Path folder, ArchiveSite.Way way, long pauseMillis) throws IOException {
        pauseNanos = TimeUnit.MILLISECONDS.toNanos(pauseMillis);
        file = folder.toRealPath().resolve("site.cdb");
        archive().write(file);
        site = new ArchiveSite(way.watching(file, Duration.ZERO));
        for (int i = 0; i < CLIENTS; i++) {
            var client = new Thread(this::load, "client");
            clients.add(client);
            client.start();
        }
    }

    private HandMadeArchive archive() {
        var archive = new HandMadeArchive();
        for (int i = 0; i < LINES.length; i++) {
            archive.texts("/" + i, text(i, version));
        }
        return archive;
    }

    private static String text(int page, int version) {
        return (version + "\n").repeat(LINES[page]);
    }

    /** Puts so many in the place of another, each when the one before is served. */
    public void swap(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            version++;
            archive().replace(file);
            site.await("/0", 200, text(0, version));
        }
    }

    private static RawResponse get(RawClient client, int page) throws IOException {
        return client.get("/" + page).response();
    }

    private void load() {
        try (var client = new RawClient(site.server.port())) {
            int seen = 0;
            for (int i = 0; !ended; i++) {
                int page = i % LINES.length;
                seen = look(get(client, page), page, seen);
                answers.incrementAndGet();
                LockSupport.parkNanos(pauseNanos);
            }
        } catch (IOException | RuntimeException | AssertionError e) {
            faults.add("" + e);
        }
    }

    /** The version that it is of, which is none before that which was seen. */
    private int look(RawResponse response, int page, int seen) {
        String text = response.text();
        if (response.status() != 200) {
            faults.add(response.head() + text);
            return seen;
        }
        int found = Integer.parseInt(text.substring(0, text.indexOf('\n')));
        String tag = "\"" + ArchiveFormat.idOf(text.getBytes(StandardCharsets.UTF_8)) + "\"";
        boolean whole = text.equals(text(page, found))
                && tag.equals(response.header("ETag"));
        if (!whole || found < seen) {
            faults.add("page " + page + ": " + response.head() + ", version " + found + " behind " + seen);
        }
        return found;
    }

    public void endLoad() throws InterruptedException {
        ended = true;
        for (Thread client : clients) {
            client.join();
        }
    }

    /** What was not as it should be. */
    public List<String> faults() {
        return List.copyOf(faults);
    }

    public long answers() {
        return answers.get();
    }

    /**
     * How many archives this JVM has open, once they are no more than allowed, or after 30 s. A replaced
     * archive is released a moment after clients see the new one: by the thread that watches, and by the
     * loop when it has sent the last answer.
     */
    public long open(long allowed) throws IOException {
        long start = System.nanoTime();
        long count = open();
        while (count > allowed && System.nanoTime() - start < 30_000_000_000L) {
            LockSupport.parkNanos(2_000_000);
            count = open();
        }
        return count;
    }

    private long open() throws IOException {
        return Leaks.open(file.toString()).size();
    }

    /** How many mappings of archives are left when what is not used is collected. */
    public long mapped() throws IOException {
        long count = Long.MAX_VALUE;
        for (int i = 0; i < 50 && count > 1; i++) {
            System.gc();
            try (var lines = Files.lines(Path.of("/proc/self/maps"))) {
                count = lines.filter(line -> line.contains(file.toString())).count();
            }
        }
        return count;
    }

    @Override
    public void close() throws IOException {
        ended = true;
        site.close();
    }
}

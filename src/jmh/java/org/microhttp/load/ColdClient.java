package org.microhttp.load;

import java.io.IOException;
import java.util.Locale;

/**
 * Downloads a large file on one connection, and asks for a small one on another until that has ended. Prints
 * how many small ones there were, the bytes and the time of the large one, and how long a small one took at
 * most.
 */
public final class ColdClient {

    /** Between two requests for the small file: it shall see when the loop is held, not hold it itself. */
    private static final long PAUSE_MILLIS = 1;

    private final PlainClient client;
    private final String target;
    private volatile boolean ended;
    private long asked, longestNanos;

    private ColdClient(PlainClient client, String target) {
        this.client = client;
        this.target = target;
    }

    public static void main(String[] args) throws Exception {
        if (args.length != 3) {
            System.err.println("usage: ColdClient PORT LARGE-TARGET SMALL-TARGET");
            System.exit(2);
        }
        int port = Integer.parseInt(args[0]);
        try (PlainClient large = new PlainClient(port); PlainClient small = new PlainClient(port)) {
            new ColdClient(small, args[2]).run(large, args[1]);
        }
    }

    private void run(PlainClient another, String large) throws Exception {
        // what is loaded and compiled for the first request is no wait for the server
        for (int i = 0; i < 50; i++) client.download(target);
        Thread others = new Thread(this::askUntilEnded);
        others.start();
        long start = System.nanoTime();
        long bytes = another.download(large);
        double seconds = (System.nanoTime() - start) / 1e9;
        ended = true;
        others.join();
        if (asked == 0) throw new IOException("no small file was answered");
        System.out.printf(Locale.ROOT, "counted requests %d bytes %d seconds %.3f errors 0 longest_ms %.3f%n",
                asked, bytes, seconds, longestNanos / 1e6);
    }

    private void askUntilEnded() {
        try {
            while (!ended) {
                long start = System.nanoTime();
                client.download(target);
                longestNanos = Math.max(longestNanos, System.nanoTime() - start);
                asked++;
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (IOException | InterruptedException e) {
            System.err.println("the small file: " + e);
            asked = 0;
        }
    }
}

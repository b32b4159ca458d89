package org.microhttp.wire.model;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.concurrent.*;

/**
 * Runs a check many times, each time with a random of its own whose seed is one more. The system properties
 * {@code microhttp.random.seed} and {@code microhttp.random.cases} set the first seed and the number of
 * cases, for every test alike; a failure names the seed to run it again alone.
 */
public final class RandomCases {

    /** Checks one case, whatever the random makes it. */
    public interface Check {
        void check(SplittableRandom random) throws Exception;
    }

    private static final long SECONDS_PER_CASE = 20;

    private volatile long seed = Long.getLong("microhttp.random.seed", 20_260_101L);

    private RandomCases() {
    }

    public static void forEach(int cases, Check check) throws Exception {
        new RandomCases().run(Integer.getInteger("microhttp.random.cases", cases), check);
    }

    /** On a thread of its own, so that a case that never ends is a failure like another. */
    private void run(int cases, Check check) throws Exception {
        var task = new FutureTask<Void>(() -> {
            for (int i = 0; i < cases; i++, seed++) {
                check.check(new SplittableRandom(seed));
            }
            return null;
        });
        var thread = new Thread(task, "random cases");
        thread.setDaemon(true);
        thread.start();
        try {
            for (long last = seed - 1; !task.isDone(); ) {
                last = await(task, last);
            }
            task.get();
        } catch (Exception e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new AssertionError(cause + "\nrun it again with -Dmicrohttp.random.seed=" + seed
                    + " -Dmicrohttp.random.cases=1", cause);
        }
    }

    private long await(FutureTask<Void> task, long last) throws Exception {
        try {
            task.get(SECONDS_PER_CASE, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            if (seed == last) {
                throw new IllegalStateException("hangs for " + SECONDS_PER_CASE + " s");
            }
        }
        return seed;
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The text as a Java string literal, a byte a character, to be pasted into a test. */
    public static String escape(String text) {
        var out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            switch (c) {
                case '\r' -> out.append("\\r");
                case '\n' -> out.append("\\n");
                case '\t' -> out.append("\\t");
                case '"', '\\' -> out.append('\\').append(c);
                default -> out.append(c >= ' ' && c < 127 ? "" + c : String.format("\\u%04X", (int) c));
            }
        }
        return out.append('"').toString();
    }
}

package org.microhttp.tools;

/** The heap of this JVM. */
public final class Heap {

    private Heap() {
    }

    /** Bytes in use after full collections: the least of some looks. */
    public static long live() {
        Runtime runtime = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            System.gc();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }
}

package org.microhttp.testing;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/** The heap of this JVM, and what is beside it. */
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

    /** What buffers have beside the heap. */
    public static long direct() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed).sum();
    }
}

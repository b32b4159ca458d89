package org.microhttp.checks.endurance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.microhttp.testing.Leaks;
import org.microhttp.testing.Heap;
import org.microhttp.testing.Programs;

/**
 * Everything goes wrong at once: {@code [seconds] [seed]}. Servers have every limit set and a logger that
 * throws. Handlers answer twice, late, never, with null, or throw. Clients pipeline, expect, half-close, read
 * slowly, and others stall, send garbage and reset. At a random moment the server is ended, in every way
 * there is. Each answer to a client that does all right has to come, right, whole and in order, no limit may
 * be passed, and after each server all that it used has to be free. What clients, handlers and servers do
 * follows from the seed; when they do it does not.
 */
final class Chaos {

    private static final int SECONDS = 180;

    /** Lives after which all is there that is needed once. */
    static final int WARM_UP = 5;

    private final Report report;
    private final Random random;
    private final List<ChaosEnding> endings = new ArrayList<>();
    private int lives;
    private long descriptors;
    private long heap;

    Chaos(Report report, long seed) {
        this.report = report;
        random = new Random(seed);
    }

    static void run(Report report, String... arguments) throws Exception {
        int seconds = Programs.number(arguments, 0, SECONDS);
        int seed = Programs.number(arguments, 1, new Random().nextInt(1_000_000));
        System.out.println("seed: " + seed);
        var chaos = new Chaos(report, seed);
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() - until < 0) {
            chaos.live(3_000);
        }
        chaos.checkHeap();
        System.out.print(report.counts());
    }

    /** Lets one server live, about that long at most, and compares what it leaves with what was before. */
    void live(int mostMillis) throws Exception {
        if (endings.isEmpty()) {
            endings.addAll(Arrays.asList(ChaosEnding.values()));
            Collections.shuffle(endings, random);
        }
        int millis = mostMillis / 5 + random.nextInt(mostMillis * 4 / 5);
        new ChaosLife(report, endings.remove(0), random.nextLong()).run(millis);
        lives++;
        if (lives <= WARM_UP) {
            descriptors = Math.max(descriptors, Usage.openDescriptors());
            heap = Heap.live();
        }
        long open = Usage.settled(Usage::openDescriptors, descriptors);
        report.check(open <= descriptors, "descriptors", "more than " + descriptors + ": " + Leaks.open(""));
    }

    /** Compares the heap with what it was when the first servers had ended. */
    void checkHeap() {
        long limit = heap + Usage.MORE_HEAP;
        long now = Usage.settled(Heap::live, limit);
        report.count("heap, bytes more", now - heap);
        report.check(lives < WARM_UP || now <= limit, "heap", now + " bytes, once it was " + heap);
    }
}

package org.microhttp.faults.chaos;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.microhttp.tools.Heap;
import org.microhttp.tools.Programs;

/**
 * Everything at once: servers with every limit set and a logger that throws; handlers that answer twice,
 * late, never, with null, or throw; a hundred clients that pipeline, expect, half-close, stall, read slowly,
 * send garbage, vanish, and reset; and at a random moment the server is ended, in every way there is. While
 * that goes on, every client checks that it gets each answer, right, whole and in order, and others check
 * that no limit is passed. After each server, all that it used has to be free. Not run by Maven but in a
 * short form:
 * <pre>
 *   src/test/full Chaos [seconds] [seed]
 * </pre>
 * What the clients, handlers and servers do follows from the seed; when they do it does not.
 */
public final class Chaos {

    private static final int SECONDS = 180;

    /** Lives after which all is there that is needed once. */
    public static final int WARM_UP = 5;

    /** How much more memory may be in use at the end than then. */
    private static final long HEAP_GROWTH = 2 << 20;

    public final ChaosLedger ledger = new ChaosLedger();
    private final Random random;
    private final List<ChaosEnding> endings = new ArrayList<>();
    private int lives;
    private long descriptors;
    private long heap;

    public Chaos(long seed) {
        random = new Random(seed);
    }

    public static void main(String[] arguments) throws Exception {
        int seconds = Programs.number(arguments, 0, SECONDS);
        long seed = arguments.length > 1 ? Long.parseLong(arguments[1]) : new Random().nextInt(1_000_000);
        System.out.println("seed: " + seed);
        var chaos = new Chaos(seed);
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() - until < 0) {
            chaos.live(3_000);
        }
        chaos.checkHeap();
        System.out.print(chaos.ledger.report());
        System.out.println(chaos.ledger.isKept() ? "kept" : "BROKEN");
        System.exit(chaos.ledger.isKept() ? 0 : 1);
    }

    /** Lets one server live, about that long at most, and compares what it leaves with what was before. */
    public void live(int mostMillis) throws Exception {
        if (endings.isEmpty()) {
            endings.addAll(Arrays.asList(ChaosEnding.values()));
            Collections.shuffle(endings, random);
        }
        int millis = mostMillis / 5 + random.nextInt(mostMillis * 4 / 5);
        new ChaosLife(ledger, endings.remove(0), random.nextLong()).run(millis);
        lives++;
        if (lives == 1) {
            descriptors = ChaosEnd.descriptors();
        }
        if (lives == WARM_UP) {
            heap = Heap.live();
        }
        long open = ChaosEnd.settled(ChaosEnd::descriptors, descriptors);
        if (open > descriptors) {
            String what = ChaosEnd.describeDescriptors();
            ledger.violation("descriptors", "more than " + descriptors + ": " + what);
        }
    }

    /** Compares the heap with what it was when the first servers had ended. */
    public void checkHeap() {
        long limit = heap + HEAP_GROWTH;
        long now = ChaosEnd.settled(Heap::live, limit);
        ledger.count("heap, bytes more", now - heap);
        ledger.check(lives < WARM_UP || now <= limit, "heap", now + " bytes, once it was " + heap);
    }
}

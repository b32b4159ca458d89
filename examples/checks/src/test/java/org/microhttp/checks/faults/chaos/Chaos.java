package org.microhttp.checks.faults.chaos;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.microhttp.testing.Heap;
import org.microhttp.testing.Programs;

/**
 * The program that has everything go wrong. {@link FullFaults} and {@link FullSoak} are two of its shapes;
 * this one is everything at once. Servers have every limit set and a logger that throws. Handlers answer
 * twice, late, never, with null, or throw. A hundred clients pipeline, expect, half-close, stall, read
 * slowly, send garbage, vanish and reset. At a random moment the server is ended, in every way there is.
 * Meanwhile each client checks that every answer comes, right, whole and in order, and others check that no
 * limit is passed.
 * After each server, all that it used has to be free. What clients, handlers and servers do follows from the
 * seed; when they do it does not. Not run by Maven but in a short form:
 * <pre>
 *   examples/checks/full Chaos [seconds] [seed]
 * </pre>
 */
public final class Chaos {

    private static final int SECONDS = 180;

    /** Lives after which all is there that is needed once. */
    public static final int WARM_UP = 5;

    private final ChaosLedger ledger;
    private final Random random;
    private final List<ChaosEnding> endings = new ArrayList<>();
    private int lives;
    private long descriptors;
    private long heap;

    public Chaos(ChaosLedger ledger, long seed) {
        this.ledger = ledger;
        random = new Random(seed);
    }

    /** @param arguments [seconds] [seed], "faults" and those of the table, or "soak" and its length */
    public static void main(String[] arguments) throws Exception {
        String shape = arguments.length > 0 ? arguments[0] : "";
        var ledger = new ChaosLedger();
        // however this ends, nothing that it started goes on
        Runtime.getRuntime().addShutdownHook(new Thread(
                () -> ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly)));
        switch (shape) {
            case "faults" -> {
                if (!Namespace.isInside() && Namespace.isPossible()) {
                    System.exit(Namespace.run(Chaos.class, List.of(arguments)));
                }
                FullFaults.run(ledger, Arrays.copyOfRange(arguments, 1, arguments.length));
            }
            case "soak" -> FullSoak.run(ledger, arguments.length > 1 ? arguments[1] : "60");
            default -> live(ledger, arguments);
        }
        ledger.conclude();
    }

    private static void live(ChaosLedger ledger, String... arguments) throws Exception {
        int seconds = Programs.number(arguments, 0, SECONDS);
        int seed = Programs.number(arguments, 1, new Random().nextInt(1_000_000));
        System.out.println("seed: " + seed);
        var chaos = new Chaos(ledger, seed);
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() - until < 0) {
            chaos.live(3_000);
        }
        chaos.checkHeap();
        System.out.print(ledger.counts());
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
        long limit = heap + SoakRow.MORE_HEAP;
        long now = ChaosEnd.settled(Heap::live, limit);
        ledger.count("heap, bytes more", now - heap);
        ledger.check(lives < WARM_UP || now <= limit, "heap", now + " bytes, once it was " + heap);
    }
}

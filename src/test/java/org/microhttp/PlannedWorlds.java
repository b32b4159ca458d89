package org.microhttp;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

/**
 * Lives worlds of a kind, one seed after the other. As a program it does so for some time: {@code
 * src/test/simulate} runs it.
 */
final class PlannedWorlds {

    /** How many a test of the quick tier lives; planted faults are looked for in more of them. */
    private static final int WORLDS = Integer.getInteger("microhttp.worlds", 1000);

    private static final Map<String, LongFunction<PlannedWorld>> KINDS =
            Map.of("uploads", UploadWorld::new);

    private PlannedWorlds() {
    }

    /** As many as a test has time for. */
    static void live(LongFunction<PlannedWorld> kind) {
        for (long seed = 0; seed < WORLDS; seed++) {
            live(kind, seed);
        }
    }

    private static void live(LongFunction<PlannedWorld> kind, long seed) {
        try (PlannedWorld world = kind.apply(seed)) {
            world.live();
        } catch (Exception | Error e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        }
    }

    /** KIND SECONDS [SEED]: lives worlds until the time is over, or one breaks a promise. */
    public static void main(String[] arguments) {
        LongFunction<PlannedWorld> kind = KINDS.get(arguments[0]);
        long seed = arguments.length > 2 ? Long.parseLong(arguments[2]) : System.nanoTime() & 0xFFFF_FFFFL;
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[1]));
        System.out.println("worlds of " + arguments[0] + " from seed " + seed);
        long next = seed;
        do {
            live(kind, next);
            next++;
        } while (System.nanoTime() - until < 0);
        System.out.println(next - seed + " worlds");
        System.out.println("kept");
    }
}

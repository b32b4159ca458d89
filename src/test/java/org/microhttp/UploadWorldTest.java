package org.microhttp;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Lives worlds of bodies that are received as they come. As a program it does so for some time: {@code
 * src/test/simulate uploads} runs it.
 */
class UploadWorldTest {

    private static final int WORLDS = 3000;

    private static void live(long seed) {
        try (var world = new UploadWorld(seed)) {
            world.live();
        } catch (Exception | Error e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        }
    }

    @Test
    void promisesToClientsAndSubscribersAreKept() {
        for (long seed = 0; seed < WORLDS; seed++) {
            live(seed);
        }
    }

    /** SECONDS [SEED]: lives worlds until the time is over, or one breaks a promise. */
    public static void main(String[] arguments) {
        long seed = arguments.length > 1 ? Long.parseLong(arguments[1]) : System.nanoTime() & 0xFFFF_FFFFL;
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[0]));
        System.out.println("worlds of uploads from seed " + seed);
        long next = seed;
        do {
            live(next);
            next++;
        } while (System.nanoTime() - until < 0);
        System.out.println(next - seed + " worlds");
        System.out.println("kept");
    }
}

package org.microhttp.simulation;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Lives worlds, one after the other, until one breaks a promise, the time is over, or so many were lived.
 * What breaks is then made smaller, and told. {@code src/test/simulate} runs it, with a library that notes
 * changes of state.
 * <pre>
 *   Simulate SECONDS [SEED [THREADS]]   worlds from this seed on
 *   Simulate worlds COUNT SEED          so many worlds from this seed on
 *   Simulate again SEED                 one world, and its story
 *   Simulate fingerprint COUNT SEED     a number that is the same wherever these worlds are lived
 * </pre>
 */
public final class Simulate {

    private static final long SHRINKING_NANOS =
            TimeUnit.SECONDS.toNanos(Conditions.SEARCHES ? 0 : 20);

    private static final double A_DAY = 86_400;

    private final AtomicLong nextSeed;
    private final AtomicReference<Scenario> broken = new AtomicReference<>();
    private final Tally tally = new Tally();
    private final long until, end;
    private volatile boolean failed;

    /** Lives so many worlds at most. */
    private Simulate(double seconds, long seed, long count) {
        nextSeed = new AtomicLong(seed);
        until = System.nanoTime() + (long) (seconds * 1e9);
        end = seed + count;
    }

    public static void main(String[] arguments) throws Exception {
        Locale.setDefault(Locale.ROOT);
        boolean kept = switch (arguments[0]) {
            case "worlds" -> {
                long count = Long.parseLong(arguments[1]);
                yield new Simulate(A_DAY, Long.parseLong(arguments[2]), count).run(1);
            }
            case "again" -> again(Scenario.of(Long.parseLong(arguments[1])));
            case "fingerprint" -> fingerprint(Integer.parseInt(arguments[1]), Long.parseLong(arguments[2]));
            default -> {
                double seconds = Double.parseDouble(arguments[0]);
                long seed = arguments.length > 1 ? Long.parseLong(arguments[1])
                        : System.nanoTime() & 0xFFFF_FFFFL;
                int threads = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 1;
                yield new Simulate(seconds, seed, Long.MAX_VALUE - seed).run(threads);
            }
        };
        System.out.println(kept ? "kept" : "BROKEN");
        System.exit(kept ? 0 : 1);
    }

    private boolean run(int threads) throws Exception {
        System.out.println("worlds from seed " + nextSeed);
        long began = System.nanoTime();
        var all = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            all[i] = new Thread(this::live, "worlds-" + i);
            all[i].setUncaughtExceptionHandler(this::onFailure);
            all[i].start();
        }
        for (Thread thread : all) {
            thread.join();
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        System.out.print(tally.report());
        System.out.printf("%.0f connections a second, %.0f of CPU%n", tally.lives / seconds,
                tally.lives / (tally.cpu / 1e9));
        return broken.get() == null && !failed;
    }

    /** A world that could not be lived to its end is not kept either. */
    private void onFailure(Thread thread, Throwable failure) {
        failed = true;
        failure.printStackTrace();
    }

    /** Until the time is over, or something is broken; at least one. */
    private void live() {
        do {
            var scenario = Scenario.of(nextSeed.getAndIncrement());
            World world = world(scenario, false);
            tally.add(world.tally);
            if (world.broken() != null && broken.compareAndSet(null, scenario)) tell(world);
        } while (System.nanoTime() - until < 0 && nextSeed.get() < end && broken.get() == null);
    }

    private static World world(Scenario scenario, boolean told) {
        try {
            var world = new World(scenario, told);
            world.run();
            return world;
        } catch (Exception e) {
            throw new IllegalStateException("seed " + scenario.seed(), e);
        }
    }

    private static void tell(World world) {
        Scenario scenario = world.scenario;
        System.out.println("seed " + scenario.seed() + ": " + world.broken());
        Scenario smaller = Shrinker.shrink(scenario, world.broken(), world.conditions.clients(),
                other -> world(other, false).broken(), SHRINKING_NANOS);
        World small = world(smaller, true);
        int clients = world.conditions.clients();
        System.out.printf("made smaller: %d of %d clients, at most %s requests each, without %s%n",
                clients - smaller.without().size(), clients,
                smaller.most() == Integer.MAX_VALUE ? "all" : smaller.most(), smaller.omitted());
        System.out.println(small.broken());
        System.out.println(small.report());
        System.out.println("the whole world again: src/test/simulate again " + scenario.seed());
    }

    private static boolean again(Scenario scenario) {
        World world = world(scenario, true);
        System.out.println(world.report());
        System.out.print(world.tally.report());
        if (world.broken() != null) System.out.println("seed " + scenario.seed() + ": " + world.broken());
        return world.broken() == null;
    }

    private static boolean fingerprint(int count, long seed) {
        long all = 0;
        boolean kept = true;
        for (long i = seed; i < seed + count; i++) {
            World world = world(Scenario.of(i), false);
            all = all * 31 + world.machine.fingerprint();
            if (kept && world.broken() != null) System.out.println("seed " + i + ": " + world.broken());
            kept &= world.broken() == null;
        }
        System.out.printf("%016x%n", all);
        return kept;
    }
}

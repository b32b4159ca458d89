package org.microhttp.simulation;

import java.util.*;
import java.util.function.Function;

/**
 * Makes a world that breaks a promise smaller, as long as it breaks the same: with fewer clients, fewer
 * requests of each, and less that is odd about its machine.
 */
final class Shrinker {

    /** Lives a world, and says what broke; null if nothing did. */
    private final Function<Scenario, String> run;
    private final long until;
    private Scenario smallest;
    private final String kind;

    private Shrinker(Scenario broken, String what, Function<Scenario, String> run, long nanos) {
        smallest = broken;
        kind = kind(what);
        this.run = run;
        until = System.nanoTime() + nanos;
    }

    /** The smallest that was found in this time. */
    static Scenario shrink(Scenario broken, String what, int clients, Function<Scenario, String> run,
                           long nanos) {
        var shrinker = new Shrinker(broken, what, run, nanos);
        shrinker.dropClients(clients);
        shrinker.omit();
        shrinker.dropRequests();
        shrinker.dropClients(clients);
        return shrinker.smallest;
    }

    /** What broke, without whose it was and when. */
    private static String kind(String what) {
        return what == null ? "" : what.replaceAll("[0-9.-]+", "0");
    }

    private boolean isStillBroken(Scenario smaller) {
        if (System.nanoTime() - until >= 0) return false;
        boolean broken = kind(run.apply(smaller)).equals(kind);
        if (broken) smallest = smaller;
        return broken;
    }

    /** Half of those that are left, a quarter, and so on, down to one. */
    private void dropClients(int clients) {
        for (int size = clients; size >= 1; size /= 2) {
            List<Integer> left = new ArrayList<>();
            for (int client = 1; client <= clients; client++) {
                if (smallest.has(client)) left.add(client);
            }
            for (int from = 0; from < left.size(); from += size) {
                var without = new HashSet<>(smallest.without());
                without.addAll(left.subList(from, Math.min(from + size, left.size())));
                isStillBroken(new Scenario(smallest.seed(), without, smallest.most(), smallest.omitted()));
            }
        }
    }

    private void omit() {
        for (Simplification omission : Simplification.values()) {
            Set<Simplification> more = EnumSet.of(omission);
            more.addAll(smallest.omitted());
            isStillBroken(new Scenario(smallest.seed(), smallest.without(), smallest.most(), more));
        }
    }

    private void dropRequests() {
        for (int most = 0; most < 8; most++) {
            var smaller = new Scenario(smallest.seed(), smallest.without(), most, smallest.omitted());
            if (isStillBroken(smaller)) return;
        }
    }
}

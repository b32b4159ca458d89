package org.microhttp.simulation;

import java.util.*;
import org.microhttp.wire.model.RequestLimits;

/**
 * All that a world is made from: a seed, and what of it is left out when a failure is made smaller.
 *
 * @param without clients that do not come
 * @param most    how many requests a client sends at most
 * @param omitted what of its conditions
 */
record Scenario(long seed, Set<Integer> without, int most, Set<Simplification> omitted) {

    /** Worlds that share a stock of what clients send. */
    private static final long SHARED = 5_000;

    private static final ThreadLocal<Map<RequestLimits, ClientInputs>> STOCK =
            ThreadLocal.withInitial(HashMap::new);
    private static final ThreadLocal<Long> NUMBER = ThreadLocal.withInitial(() -> -1L);

    static Scenario of(long seed) {
        return new Scenario(seed, Set.of(), Conditions.SEARCHES ? 3 : Integer.MAX_VALUE, Set.of());
    }

    boolean has(int client) {
        return !without.contains(client);
    }

    Conditions conditions(SplittableRandom random) {
        return Conditions.random(random).without(omitted);
    }

    /** The stock of this thread under these limits; kept as long as worlds share it. */
    ClientInputs items(RequestLimits limits) {
        long number = Math.floorDiv(seed, SHARED);
        if (NUMBER.get() != number) STOCK.get().clear();
        NUMBER.set(number);
        return STOCK.get().computeIfAbsent(limits, l -> new ClientInputs(l, number));
    }
}

package org.microhttp;

/**
 * The requests of one loop that are in the handler's hands, as far as they are limited: each has a place of
 * the group's, which is its exchange's until the first answer or failure, or until it has had it for too
 * long.
 */
final class PendingRequests {

    private final Budget places;
    private int held;

    PendingRequests(Budget places) { this.places = places; }

    /** Takes a place for a request that goes to the handler; false if there is none. */
    boolean take(Exchange exchange) {
        if (!places.isLimited()) return true;
        if (!places.tryTake(1)) return false;
        exchange.hasPlace = true;
        held++;
        return true;
    }

    /** The handler has the request no longer, or has had it for too long; harmless when done already. */
    void giveBack(Exchange exchange) {
        if (!exchange.hasPlace) return;
        exchange.hasPlace = false;
        held--;
        places.giveBack(1);
    }

    /** The loop has ended and hears of no answer any more: forgets its places, and says how many they are. */
    int abandon() {
        int abandoned = held;
        held = 0;
        return abandoned;
    }
}

package org.microhttp.simulation.network;

import java.util.PriorityQueue;

/** What is going to happen, in the order of its time; for the same time, in that in which it was planned. */
final class Moments {

    private record Moment(long time, long number, Runnable action) implements Comparable<Moment> {

        @Override
        public int compareTo(Moment other) {
            int order = Long.compare(time, other.time);
            return order == 0 ? Long.compare(number, other.number) : order;
        }
    }

    private final PriorityQueue<Moment> queue = new PriorityQueue<>();
    private long numbers;

    void add(long time, Runnable action) {
        queue.add(new Moment(time, numbers++, action));
    }

    /** When the next comes; {@link Long#MAX_VALUE} if none does. */
    long next() {
        return queue.isEmpty() ? Long.MAX_VALUE : queue.peek().time;
    }

    Runnable take() {
        return queue.remove().action;
    }

    void clear() {
        queue.clear();
    }
}

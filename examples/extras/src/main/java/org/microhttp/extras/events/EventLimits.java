package org.microhttp.extras.events;

/**
 * How many clients an {@link EventStream} has, and how much it keeps for them. An event is in memory once,
 * however many clients it waits for. So {@code queuedBytes} also limits what waits for all clients together.
 * In addition, the server has up to 64 KiB, or one larger event, for each client that does not read, until
 * these bytes are sent or the connection is closed. Bytes are counted as sent, without the framing of chunks.
 *
 * @param replayEvents how many of the last events are kept for clients that connect; 0 for none
 * @param replayBytes  how many bytes these events may have; 0 for none
 * @param queuedEvents how many events may wait for a client, at least 1 and {@code replayEvents}; events that
 *                     the server has do not count. If more wait, the client is disconnected
 * @param queuedBytes  how many bytes these events may have, at least 1 and {@code replayBytes}; also the most
 *                     for one event
 * @param maxClients   how many clients may listen, 1 or more; others get a 503
 */
public record EventLimits(int replayEvents, long replayBytes, int queuedEvents, long queuedBytes,
        int maxClients) {

    /** Replays 1,000 events or 4 MiB; 2,000 events or 8 MiB may wait for each of 10,000 clients. */
    public static final EventLimits DEFAULT = new EventLimits(1000, 4 << 20, 2000, 8 << 20, 10_000);

    /**
     * Makes limits.
     *
     * @param replayEvents see above
     * @param replayBytes see above
     * @param queuedEvents see above
     * @param queuedBytes see above
     * @param maxClients see above
     * @throws IllegalArgumentException if one is negative, nothing may wait, less may wait than is replayed,
     *                                  or no client may listen
     */
    public EventLimits {
        within("replayEvents", replayEvents, 0, Integer.MAX_VALUE);
        within("replayBytes", replayBytes, 0, Long.MAX_VALUE);
        // a client that gets every kept event must not be disconnected for that
        within("queuedEvents", queuedEvents, Math.max(1, replayEvents), Integer.MAX_VALUE);
        within("queuedBytes", queuedBytes, Math.max(1, replayBytes), Long.MAX_VALUE);
        within("maxClients", maxClients, 1, Integer.MAX_VALUE);
    }

    private static void within(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    name + " is " + value + "; allowed: " + least + " to " + most);
        }
    }
}

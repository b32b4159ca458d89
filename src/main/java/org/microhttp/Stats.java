package org.microhttp;

import java.time.Duration;
import java.util.*;

/**
 * What an event loop, or a group of loops, has done since it was constructed. The snapshot is immutable; its
 * numbers are read one after the other while the loop runs, so they may differ by some requests. {@link
 * Server#stats} shows an example.
 *
 * @param connections connections open now
 * @param accepted    connections accepted
 * @param closed      connections closed
 * @param requests    requests that {@code read_request} logs: complete ones, given to the handler or answered
 *                    with 503 for being too many, and those whose body's subscriber has ended early; an
 *                    upload that is refused does not count
 * @param responses   responses, including refusals, by the first digit of their status: 2 to 5, each present;
 *                    without the interim 100
 * @param bytesIn     bytes read from sockets
 * @param bytesOut    bytes written to sockets
 * @param timeouts    timeouts of idle connections, of requests, of handlers, and of clients that do not read
 * @param refusals    requests refused, by the code in the answer and in the log; only codes that occurred
 * @param longestTurn the longest time for which a loop was busy between two looks at its sockets, which is
 *                    the longest that other connections had to wait
 */
public record Stats(int connections, long accepted, long closed, long requests, Map<Integer, Long> responses,
        long bytesIn, long bytesOut, long timeouts, Map<String, Long> refusals, Duration longestTurn) {

    /**
     * Makes a snapshot, and copies the maps.
     *
     * @param connections as above
     * @param accepted    as above
     * @param closed      as above
     * @param requests    as above
     * @param responses   as above
     * @param bytesIn     as above
     * @param bytesOut    as above
     * @param timeouts    as above
     * @param refusals    as above
     * @param longestTurn as above
     * @throws NullPointerException if a map is null
     */
    public Stats {
        responses = Collections.unmodifiableMap(new TreeMap<>(responses));
        refusals = Collections.unmodifiableMap(new TreeMap<>(refusals));
    }
}

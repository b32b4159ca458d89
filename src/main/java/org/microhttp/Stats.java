package org.microhttp;

import java.time.Duration;
import java.util.*;

/**
 * What an event loop, or a group of them, has done since it was made. An immutable snapshot; the numbers of
 * one snapshot are read one after the other while the loop goes on, so they may be some requests apart.
 *
 * @param connections how many connections are open now
 * @param accepted    connections accepted
 * @param closed      connections closed
 * @param requests    complete requests, handed over or turned away because too many were pending
 * @param responses   responses, refusals too, by the first digit of their status: 2 to 5, each there; not the
 *                    interim 100
 * @param bytesIn     bytes read from sockets
 * @param bytesOut    bytes written to sockets
 * @param timeouts    deadlines that passed: of an idle connection, a request, a handler, a client that does
 *                    not read
 * @param refusals    requests refused, by the code that the answer and the log event name; only codes that
 *                    occurred
 * @param longestTurn the longest that the loop was busy between two looks at its sockets: what other
 *                    connections had to wait at most
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

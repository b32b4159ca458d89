package org.microhttp;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The changes of state that connections of a {@link NotedLibrary} have made in this JVM. */
final class SeenEdges {

    private static final Set<DrawnEdges.Edge> SEEN = ConcurrentHashMap.newKeySet();

    private SeenEdges() {
    }

    /** Notes that a connection's state changes; {@return what it becomes}. */
    static ConnectionState note(ConnectionState from, ConnectionState to) {
        if (from != to) SEEN.add(new DrawnEdges.Edge(from, to));
        return to;
    }

    /** All that were seen since the last call of {@link #take}. */
    static Set<DrawnEdges.Edge> all() {
        return Set.copyOf(SEEN);
    }

    /** The same, and forgets them. */
    static Set<DrawnEdges.Edge> take() {
        Set<DrawnEdges.Edge> seen = all();
        SEEN.clear();
        return seen;
    }
}

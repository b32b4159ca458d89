package mcp;

import java.util.*;
import java.util.concurrent.*;

/** The sessions. When there are too many, the one unused for longest ends. Safe for all threads. */
final class Sessions {

    static final int MAX = 1_000;
    static final long MAX_IDLE_NANOS = TimeUnit.MINUTES.toNanos(30);

    record Session(String id, String revision, Map<String, Call> calls, long lastUsed) { }

    private final Map<String, Session> byUse = new LinkedHashMap<>(16, 0.75f, true);

    /** {@return the id, which a SecureRandom made: a client that knows it has the session} */
    synchronized String open(String revision, long nanoTime) {
        if (byUse.size() == MAX) {
            byUse.remove(byUse.keySet().iterator().next());
        }
        String id = "" + UUID.randomUUID();
        byUse.put(id, new Session(id, revision, new ConcurrentHashMap<>(), nanoTime));
        return id;
    }

    /** {@return null if there is none, or none any more} */
    synchronized Session use(String id, long nanoTime) {
        return byUse.computeIfPresent(id, (same, old) -> nanoTime - old.lastUsed > MAX_IDLE_NANOS ? null
                : new Session(id, old.revision, old.calls, nanoTime));
    }

    synchronized void end(Session session) {
        byUse.remove(session.id);
        session.calls.values().forEach(Call::cancel);
    }
}

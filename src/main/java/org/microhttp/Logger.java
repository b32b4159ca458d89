package org.microhttp;

/**
 * Gets an event for every step of a connection's life. There is a <a
 * href="https://github.com/microhttp/microhttp/blob/main/src/site/markdown/events.md">page of all
 * events</a>. A lambda gets all of them, each with its cause or null:
 * <pre>{@code
 *   Logger logger = (cause, entries) -> System.out.println(List.of(entries) + " " + cause);
 * }</pre>
 * A class may choose events. For example, a logger that counts refusals:
 * <pre>{@code
 *   final class RefusalCounter implements Logger {
 *       final LongAdder count = new LongAdder();
 *
 *       public boolean enabled(String event) { return event.equals("refuse"); }
 *       public void log(Exception cause, LogEntry... entries) { count.increment(); }
 *   }
 * }</pre>
 * All methods are called on the thread that runs the loop or constructs it, and must not block. What a logger
 * throws is dropped: it must not end the server. Other threads call a logger
 * <ul>
 * <li>if a watchdog reports the loop
 * <li>if another loop of the group turns away a connection that this loop can no longer take
 * <li>if {@code stop(Duration)} or {@code close} gives up, or closes a loop that was never started
 * <li>if {@link Body#onReleased} throws in a callback after the end of the loop
 * <li>if a subscription that a publisher gives after that end throws when it is cancelled
 * </ul>
 * <p>
 * The library calls only {@link #log(Throwable, LogEntry...)}, and so should a logger that hands events on to
 * another: by default that method calls one of the two other {@code log} methods.
 */
@FunctionalInterface
public interface Logger {

    /**
     * Says whether any event is wanted. By default the answer is yes.
     *
     * @return true if {@code log} is to be called
     */
    default boolean enabled() { return true; }

    /**
     * Says whether events of a name are wanted. It is called before each event, which is not built if the
     * answer is no. By default the answer is that of {@link #enabled()}.
     *
     * @param event the name, as in {@code "read_request"}
     * @return true if {@code log} is to be called
     */
    default boolean enabled(String event) { return enabled(); }

    /**
     * Takes an event.
     *
     * @param cause   the exception that caused it, or one around an {@link Error}; null if it has no cause,
     *                unless {@link #log(LogEntry...)} is overridden to take those events
     * @param entries its keys and values, in a fixed order; the first has its name
     */
    void log(Exception cause, LogEntry... entries);

    /**
     * Takes an event that has no cause. By default it calls {@link #log(Exception, LogEntry...)} with null.
     *
     * @param entries its keys and values, in a fixed order
     */
    default void log(LogEntry... entries) { log((Exception) null, entries); }

    /**
     * Takes every event. By default it calls one of the two methods above, and wraps an {@link Error} in an
     * exception.
     *
     * @param cause   an exception or an error, as it was thrown: a client may have chosen a part of its
     *                message, or of those of its causes; null if the event has no cause
     * @param entries its keys and values, in a fixed order
     */
    default void log(Throwable cause, LogEntry... entries) {
        if (cause == null) {
            log(entries);
        } else {
            log(cause instanceof Exception e ? e : new RuntimeException(cause), entries);
        }
    }
}

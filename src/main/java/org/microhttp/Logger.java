package org.microhttp;

/**
 * Gets an event for every step of a connection's life. There is a <a
 * href="https://github.com/microhttp/microhttp/blob/main/src/site/markdown/events.md">page of all
 * events</a>. For example, a logger that counts refusals:
 * <pre>{@code
 *   final class RefusalCounter implements Logger {
 *       final LongAdder count = new LongAdder();
 *
 *       public boolean enabled() { return true; }
 *       public boolean enabled(String event) { return event.equals("refuse"); }
 *       public void log(LogEntry... entries) { count.increment(); }
 *       public void log(Exception e, LogEntry... entries) { count.increment(); }
 *   }
 * }</pre>
 * All methods are called on the thread that runs the loop or constructs it, and must not block. There are
 * four exceptions. A watchdog calls on its own thread. A loop of a group calls on its own thread for another
 * loop that did not take a connection. {@code stop(Duration)} and {@code close} call on their caller's thread
 * when they give up, or close a loop that was never started. A callback calls on its caller's thread if the
 * loop has ended and {@link Body#onReleased} throws. What a logger throws is dropped: it must not end the
 * server.
 * <p>
 * The library calls only {@link #log(Throwable, LogEntry...)}. A logger that implements only the two other
 * {@code log} methods gets every event by one of them.
 */
public interface Logger {

    /**
     * Says whether any event is wanted.
     *
     * @return true if {@code log} is to be called
     */
    boolean enabled();

    /**
     * Says whether events of a name are wanted. It is called before each event, which is not built if the
     * answer is no. By default the answer is that of {@link #enabled()}.
     *
     * @param event the name, as in {@code "read_request"}
     * @return true if {@code log} is to be called
     */
    default boolean enabled(String event) { return enabled(); }

    /**
     * Says whether {@code exchange} carries the field lines of the request, as the last entry {@code fields},
     * in which each character is one byte as received. It is called before each {@code exchange}. By default
     * the answer is no, because fields may hold secrets and are copied as a whole.
     *
     * @return true if the field lines are wanted
     */
    default boolean wantsFields() { return false; }

    /**
     * Takes an event that has no cause.
     *
     * @param entries its keys and values, in a fixed order
     */
    void log(LogEntry... entries);

    /**
     * Takes an event that has an exception as its cause.
     *
     * @param e       the cause
     * @param entries its keys and values, in a fixed order
     */
    void log(Exception e, LogEntry... entries);

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

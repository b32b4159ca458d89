package org.microhttp;

/**
 * Where the loop reports every step of a connection's life. {@code doc-files/events.md} lists the events.
 * <p>
 * All methods are called on the thread that runs the loop or constructs it, and must not block. There are
 * four exceptions: a watchdog calls on its own thread; a loop of a group on its own, for another loop that
 * did not take a connection from it; {@code stop(Duration)} and {@code close} on their caller's, when they
 * give up, or close a loop that was never started; and a callback on its caller's, if the loop has ended and
 * {@link Body#onReleased} throws. What a logger throws is dropped: there is nowhere to
 * report it to, and it must not end the server.
 * <p>
 * The library gives every event to {@link #log(Throwable, LogEntry...)} and calls no other {@code log}. A
 * logger that implements only the two others gets every event by one of them.
 */
public interface Logger {

    /**
     * Says whether any event is wanted.
     *
     * @return true if {@code log} is to be called
     */
    boolean enabled();

    /**
     * Says whether events of a name are wanted. Asked before each event, which is not built if the answer is
     * no. Unless it is overridden the answer is that of {@link #enabled()}.
     *
     * @param event the name, as in {@code "read_request"}
     * @return true if {@code log} is to be called
     */
    default boolean enabled(String event) { return enabled(); }

    /**
     * Says whether {@code exchange} is to carry the field lines of the request, as a last entry
     * {@code fields}, in which each character is one byte as received. Asked before each {@code exchange}.
     * The answer is no unless it is overridden, since fields may hold secrets and are copied as a whole.
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
     * Takes every event. Unless it is overridden it calls one of the two methods above; an {@link Error} is
     * then wrapped in an exception.
     *
     * @param cause   an exception or an error; null if the event has no cause
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

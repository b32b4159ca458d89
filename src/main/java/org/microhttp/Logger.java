package org.microhttp;

/**
 * Where the loop reports every step of a connection's life. {@code doc-files/events.md} lists the events.
 * <p>
 * All methods are called on the thread that runs the loop, or on the one that constructs it, and must not
 * block; a watchdog calls on its own thread, {@code stop(Duration)} and {@code close} on their callers' when
 * they give up, and a callback on its caller's, where the loop has ended and {@link Body#onReleased} throws.
 * What a logger throws is dropped: a logger that fails has nowhere to report to, and must
 * not end the server.
 */
public interface Logger {

    /**
     * Says whether any events are wanted.
     *
     * @return true if {@code log} is to be called
     */
    boolean enabled();

    /**
     * Says whether events of a name are wanted; asked before each event, which is not built when the answer
     * is no. Unless it is overridden the answer is that of {@link #enabled()}.
     *
     * @param event the name, as in {@code "read_request"}
     * @return true if {@code log} is to be called
     */
    default boolean enabled(String event) { return enabled(); }

    /**
     * Says whether {@code read_request} and {@code write_response} are to carry the message itself, as a last
     * entry {@code message}: start line, fields, empty line and body, each character one octet. A request has
     * its fields as they were received and its body without chunk framing; a response is what is sent. Asked
     * before each of these events; no, unless it is overridden, for a message is copied as a whole.
     *
     * @return true if messages are wanted
     */
    default boolean messages() { return false; }

    /**
     * Takes an event.
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
     * Takes an event that has an exception or an error as its cause. Unless it is overridden, an
     * {@link Error} is handed on wrapped in an exception.
     *
     * @param cause   the cause, itself
     * @param entries its keys and values, in a fixed order
     */
    default void log(Throwable cause, LogEntry... entries) {
        log(cause instanceof Exception e ? e : new RuntimeException(cause), entries);
    }
}

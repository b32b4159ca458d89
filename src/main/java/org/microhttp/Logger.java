package org.microhttp;

/**
 * Where the loop reports every step of a connection's life. The README lists the events.
 * <p>
 * All methods are called on the thread that runs the loop, or on the one that constructs it, and must not
 * block. What a logger throws is dropped: a logger that fails has nowhere to report to, and must not end the
 * server.
 */
public interface Logger {

    /**
     * Says whether events are wanted; asked before each event, which is not built when the answer is no.
     *
     * @return true if {@code log} is to be called
     */
    boolean enabled();

    /**
     * Takes an event.
     *
     * @param entries its keys and values, in a fixed order
     */
    void log(LogEntry... entries);

    /**
     * Takes an event that has an exception as its cause.
     *
     * @param e       the cause; an {@link Error} comes wrapped in an exception
     * @param entries its keys and values, in a fixed order
     */
    void log(Exception e, LogEntry... entries);
}

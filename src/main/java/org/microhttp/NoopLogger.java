package org.microhttp;

/** A logger that wants no event, so that none is built. Several loops may share it. */
public final class NoopLogger implements Logger {

    /** Makes a logger without state. */
    public NoopLogger() { }

    @Override
    public boolean enabled() { return false; }

    @Override
    public void log(Exception cause, LogEntry... entries) { }
}

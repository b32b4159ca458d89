package org.microhttp;

/** A logger that wants no events, so that none are built. Safe to share. */
public final class NoopLogger extends TextLogger {

    /** Makes a logger without state. */
    public NoopLogger() { }

    @Override
    public boolean enabled() { return false; }

    @Override
    public void log(Throwable cause, LogEntry... entries) { }
}

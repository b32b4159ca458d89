package org.microhttp;

/** A logger that wants no events, so that none are built. Safe to share. */
public final class NoopLogger implements Logger {

    /** Makes a logger without state. */
    public NoopLogger() { }

    @Override
    public boolean enabled() { return false; }

    @Override
    public void log(LogEntry... entries) { }

    @Override
    public void log(Exception e, LogEntry... entries) { }
}

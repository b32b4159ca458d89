package org.microhttp;

/** A logger of lines of text, for which it makes no difference whether there is a cause, or of what kind. */
abstract class TextLogger implements Logger {

    @Override
    public final void log(LogEntry... entries) { log((Throwable) null, entries); }

    @Override
    public final void log(Exception e, LogEntry... entries) { log((Throwable) e, entries); }

    /** Logs the event, with a cause or null. */
    @Override
    public abstract void log(Throwable cause, LogEntry... entries);
}

package org.microhttp.extras.events;

import org.microhttp.LogEntry;
import org.microhttp.Logger;

/** Does something when a server begins a graceful stop, and passes all events on. */
record StopLogger(Logger logger, Runnable action) implements Logger {

    private static final String STOP = "leave";

    @Override
    public boolean enabled(String event) {
        return event.equals(STOP) || logger.enabled() && logger.enabled(event);
    }

    @Override
    public void log(Exception e, LogEntry... entries) {
        log((Throwable) e, entries);
    }

    @Override
    public void log(Throwable cause, LogEntry... entries) {
        // the first entry is the name of the event
        boolean stops = entries[0].value().equals(STOP);
        if (stops) {
            action.run();
        }
        if (!stops || logger.enabled() && logger.enabled(STOP)) {
            logger.log(cause, entries);
        }
    }
}

package org.microhttp.tools;

import java.util.function.Consumer;
import org.microhttp.LogEntry;
import org.microhttp.Logger;

/** Keeps every event, then calls a hook with its name, on the thread that logs it: the loop's, mostly. */
public class HookedLogger implements Logger {

    public final RecordingLogger log = new RecordingLogger();
    private final Consumer<String> hook;

    public HookedLogger(Consumer<String> hook) {
        this.hook = hook;
    }

    @Override
    public boolean enabled() {
        return true;
    }

    @Override
    public void log(LogEntry... entries) {
        log((Throwable) null, entries);
    }

    @Override
    public void log(Exception cause, LogEntry... entries) {
        log((Throwable) cause, entries);
    }

    @Override
    public final void log(Throwable cause, LogEntry... entries) {
        log.log(cause, entries);
        hook.accept(entries[0].value());
    }
}

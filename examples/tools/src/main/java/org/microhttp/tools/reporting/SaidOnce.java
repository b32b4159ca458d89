package org.microhttp.tools.reporting;

import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Says why something cannot be answered: each cause once, since it may stay for long and clients may ask
 * often. For any thread.
 */
public final class SaidOnce {

    /** Different causes that are said; a name that a client chose may be in them. */
    private static final int MOST = 100;

    private final Map<String, Boolean> said = new ConcurrentHashMap<>();
    private final String program;
    private final PrintStream out;

    /** @param program is put before each line */
    public SaidOnce(String program, PrintStream out) {
        this.program = program;
        this.out = out;
    }

    public void say(String cause) {
        if (said.size() < MOST && said.putIfAbsent(cause, true) == null) {
            out.println(program + ": " + Report.oneLine(cause));
        }
    }
}

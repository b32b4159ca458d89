package org.microhttp.tools.reporting;

import java.io.Console;

/** Whether standard output is read by a person. */
public final class Terminal {

    private Terminal() {
    }

    /** On a terminal, unless the user has set NO_COLOR to whatever is not empty. */
    public static boolean wantsColour() {
        String refused = System.getenv("NO_COLOR");
        return (refused == null || refused.isEmpty()) && isThere();
    }

    /** Whether it is a terminal. */
    public static boolean isThere() {
        Console console = System.console();
        // before Java 22 there is a console only on a terminal
        if (console == null || Runtime.version().feature() < 22) {
            return console != null;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}

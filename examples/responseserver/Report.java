package responseserver;

import java.io.PrintStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;

/**
 * Where the program's lines go: text for people, or a JSON object a line for machines. What is printed in one
 * call stays together, whichever thread calls.
 */
final class Report {

    final boolean json;
    private final PrintStream out;

    Report(PrintStream out, boolean json) {
        this.out = out;
        this.json = json;
    }

    void text(String lines) {
        out.println(lines);
    }

    /** Prints an object of the time, the event's name, and these keys and values in turn. */
    void event(String event, Object... keysAndValues) {
        String now = Instant.now().truncatedTo(ChronoUnit.MICROS).toString();
        out.println(Json.object(concat(new Object[] {"time", now, "event", event}, keysAndValues)));
    }

    /** Replaces line breaks and other control characters, by a question mark. */
    static String oneLine(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }

    static Object[] concat(Object[] first, Object... second) {
        Object[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }
}

package shared;

import java.io.PrintStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where the program's lines go: text for people, or a JSON object a line for machines. What is printed in one
 * call stays together, whichever thread calls.
 */
public final class Report {

    public final boolean json;
    private final PrintStream out;

    public Report(PrintStream out, boolean json) {
        this.out = out;
        this.json = json;
    }

    public void text(String lines) {
        out.println(lines);
    }

    /** Prints an object of the time, the event's name, and these members. */
    public void event(String event, Map<String, ?> members) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("time", Instant.now().truncatedTo(ChronoUnit.MICROS));
        all.put("event", event);
        all.putAll(members);
        out.println(Json.text(all));
    }

    /** A text without line breaks and other control characters: each becomes a question mark. */
    public static String oneLine(String text) {
        return text.replaceAll("\\p{Cc}", "?");
    }
}

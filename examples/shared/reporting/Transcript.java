package reporting;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.microhttp.LogEntry;
import org.microhttp.Logger;
import representation.Reason;

/**
 * Prints what passes between clients and server, as a logger of the library. A line of text begins with the
 * number of its connection, then {@code >} for what came, {@code <} for what went, and {@code *} for what
 * else there is to say: what was refused or went wrong, and from {@code -vv} on who comes and goes. Called by
 * all loops at once; the lines of one message stay together. It prints on the loops' threads, so output that
 * does not keep up holds the server.
 */
public final class Transcript implements Logger {

    private static final Set<String> COMING_AND_GOING = Set.of("accept", "close");

    private static final String END = "\u001b[0m";
    private static final String CYAN = "\u001b[36m";
    private static final Map<Character, String> BY_STATUS =
            Map.of('2', "\u001b[32m", '3', "\u001b[34m", '4', "\u001b[33m", '5', "\u001b[31m");

    private final Report report;
    private final int verbosity;
    private final boolean coloured;

    public Transcript(Report report, int verbosity, boolean coloured) {
        this.report = report;
        this.verbosity = verbosity;
        this.coloured = coloured;
    }

    @Override
    public boolean enabled() {
        return true;
    }

    /** Start lines are in the events anyway. */
    @Override
    public boolean messages() {
        return verbosity > 1;
    }

    @Override
    public void log(LogEntry... entries) {
        Map<String, String> event = values(entries);
        String name = event.get("event");
        if (name.equals("read_request")) {
            print(event, true, event.get("request"));
        } else if (name.equals("write_response")) {
            String status = event.get("status");
            print(event, false, "HTTP/1.1 " + status + " " + Reason.of(Integer.parseInt(status)));
        } else if (event.containsKey("rule") || verbosity > 1 && COMING_AND_GOING.contains(name)) {
            print(event);
        }
    }

    @Override
    public void log(Exception e, LogEntry... entries) {
        Map<String, String> event = values(entries);
        event.put("cause", e.toString());
        print(event);
    }

    private static Map<String, String> values(LogEntry... entries) {
        Map<String, String> values = new LinkedHashMap<>();
        for (LogEntry entry : entries) {
            values.put(entry.key(), entry.value());
        }
        return values;
    }

    /** Prints a message; of one that the heap has no room for, the start line. */
    private void print(Map<String, String> event, boolean request, String startLine) {
        long id = Long.parseLong(event.get("id"));
        String octets = messages() ? event.get("message") : startLine + "\r\n\r\n";
        try {
            if (octets != null) {
                print(id, request, new Message(octets), verbosity);
                return;
            }
        } catch (OutOfMemoryError e) {
            // as when the library had no room for it
        }
        print(id, request, new Message(startLine + " (too large to show)\r\n\r\n"), 1);
    }

    private void print(long id, boolean request, Message message, int verbosity) {
        if (report.json) {
            Map<String, Object> members = new LinkedHashMap<>(Map.of("id", id));
            members.putAll(message.members(verbosity));
            report.event(request ? "request" : "response", members);
            return;
        }
        String mark = "#" + id + (request ? " >" : " <");
        List<String> lines = message.lines(verbosity);
        // HTTP/1.1 200 OK: the status is after nine characters
        String colour = request ? CYAN : BY_STATUS.get(lines.get(0).charAt(9));
        report.text(lines.stream().map(line -> line.isEmpty() ? mark : mark + " " + line)
                .map(line -> coloured ? colour + line + END : line).collect(Collectors.joining("\n")));
    }

    /** Prints another event. */
    private void print(Map<String, String> event) {
        String name = event.remove("event");
        String id = event.remove("id");
        if (report.json) {
            Map<String, Object> members = new LinkedHashMap<>();
            if (id != null) {
                members.put("id", Long.valueOf(id));
            }
            event.forEach((key, value) ->
                    members.put(key, key.equals("status") ? Long.valueOf(value) : value));
            report.event(name, members);
            return;
        }
        report.text((id == null ? "* " : "#" + id + " * ") + name + event.entrySet().stream()
                .map(entry -> " " + entry.getKey() + "=" + Report.oneLine(entry.getValue()))
                .collect(Collectors.joining()));
    }
}

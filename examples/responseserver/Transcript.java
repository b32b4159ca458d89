package responseserver;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.microhttp.LogEntry;
import org.microhttp.Logger;

/**
 * Prints what passes between clients and server, as a logger of the library. A line of text begins with the
 * number of its connection, then {@code >} for what came, {@code <} for what went, and {@code *} for what
 * else there is to say: what was refused or went wrong, and from {@code -vv} on who comes and goes. Called by
 * all loops at once; the lines of one message stay together.
 */
final class Transcript implements Logger {

    private static final Set<String> COMING_AND_GOING = Set.of("accept", "close");

    private static final String END = "\u001b[0m";
    private static final String CYAN = "\u001b[36m";
    private static final Map<Character, String> BY_STATUS =
            Map.of('2', "\u001b[32m", '3', "\u001b[34m", '4', "\u001b[33m", '5', "\u001b[31m");

    private final Report report;
    private final int verbosity;
    private final boolean coloured;

    Transcript(Report report, int verbosity, boolean coloured) {
        this.report = report;
        this.verbosity = verbosity;
        this.coloured = coloured;
    }

    @Override
    public boolean enabled() {
        return true;
    }

    @Override
    public boolean messages() {
        return true;
    }

    @Override
    public void log(LogEntry... entries) {
        String event = entries[0].value();
        LogEntry last = entries[entries.length - 1];
        if (last.key().equals("message")) {
            boolean request = event.equals("read_request");
            print(Long.parseLong(entries[1].value()), request, new Message(last.value()));
        } else if (last.key().equals("rule") || verbosity > 1 && COMING_AND_GOING.contains(event)) {
            print(List.of(entries));
        }
    }

    @Override
    public void log(Exception e, LogEntry... entries) {
        List<LogEntry> all = new ArrayList<>(List.of(entries));
        all.add(new LogEntry("cause", e.toString()));
        print(all);
    }

    private void print(long id, boolean request, Message message) {
        if (report.json) {
            Object[] members = message.members(verbosity);
            report.event(request ? "request" : "response", Report.concat(new Object[] {"id", id}, members));
            return;
        }
        String mark = "#" + id + (request ? " >" : " <");
        // HTTP/1.1 200 OK: the status begins after nine characters
        String colour = request ? CYAN : BY_STATUS.get(message.startLine().charAt(9));
        report.text(message.lines(verbosity).stream()
                .map(line -> line.isEmpty() ? mark : mark + " " + line)
                .map(line -> coloured ? colour + line + END : line).collect(Collectors.joining("\n")));
    }

    /** Prints another event: its name, and its entries. */
    private void print(List<LogEntry> entries) {
        List<LogEntry> rest = entries.subList(1, entries.size());
        if (report.json) {
            report.event(entries.get(0).value(),
                    rest.stream().flatMap(entry -> Stream.of(entry.key(), value(entry))).toArray());
            return;
        }
        boolean numbered = rest.size() > 0 && rest.get(0).key().equals("id");
        String text = rest.stream().skip(numbered ? 1 : 0)
                .map(entry -> " " + entry.key() + "=" + Report.oneLine(entry.value()))
                .collect(Collectors.joining("", entries.get(0).value(), ""));
        report.text((numbered ? "#" + rest.get(0).value() + " * " : "* ") + text);
    }

    private static Object value(LogEntry entry) {
        boolean number = Set.of("id", "status").contains(entry.key());
        return number ? Long.valueOf(entry.value()) : entry.value();
    }
}

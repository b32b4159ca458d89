package responseserver;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A request or a response, of which as much is shown as was asked for: with 1 the start line, with 2 the
 * fields, too, with 3 the body, too, with 4 every octet.
 */
final class Message {

    private final String octets;
    private final List<String> fieldLines;
    private final String startLine;
    private final String body;

    /** Takes a whole message, each octet a character. */
    Message(String octets) {
        this.octets = octets;
        int end = octets.indexOf("\r\n\r\n");
        List<String> head = Arrays.asList(octets.substring(0, end).split("\r\n"));
        startLine = head.get(0);
        fieldLines = head.subList(1, head.size());
        body = octets.substring(end + 4);
    }

    String startLine() {
        return startLine;
    }

    /** Lines for people, in which everything is printable. The body comes after an empty one. */
    List<String> lines(int verbosity) {
        List<String> lines = new ArrayList<>(List.of(Octets.printable(startLine)));
        if (verbosity == 4) {
            lines.addAll(Octets.dump(octets).lines().toList());
        }
        if (verbosity == 2 || verbosity == 3) {
            fieldLines.forEach(line -> lines.add(Octets.printable(line)));
        }
        if (verbosity == 3 && !body.isEmpty()) {
            lines.add("");
            // a line feed ends a line, so the last one begins no other
            String text = body.endsWith("\n") ? body.substring(0, body.length() - 1) : body;
            Arrays.stream(text.split("\n", -1)).map(Octets::printable).forEach(lines::add);
        }
        return lines;
    }

    /** Keys and values in turn, for machines. */
    Object[] members(int verbosity) {
        List<Object> members = new ArrayList<>(List.of("start_line", startLine));
        if (verbosity >= 2) {
            members.addAll(List.of("fields", fieldLines.stream().map(Message::nameAndValue).toArray()));
        }
        if (verbosity >= 3) {
            members.addAll(List.of("body", body));
        }
        if (verbosity >= 4) {
            members.addAll(List.of("octets", Octets.hexadecimal(octets)));
        }
        return members.toArray();
    }

    private static Object[] nameAndValue(String line) {
        int colon = line.indexOf(':');
        return new Object[] {line.substring(0, colon), line.substring(colon + 1).strip()};
    }
}

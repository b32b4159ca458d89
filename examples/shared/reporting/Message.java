package reporting;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A request or a response, of which as much is shown as was asked for: with 1 the start line, with 2 the
 * fields, too, with 3 the body, too, with 4 every octet.
 */
final class Message {

    private final String octets;
    private final int headEnd;
    private final List<String> fieldLines;
    private final String startLine;

    /** Takes a whole message, each octet a character. */
    Message(String octets) {
        this.octets = octets;
        headEnd = octets.indexOf("\r\n\r\n");
        List<String> head = Arrays.asList(octets.substring(0, headEnd).split("\r\n"));
        startLine = head.get(0);
        fieldLines = head.subList(1, head.size());
    }

    private String body() {
        return octets.substring(headEnd + 4);
    }

    /** Lines for people, in which everything is printable. The body comes after an empty one. */
    List<String> lines(int verbosity) {
        List<String> lines = new ArrayList<>(List.of(Octets.printable(startLine)));
        if (verbosity == 4) {
            lines.addAll(Octets.dump(octets));
        }
        if (verbosity == 2 || verbosity == 3) {
            fieldLines.forEach(line -> lines.add(Octets.printable(line)));
        }
        String body = verbosity == 3 ? body() : "";
        if (!body.isEmpty()) {
            lines.add("");
            // a line feed ends a line, so the last one begins no other
            String text = body.endsWith("\n") ? body.substring(0, body.length() - 1) : body;
            Arrays.stream(text.split("\n", -1)).map(Octets::printable).forEach(lines::add);
        }
        return lines;
    }

    /** The same for machines. */
    Map<String, Object> members(int verbosity) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("start_line", startLine);
        if (verbosity >= 2) {
            members.put("fields", fieldLines.stream().map(Message::nameAndValue).toList());
        }
        if (verbosity >= 3) {
            members.put("body", body());
        }
        if (verbosity >= 4) {
            members.put("octets", Octets.hexadecimal(octets));
        }
        return members;
    }

    private static List<String> nameAndValue(String line) {
        int colon = line.indexOf(':');
        return List.of(line.substring(0, colon), line.substring(colon + 1).strip());
    }
}

package accesslog;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the fields in which proxies say for whom they ask. Each appends whom it was asked by, so the last
 * element is of the nearest proxy, and what a client wrote itself comes first.
 */
final class Forwarded {

    private static final String UNKNOWN = "unknown";

    /**
     * A pair of {@code Forwarded}, or none, and what ends it: {@code for="[2001:db8::1]:4711";} (RFC 7239
     * §4). Also without quotes where they belong. A backslash in a quoted string, which no address needs, is
     * not read.
     */
    private static final Pattern PAIR = Pattern.compile("[ \t]*"
            + "(?:([\\w!#$%&'*+.^`|~-]+)=(?:([^ \t\",;=]+)|\"([^\"\\\\]*)\"))?[ \t]*([;,]|\\z)");

    private Forwarded() {
    }

    /** The nodes of {@code X-Forwarded-For}, in their order. */
    static List<String> list(String value) {
        return Arrays.stream(value.split(","))
                .map(String::strip)
                .filter(node -> !node.isEmpty())
                .toList();
    }

    /**
     * The nodes of {@code Forwarded}, one for each element, in their order; {@code unknown} for one that has
     * none. Empty if the field is broken: behind an open quote nobody knows what is whose.
     */
    static List<String> nodes(String value) {
        List<String> nodes = new ArrayList<>();
        Matcher pair = PAIR.matcher(value);
        boolean empty = true;
        String node = null;
        String end;
        do {
            if (!pair.lookingAt() || node != null && isFor(pair)) {
                return List.of();
            }
            if (isFor(pair)) {
                node = pair.group(2) == null ? pair.group(3) : pair.group(2);
            }
            empty &= pair.group(1) == null;
            end = pair.group(4);
            if (!end.equals(";")) {
                // an element of nothing is none (RFC 9110 §5.6.1)
                if (!empty) {
                    nodes.add(node == null ? UNKNOWN : node);
                }
                empty = true;
                node = null;
            }
            pair.region(pair.end(), value.length());
        } while (!end.isEmpty());
        return nodes;
    }

    private static boolean isFor(Matcher pair) {
        return "for".equalsIgnoreCase(pair.group(1));
    }
}

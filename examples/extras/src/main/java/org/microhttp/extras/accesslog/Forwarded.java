package org.microhttp.extras.accesslog;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the fields in which proxies name their clients. Each proxy appends the address that connected to it,
 * so the last element is the nearest proxy's, and elements that a client wrote itself come first.
 */
final class Forwarded {

    private static final String UNKNOWN = "unknown";

    /**
     * A pair of {@code Forwarded}, or none, and the separator: {@code for="[2001:db8::1]:4711";} (RFC 7239
     * §4). Required quotes may be missing. A backslash in a quoted string, which no address needs, does not
     * match. Possessive, so that a client's white space is looked at once.
     */
    private static final Pattern PAIR = Pattern.compile("[ \t]*+"
            + "(?:([\\w!#$%&'*+.^`|~-]++)=(?:([^ \t\",;=]++)|\"([^\"\\\\]*+)\"))?+[ \t]*+([;,]|\\z)");

    /** How many of a list's last elements are looked at: most may be empty. */
    private static final int MOST_ELEMENTS = 1000;

    private final String value;

    /** Where each of the last nodes begins and ends, at its number modulo the array's length; -1 for none. */
    private final int[] begins;
    private final int[] ends;
    private int count;

    private Forwarded(String value, int most) {
        this.value = value;
        begins = new int[most];
        ends = new int[most];
    }

    /** The last nodes of {@code X-Forwarded-For}, in their order. */
    static List<String> list(String value, int most) {
        var nodes = new ArrayDeque<String>();
        int end = value.length();
        for (int i = 0; i < MOST_ELEMENTS && end >= 0 && nodes.size() < most; i++) {
            int begin = value.lastIndexOf(',', end - 1) + 1;
            String node = value.substring(begin, end).strip();
            if (!node.isEmpty()) {
                nodes.addFirst(node);
            }
            end = begin - 1;
        }
        return List.copyOf(nodes);
    }

    /**
     * The last nodes of {@code Forwarded}, one for each element, in their order; {@code unknown} for an
     * element without a node. Empty if the field is malformed: after an open quote no element is certain.
     */
    static List<String> nodes(String value, int most) {
        var forwarded = new Forwarded(value, most);
        return forwarded.read() ? forwarded.last() : List.of();
    }

    /** Makes no object for an element: a client may send any number. False if the field is malformed. */
    private boolean read() {
        Matcher pair = PAIR.matcher(value);
        boolean empty = true;
        int node = -1;
        int nodeEnd = -1;
        boolean last;
        do {
            if (!pair.lookingAt() || node >= 0 && isFor(pair)) {
                return false;
            }
            if (isFor(pair)) {
                int group = pair.start(2) < 0 ? 3 : 2;
                node = pair.start(group);
                nodeEnd = pair.end(group);
            }
            empty &= pair.start(1) < 0;
            last = pair.start(4) == value.length();
            if (last || value.charAt(pair.start(4)) == ',') {
                // an empty element does not count (RFC 9110 §5.6.1)
                if (!empty) {
                    add(node, nodeEnd);
                }
                empty = true;
                node = -1;
            }
            pair.region(pair.end(), value.length());
        } while (!last);
        return true;
    }

    private boolean isFor(Matcher pair) {
        return pair.end(1) - pair.start(1) == 3 && value.regionMatches(true, pair.start(1), "for", 0, 3);
    }

    private void add(int begin, int end) {
        begins[count % begins.length] = begin;
        ends[count % ends.length] = end;
        count++;
    }

    private List<String> last() {
        List<String> nodes = new ArrayList<>();
        for (int i = Math.max(0, count - begins.length); i < count; i++) {
            int begin = begins[i % begins.length];
            nodes.add(begin < 0 ? UNKNOWN : value.substring(begin, ends[i % ends.length]));
        }
        return nodes;
    }
}

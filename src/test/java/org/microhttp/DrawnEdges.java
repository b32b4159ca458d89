package org.microhttp;

import java.util.*;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.microhttp.testing.Readme;

/** The changes of state that the comment of {@link ConnectionState} draws, in its order. */
final class DrawnEdges {

    /** A change from one state to another. */
    record Edge(ConnectionState from, ConnectionState to) {

        @Override
        public String toString() {
            return from + " -> " + to;
        }
    }

    private static final String SOURCE = "src/main/java/org/microhttp/ConnectionState.java";
    private static final String ANY_OTHER = "any but CLOSED";
    private static final Pattern DRAWING = Pattern.compile("(?s) \\* <pre>\n(.*?) \\* </pre>\n");

    /** What an edge starts from, nothing where that is the same as above; where it leads; and why. */
    private static final Pattern LINE =
            Pattern.compile(" \\* {3}(?:(" + ANY_OTHER + "|[A-Z]+) +| {11})-> ([A-Z]+) {2,}\\S.*");

    private DrawnEdges() {
    }

    static List<Edge> read() {
        Matcher drawing = DRAWING.matcher(Readme.read(Readme.ROOT.resolve(SOURCE)));
        if (!drawing.find()) throw new IllegalStateException("no drawing in " + SOURCE);
        var edges = new ArrayList<Edge>();
        String from = null;
        for (String text : drawing.group(1).split("\n")) {
            Matcher line = LINE.matcher(text);
            if (!line.matches()) throw new IllegalStateException("no edge: " + text);
            from = line.group(1) == null ? from : line.group(1);
            addAll(from, ConnectionState.valueOf(line.group(2)), edges);
        }
        return edges;
    }

    private static void addAll(String from, ConnectionState to, List<Edge> edges) {
        for (ConnectionState state : ConnectionState.values()) {
            boolean other = from.equals(ANY_OTHER) && state != ConnectionState.CLOSED;
            if (other || state.name().equals(from)) edges.add(new Edge(state, to));
        }
    }
}

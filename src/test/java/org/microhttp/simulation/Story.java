package org.microhttp.simulation;

import java.util.ArrayList;
import java.util.List;

/** What happened, as text: told only when somebody will read it. */
final class Story {

    /** A line of it; client 0 is none. */
    private record Line(long time, int client, String text) {

        @Override
        public String toString() {
            return "%14.6f ms %6s  %s%n".formatted(time / 1e6, client == 0 ? "world" : "c" + client, text);
        }
    }

    /** How the line of a turn begins. */
    static final String TURN = "turn of loop ";

    final boolean told;
    private final List<Line> lines = new ArrayList<>();

    Story(boolean told) {
        this.told = told;
    }

    void tell(long time, int client, String text) {
        if (told) lines.add(new Line(time, client, text));
    }

    /** What concerns one client, and the world; all, for client 0. Leaves out turns without any of it. */
    String of(int client) {
        var text = new StringBuilder();
        Line turn = null;
        for (Line line : lines) {
            if (client != 0 && line.client != client && line.client != 0) continue;
            boolean isTurn = line.text.startsWith(TURN);
            if (!isTurn && turn != null) text.append(turn);
            if (!isTurn) text.append(line);
            turn = isTurn ? line : null;
        }
        return text.toString();
    }
}

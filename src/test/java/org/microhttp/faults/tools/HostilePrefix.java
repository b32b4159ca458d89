package org.microhttp.faults.tools;

import java.util.List;

/**
 * What a client sends before it stops: in pieces, each of which the server has read before the next is sent,
 * so that what is kept has to grow.
 *
 * @param answers what the server may keep of unread answers, besides what it keeps of what it has read
 * @param window  the client's receive buffer, 0 for the system's choice
 */
public record HostilePrefix(String name, List<String> pieces, int answers, int window) {

    /** The last character comes alone: an array that was just as long as needed grows by it. */
    static HostilePrefix of(String name, String text) {
        int last = Math.max(0, text.length() - 1);
        return new HostilePrefix(name, List.of(text.substring(0, last), text.substring(last)), 0, 0);
    }

    /** The same after something else, in the same piece. */
    HostilePrefix behind(String what, String text) {
        String first = text + pieces.get(0);
        return new HostilePrefix(name + ", " + what, List.of(first, pieces.get(1)), answers, window);
    }

    @Override
    public String toString() {
        return name;
    }
}

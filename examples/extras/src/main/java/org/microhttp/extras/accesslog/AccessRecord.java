package org.microhttp.extras.accesslog;

import java.net.InetAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.microhttp.LogEntry;

/**
 * An exchange that has ended. Its values are as they came from the network.
 *
 * @param time   when it ended
 * @param client who asked, as far as that is known; else null
 * @param values the entries of the event by their keys
 */
record AccessRecord(Instant time, InetAddress client, Map<String, String> values) {

    static AccessRecord of(Instant time, Trust trust, LogEntry... entries) {
        Map<String, String> values = new HashMap<>();
        for (LogEntry entry : entries) {
            values.put(entry.key(), entry.value());
        }
        var unsure = new AccessRecord(time, null, values);
        InetAddress client = trust.client(Address.parse(unsure.peer()),
                unsure.fields("Forwarded"), unsure.fields("X-Forwarded-For"));
        return new AccessRecord(time, client, values);
    }

    /** The value of an entry, or null. */
    String get(String key) {
        return values.get(key);
    }

    /** Address and port of the other end of the connection, without the name that may stand before them. */
    String peer() {
        String peer = values.getOrDefault("peer", "");
        return peer.substring(peer.lastIndexOf('/') + 1);
    }

    /** The values of all fields of a name, in their order, without white space around them. */
    List<String> fields(String name) {
        List<String> found = new ArrayList<>();
        String fields = values.getOrDefault("fields", "");
        String start = name + ":";
        int at = 0;
        for (int end = fields.indexOf("\r\n"); end >= 0; end = fields.indexOf("\r\n", at)) {
            if (fields.regionMatches(true, at, start, 0, start.length())) {
                found.add(fields.substring(at + start.length(), end).strip());
            }
            at = end + 2;
        }
        return found;
    }

    /** The value of the first field of a name, or null. */
    String field(String name) {
        List<String> found = fields(name);
        return found.isEmpty() ? null : found.get(0);
    }
}

package org.microhttp.checks.proxies.tools;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.microhttp.LogEntry;
import org.microhttp.Logger;
import org.microhttp.checks.proxies.tools.SeenRequest.Outcome;

/**
 * Makes a server's events a log with an entry for each request, in the order in which they begin. A proxy
 * sends a request only when it has the answer to the one before, so the bytes that come after that answer
 * begin the next; but what is handled or refused is an entry in any case.
 */
public final class SeenLog implements Logger {

    public final LiveLog<SeenRequest> requests = new LiveLog<>();

    /** The connections inside a request, and its index. */
    private final Map<String, Integer> begun = new HashMap<>();

    /** The connections that were refused a request, and take no more. */
    private final Set<String> ending = new HashSet<>();

    private int connections;

    @Override
    public synchronized void log(Exception cause, LogEntry... entries) {
        Map<String, String> event =
                Stream.of(entries).collect(Collectors.toMap(LogEntry::key, LogEntry::value));
        String id = event.get("id");
        switch (event.get("event")) {
            case "accept" -> connections++;
            case "read_bytes" -> begin(id);
            case "read_request" -> end(new SeenRequest(id, Outcome.HANDLED, event.get("request"), 200));
            case "close" -> close(id);
            case "exchange" -> { }
            default -> refuse(id, event.get("code"), event.get("status"));
        }
    }

    /** How many connections the proxy has opened. */
    public synchronized int connections() {
        return connections;
    }

    private void begin(String id) {
        if (!begun.containsKey(id) && !ending.contains(id)) {
            begun.put(id, requests.add(new SeenRequest(id, Outcome.BEGUN, "", 0)));
        }
    }

    /** All refusals have a code, and no other event has but an exchange. */
    private void refuse(String id, String code, String status) {
        if (code != null) {
            Outcome outcome = code.equals("truncated") ? Outcome.CUT : Outcome.REFUSED;
            end(new SeenRequest(id, outcome, code, Integer.parseInt(status)));
            ending.add(id);
        }
    }

    private void close(String id) {
        if (begun.containsKey(id)) {
            end(new SeenRequest(id, Outcome.CUT, "", 0));
        }
        ending.remove(id);
    }

    private void end(SeenRequest request) {
        Integer index = begun.remove(request.connection());
        if (index == null) {
            requests.add(request);
        } else {
            requests.replace(index, request);
        }
    }
}

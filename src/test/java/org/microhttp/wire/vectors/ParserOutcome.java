package org.microhttp.wire.vectors;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.microhttp.Request;

/**
 * What a parser made of bytes: the requests in order, and how it ended.
 *
 * @param end "more" inside a request, "continue" if the client also waits for a 100, the status and code of a
 *            refusal, or empty
 */
public record ParserOutcome(List<Seen> requests, String end) {

    /** A request as it came out of the parser; header lines are empty where a vector does not state them. */
    public record Seen(String method, String uri, String version, List<String> headers, String body,
                       boolean closes) {

        public static Seen of(Request request, boolean closes) {
            List<String> headers = request.headers().stream().map(h -> h.name() + ": " + h.value()).toList();
            String body = new String(request.body(), StandardCharsets.ISO_8859_1);
            return new Seen(request.method(), request.uri(), request.version(), headers, body, closes);
        }

        Seen withoutHeaders() {
            return new Seen(method, uri, version, List.of(), body, closes);
        }
    }

    /** Whether nothing is left over, so that another request may follow. */
    public boolean isComplete() {
        return end.isEmpty();
    }

    public ParserOutcome precededBy(ParserOutcome earlier) {
        var both = new ArrayList<>(earlier.requests);
        both.addAll(requests);
        return new ParserOutcome(both, end);
    }

    /** Leaves out the header lines that the expected outcome does not state. */
    public ParserOutcome asStatedBy(ParserOutcome expected) {
        var stated = new ArrayList<Seen>();
        for (Seen seen : requests) {
            int i = stated.size();
            boolean unstated = i < expected.requests.size() && expected.requests.get(i).headers.isEmpty();
            stated.add(unstated ? seen.withoutHeaders() : seen);
        }
        return new ParserOutcome(stated, end);
    }
}

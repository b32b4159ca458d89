package org.microhttp.wire.model;

import java.util.ArrayList;
import java.util.List;

/**
 * What a parser made of bytes: the requests in order, and how it ended.
 *
 * @param end "more" inside a request, "continue" if the client also waits for a 100, the status and code of a
 *            refusal, or empty
 */
public record ParserOutcome(List<Parsed> requests, String end) {

    /** Whether nothing is left over, so that another request may follow. */
    public boolean isComplete() {
        return end.isEmpty();
    }

    public boolean isRefused() {
        return end.indexOf(' ') > 0;
    }

    /** Of a refusal. */
    public int status() {
        return Integer.parseInt(end.substring(0, end.indexOf(' ')));
    }

    public ParserOutcome precededBy(ParserOutcome earlier) {
        var both = new ArrayList<>(earlier.requests);
        both.addAll(requests);
        return new ParserOutcome(both, end);
    }

    /** Leaves out the header lines that the expected outcome does not state. */
    public ParserOutcome asStatedBy(ParserOutcome expected) {
        var stated = new ArrayList<Parsed>();
        for (Parsed request : requests) {
            int i = stated.size();
            boolean unstated = i < expected.requests.size() && expected.requests.get(i).fields().isEmpty();
            stated.add(unstated ? request.withoutFields() : request);
        }
        return new ParserOutcome(stated, end);
    }
}

package org.microhttp.simulation;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.*;
import org.microhttp.wire.model.*;

/**
 * A piece of what a client sends: requests, and what must come of them, as the reference parser says.
 *
 * @param ends     the index behind each request
 * @param heads    the index behind its header section if the client waits there for a 100, else -1
 * @param blanks   whether an empty line goes before it, or before what comes behind the last
 * @param refused  whether what follows is refused
 * @param statuses those that a refusal may have
 * @param large    whether bodies are judged by what may be received, and must be received
 */
record ClientInput(byte[] text, List<Parsed> requests, int[] ends, int[] heads, boolean[] blanks,
        boolean refused, Set<Integer> statuses, boolean large) {

    /** Asks the reference parser what must come of it. */
    static ClientInput judge(String text, RequestLimits limits, boolean large) {
        ReferenceParser.Verdict verdict = ReferenceParser.parse(text, limits);
        List<Parsed> requests = verdict.requests();
        var ends = new int[requests.size()];
        var heads = new int[requests.size()];
        var blanks = new boolean[requests.size() + 1];
        int start = 0;
        for (int i = 0; i < ends.length; i++) {
            ends[i] = verdict.ends().get(i);
            blanks[i] = text.startsWith("\r\n", start);
            heads[i] = awaitsContinue(requests.get(i)) ? text.indexOf("\r\n\r\n", start + 2) + 4 : -1;
            start = ends[i];
        }
        blanks[ends.length] = text.startsWith("\r\n", start);
        return new ClientInput(text.getBytes(ISO_8859_1), requests, ends, heads, blanks,
                verdict.end().equals("refused"), verdict.statuses(), large);
    }

    /** Draws whether a body is received as it comes; not if it would then not be judged as it was. */
    boolean isReceived(SplittableRandom random, Conditions conditions, boolean last) {
        boolean drawn = random.nextInt(100) < conditions.contents().received();
        boolean kept = last && conditions.streamsMore() && statuses.contains(413);
        return large || drawn && !kept;
    }

    /** Whether another may follow it. */
    boolean isOpen() {
        int last = ends.length - 1;
        return last >= 0 && ends[last] == text.length && requests.get(last).persistent();
    }

    private static boolean awaitsContinue(Parsed request) {
        if (request.version().equals("HTTP/1.0")) return false;
        boolean body = false;
        boolean expects = false;
        for (String field : request.fields()) {
            String lower = field.toLowerCase(Locale.ROOT);
            body |= lower.startsWith("transfer-encoding:") || lower.matches("content-length:.*[1-9].*");
            expects |= lower.startsWith("expect:") && lower.contains("100-continue");
        }
        return body && expects;
    }
}

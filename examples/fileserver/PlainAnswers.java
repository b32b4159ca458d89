package fileserver;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.microhttp.Header;
import org.microhttp.Response;
import representation.Outcome;
import representation.Resource;
import shared.Reason;

/** Answers that are no file: a line of text that says what they are. */
final class PlainAnswers {

    private static final Header TEXT = new Header("Content-Type", "text/plain; charset=utf-8");

    /** What a client may try again in a second (RFC 9110 §10.2.3). */
    private static final Header RETRY = new Header("Retry-After", "1");

    static final Response FORBIDDEN = of(403, TEXT);
    static final Response NOT_FOUND = of(404, TEXT);

    /** RFC 9110 §15.5.6 */
    static final Response NOT_ALLOWED = of(405, TEXT, new Header("Allow", "GET, HEAD"));
    static final Response FAILED = of(500, TEXT);
    static final Response UNAVAILABLE = of(503, TEXT, RETRY);

    private PlainAnswers() {
    }

    private static Response of(int status, Header... fields) {
        String text = status + " " + Reason.of(status) + "\n";
        return new Response(status, Reason.of(status), List.of(fields),
                text.getBytes(StandardCharsets.US_ASCII));
    }

    /** {@return one that sends nothing of a resource, with the fields that tell why} */
    static Response of(Outcome outcome, Resource resource) {
        List<Header> fields = new ArrayList<>(outcome.fields(resource));
        fields.add(TEXT);
        return of(outcome.status(), fields.toArray(Header[]::new));
    }

    /** @param path from its slash on, escaped */
    static Response moved(String path) {
        return of(301, TEXT, new Header("Location", path));
    }
}

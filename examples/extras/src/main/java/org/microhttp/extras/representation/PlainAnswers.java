package org.microhttp.extras.representation;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.microhttp.Header;
import org.microhttp.Response;

/** Answers that are no stored content: a line of text that says what they are. */
public final class PlainAnswers {

    private static final Header TEXT = new Header("Content-Type", "text/plain; charset=utf-8");

    /** What a client may try again in a second (RFC 9110 §10.2.3). */
    private static final Header RETRY = new Header("Retry-After", "1");

    /** What may not be read. */
    public static final Response FORBIDDEN = of(403);
    /** What is not there. */
    public static final Response NOT_FOUND = of(404);

    /** RFC 9110 §15.5.6 */
    public static final Response NOT_ALLOWED = of(405, new Header("Allow", "GET, HEAD"));
    /** What failed for a reason that is none of the client. */
    public static final Response FAILED = of(500);
    /** For what there is no room now. */
    public static final Response UNAVAILABLE = of(503, RETRY);

    private PlainAnswers() {
    }

    private static Response of(int status, Header... fields) {
        return of(status, List.of(fields));
    }

    /**
     * {@return one of that status, with these fields beside its Content-Type}
     *
     * @param status any that has a body
     * @param fields without a Content-Type
     */
    public static Response of(int status, List<Header> fields) {
        String text = status + " " + Reason.of(status) + "\n";
        List<Header> all = new ArrayList<>(fields);
        all.add(TEXT);
        return new Response(status, Reason.of(status), all, text.getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * {@return one that sends nothing of a resource, with the fields that tell why, and with others}
     *
     * @param outcome one of those that send nothing of a resource
     * @param resource that it is an outcome for
     * @param others without a Content-Type
     */
    public static Response of(Outcome outcome, Resource resource, List<Header> others) {
        List<Header> fields = new ArrayList<>(outcome.fields(resource));
        fields.addAll(others);
        return of(outcome.status(), fields);
    }

    /**
     * Redirects to a path for good.
     *
     * @param path from its slash on, escaped
     * @param others fields beside its Location
     * @return a 301 that leads there
     */
    public static Response moved(String path, List<Header> others) {
        List<Header> fields = new ArrayList<>(others);
        fields.add(new Header("Location", path));
        return of(301, fields);
    }
}

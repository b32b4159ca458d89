package org.microhttp.extras.representation;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.microhttp.Header;
import org.microhttp.Response;

/** Responses that are no stored content: a line of text with the status. */
public final class PlainAnswers {

    private static final Header TEXT = new Header("Content-Type", "text/plain; charset=utf-8");

    /** A client may try again in a second (RFC 9110 §10.2.3). */
    private static final Header RETRY = new Header("Retry-After", "1");

    /** For content that may not be read. */
    public static final Response FORBIDDEN = of(403);
    /** For a path without content. */
    public static final Response NOT_FOUND = of(404);

    /** For methods other than GET and HEAD (RFC 9110 §15.5.6). */
    public static final Response NOT_ALLOWED = of(405, new Header("Allow", "GET, HEAD"));
    /** For failures that the client did not cause. */
    public static final Response FAILED = of(500);
    /** For overload. */
    public static final Response UNAVAILABLE = of(503, RETRY);

    private PlainAnswers() {
    }

    private static Response of(int status, Header... fields) {
        return of(status, List.of(fields));
    }

    /**
     * {@return a response of this status, with these fields and a Content-Type}
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
     * {@return the response for an outcome that sends nothing of a resource: with its fields, and others}
     *
     * @param outcome one whose status has a body: a 406, 412 or 416
     * @param resource the resource of the outcome
     * @param others without a Content-Type
     */
    public static Response of(Outcome outcome, Resource resource, List<Header> others) {
        List<Header> fields = new ArrayList<>(outcome.fields(resource));
        fields.addAll(others);
        return of(outcome.status(), fields);
    }

    /**
     * Redirects to a path permanently.
     *
     * @param path the path with its first slash, escaped
     * @param others fields besides Location and Content-Type
     * @return a 301 to the path
     */
    public static Response moved(String path, List<Header> others) {
        List<Header> fields = new ArrayList<>(others);
        fields.add(new Header("Location", path));
        return of(301, fields);
    }
}

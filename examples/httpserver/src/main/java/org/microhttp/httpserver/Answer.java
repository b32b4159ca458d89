package org.microhttp.httpserver;

import com.sun.net.httpserver.Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.microhttp.Body;
import org.microhttp.Header;
import org.microhttp.Response;

/**
 * Passes the response of an exchange to the library, which takes a response only after the body of the
 * request. An earlier response waits here. Thread-safe.
 */
final class Answer {

    /** A line break that the JDK takes for white space (RFC 9112 §5.2). */
    private static final Pattern FOLD = Pattern.compile("\r\n[ \t]+");

    /** Characters that no value may have (RFC 9110 §5.5), without line breaks, which the library refuses. */
    private static final Pattern UNSENDABLE = Pattern.compile("[^\t\r\n\\x20-\\x7E\\x80-\\xFF]");

    private final boolean toHead;
    private Consumer<Response> callback;
    private final List<Response> waiting = new ArrayList<>(1);
    private boolean gone;

    /** @param toHead whether no response has a body (RFC 9110 §9.3.2) */
    Answer(boolean toHead) {
        this.toHead = toHead;
    }

    /** Gives the library all responses, waiting and later ones; the first counts. */
    synchronized void to(Consumer<Response> given) {
        callback = given;
        waiting.forEach(given);
        waiting.clear();
    }

    /** Gives a response. The library logs a failed one, even if it is not the first. */
    synchronized void give(Response response) {
        if (gone) {
            response.release();
        } else if (callback == null) {
            waiting.add(response);
        } else {
            callback.accept(response);
        }
    }

    /**
     * Fails before anything is sent. The JDK's server closes the connection then, and a client that looks at
     * no status relies on that. So the client gets a 500 with a cut body (RFC 9112 §8); to HEAD a whole 500.
     */
    void fail(Throwable cause) {
        if (toHead) {
            give(Response.failed(cause));
            return;
        }
        var nothing = new Outgoing(0, () -> { });
        nothing.end(cause);
        give(new Response(500, List.of(), Body.of(nothing, 1).withHeadAtOnce()));
    }

    /** The client is gone: releases waiting and later responses, so that no failure is logged. */
    synchronized void end() {
        gone = true;
        while (!waiting.isEmpty()) {
            waiting.remove(0).release();
        }
    }

    /**
     * Makes fields of the JDK's headers.
     *
     * @param withLength whether the handler's Content-Length is sent: to HEAD and with 304, without a body
     *                   (RFC 9110 §8.6)
     */
    static List<Header> fields(Headers headers, boolean withLength) {
        var fields = new ArrayList<Header>();
        for (Map.Entry<String, List<String>> entry : headers.entrySet()) {
            String name = entry.getKey();
            if (!withLength && name.equalsIgnoreCase("Content-Length")) {
                continue;
            }
            for (String value : entry.getValue()) {
                fields.add(new Header(name, sendable(value)));
            }
        }
        return fields;
    }

    /**
     * Replaces what must not be sent. The JDK sends the low byte of each character, which may be a line break
     * or a quote that the handler did not give. White space around a value is not part of it (RFC 9110 §5.5).
     */
    private static String sendable(String value) {
        String unfolded = FOLD.matcher(value).replaceAll(" ");
        return UNSENDABLE.matcher(unfolded.strip()).replaceAll("?");
    }

    /** Makes a response, with a reason phrase only for the statuses that the JDK knows. */
    static Response of(int status, List<Header> fields, Body body) {
        int lastNamed = switch (status / 100) {
            case 2 -> 206;
            case 3 -> 305;
            case 4 -> 415;
            default -> 505;
        };
        return status <= lastNamed ? new Response(status, fields, body)
                : new Response(status, "", fields, body);
    }
}

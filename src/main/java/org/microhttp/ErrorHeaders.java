package org.microhttp;

import java.util.List;

/**
 * Adds fields to the responses that the server makes itself: all refusals (400, 408, 413, 431 and so on), 503
 * for an overload or a handler that takes too long, and 500 for a handler or a body that fails, also with
 * {@link Response#failed}. For example, so that a page of another origin can see that its upload is too
 * large:
 * <pre>{@code
 *   var origin = new Header("Access-Control-Allow-Origin", "https://www.example.com");
 *   var options = new Options().withErrorHeaders((status, code, request) ->
 *           request.path().equals("/upload") ? List.of(origin) : List.of());
 * }</pre>
 *
 * @see Options#withErrorHeaders
 */
@FunctionalInterface
public interface ErrorHeaders {

    /**
     * Returns the fields to add to one response. It is called on the loop's thread before the response is
     * sent, so it must not block, nor leave the thread's interrupt flag set. A field whose name the response
     * already has is not added. If this throws or returns null, or a field breaks the rules of
     * {@link Response} or is {@code Connection}, {@code Content-Length} or {@code Transfer-Encoding}, the
     * response is sent without these fields, and {@code handler_error} is logged.
     *
     * @param status  the status, 400 to 599
     * @param code    the error code, such as {@code "request_too_large"};
     *                <a
     * href="https://github.com/microhttp/microhttp/blob/main/src/site/markdown/wire.md#refusals">all</a>
     * @param request the request as far as it is known, never null, without a body, and another object than
     *                the handler got. Method, target and version are empty where the request line is not
     *                whole or breaks its grammar, as with 414, 505 and most 400 of the line. There are no
     *                fields until the header section is whole and valid, so not with 408, 417, 431, 501 and
     *                400 of a field. Both are known once a body is read or the handler was called; but of a
     *                head above 1 KiB the fields may be gone when the body of a response fails
     * @return the fields, possibly none
     */
    List<Header> of(int status, String code, Request request);
}

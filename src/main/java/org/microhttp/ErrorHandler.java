package org.microhttp;

/**
 * Makes the responses to requests that the server refuses or fails to answer: all refusals (400, 408, 413,
 * 431 and so on), 503 for an overload or a handler that takes too long, and 500 for a handler or a body that
 * fails, also with {@link Response#failed}. For example, for a service whose clients expect JSON:
 * <pre>{@code
 *   options.withErrorHandler(error -> Response.json(error.status(), "{\"error\": \"" + error.code() + "\"}"))
 * }</pre>
 * Or so that pages of another origin can see why an upload is refused:
 * <pre>{@code
 *   options.withErrorHandler(error ->
 *           error.response().withHeader("Access-Control-Allow-Origin", "https://www.example.com"))
 * }</pre>
 *
 * @see Options#withErrorHandler
 */
@FunctionalInterface
public interface ErrorHandler {

    /**
     * Returns the response to send. This is called once for each response, on the loop's thread, so it must
     * not block.
     * <p>
     * The status stays the server's, and so does whether the connection closes. The response has
     * <ul>
     * <li>the status of the error
     * <li>a body in the heap: an array, or a buffer that is not direct; or the body of the default response
     * <li>no header {@code Connection}, {@code Content-Length} or {@code Transfer-Encoding}, unless the
     *     default response has the same
     * </ul>
     * If it breaks one of these rules, is null or made by {@link Response#failed}, or if this throws, the
     * default response is sent, and {@code handler_error} is logged.
     *
     * @param error the reason, and the default response
     * @return the response to send, perhaps the default one
     */
    Response respond(ServerError error);
}

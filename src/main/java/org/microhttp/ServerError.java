package org.microhttp;

import java.util.Objects;

/** Why the server itself responds to a request, for an {@link ErrorHandler}. */
public final class ServerError {

    private final String code;
    private final String rule;
    private final Request request;
    private final Response response;

    /**
     * Makes an error with the default response, to test an {@link ErrorHandler} alone. For example:
     * <pre>{@code
     *   var error = new ServerError(413, "request_too_large", "the request is above 9 bytes", request);
     *   assertEquals("application/json", errorHandler.respond(error).header("Content-Type"));
     * }</pre>
     *
     * @param status  200 to 599
     * @param code    the error code
     * @param rule    the rule that was broken
     * @param request the request
     * @throws IllegalArgumentException if the status is out of its range
     * @throws NullPointerException     if an argument is null
     */
    public ServerError(int status, String code, String rule, Request request) {
        this(Response.stating(status, code, rule), request);
    }

    ServerError(Response response, Request request) {
        this.response = response;
        this.request = Objects.requireNonNull(request, "request");
        code = response.code;
        rule = response.rule;
    }

    /** {@return the status, 400 to 599 if the server made it} */
    public int status() { return response.status(); }

    /**
     * {@return the error code, such as {@code "request_too_large"}; <a
     * href="https://github.com/microhttp/microhttp/blob/main/src/site/markdown/wire.md#refusals">all
     * codes</a>}
     */
    public String code() { return code; }

    /** {@return the rule that was broken, as in {@code "the request is above 1048576 bytes (RFC 9110 …)"}} */
    public String rule() { return rule; }

    /**
     * Returns the request as far as it is known: never null, without a body, and another object than the
     * handler got. Method, target and version are empty if the request line is not whole or breaks its
     * grammar, as with 414, 505 and most 400 of the line. There are no headers until the header section is
     * whole and valid, so not with 417, 431, 501, 400 of a header, and a 408 before its end. All parts are
     * known once a body is read or the handler was called; but the headers of a head above 1 KiB may be gone
     * when the body of a response fails.
     *
     * @return the request
     */
    public Request request() { return request; }

    /**
     * {@return the default response: a line of text with code and rule. That of an overload has {@code
     * Retry-After}; that of {@link Response#failed} has the headers that handlers have added}
     */
    public Response response() { return response; }

    /** {@return status, code and rule} */
    @Override
    public String toString() { return status() + " " + code + ": " + rule; }
}

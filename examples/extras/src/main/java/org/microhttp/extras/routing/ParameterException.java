package org.microhttp.extras.routing;

import org.microhttp.Responder;
import org.microhttp.Response;

/**
 * A parameter is wrong, by a mistake of the client. A {@link Router} and a {@link Route} answer with its
 * status and its message, and the server logs no failure. Throw it for checks of your own:
 * <pre>{@code
 *   if (to.isBefore(from)) throw new ParameterException("to is before from");
 * }</pre>
 * A handler may answer otherwise, with JSON for example. On a route:
 * <pre>{@code
 *   handler.andThen((request, response) -> response.failure() instanceof ParameterException e
 *           ? Response.json(e.status(), json(e.getMessage())) : response)
 * }</pre>
 */
public final class ParameterException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    /** Of the response. */
    private final int status;

    /**
     * Makes an exception with the status 400.
     *
     * @param message for the client: what is wrong, and what is allowed
     */
    public ParameterException(String message) {
        this(400, message);
    }

    ParameterException(int status, String message) {
        super(message);
        this.status = status;
    }

    /** {@return the status of the response: 415 if the body is no form, else 400} */
    public int status() {
        return status;
    }

    /** {@return the response with its status and message} */
    Response response() {
        return Response.text(status, getMessage() + "\n");
    }

    /** {@return the response to send for one of a handler: the same, unless this exception is its failure} */
    static Response answer(Response response) {
        boolean wrong = response != null && response.failure() instanceof ParameterException;
        return wrong ? ((ParameterException) response.failure()).response() : response;
    }

    /** {@return a responder that answers for this exception} The server would log what it throws. */
    static Responder answering(Responder responder) {
        return request -> {
            try {
                return responder.respond(request);
            } catch (ParameterException e) {
                return e.response();
            }
        };
    }
}

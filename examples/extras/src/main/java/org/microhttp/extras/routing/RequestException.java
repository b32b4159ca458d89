package org.microhttp.extras.routing;

import java.util.Objects;
import org.microhttp.Responder;
import org.microhttp.Response;

/**
 * A request that cannot be answered as the client wants, most often by a mistake of its own. A {@link
 * Router}, a {@link Route} and a {@link org.microhttp.extras.forms.FormHandler} answer it with its status and
 * its message, and the server logs no failure. {@link Parameters} throws it; throw it for checks of your own:
 * <pre>{@code
 *   if (to.isBefore(from)) throw new RequestException("to is before from");
 *   if (note == null) throw new RequestException(404, "there is no such note");
 * }</pre>
 * A handler may answer otherwise, with JSON for example. On a route:
 * <pre>{@code
 *   handler.andThen((request, response) -> response.failure() instanceof RequestException e
 *           ? Response.json(e.status(), json(e.getMessage())) : response)
 * }</pre>
 * Other handlers answer it with a 500, as any exception.
 */
public final class RequestException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** Of the response. */
    private final int status;

    /**
     * Makes an exception with the status 400.
     *
     * @param message for the client: what is wrong, and what is allowed
     * @throws NullPointerException if it is null
     */
    public RequestException(String message) {
        this(400, message);
    }

    /**
     * Makes an exception.
     *
     * @param status  of the response, 400 to 599
     * @param message for the client, without a line end: what is wrong, and what is allowed
     * @throws IllegalArgumentException if the status is another
     * @throws NullPointerException     if the message is null
     */
    public RequestException(int status, String message) {
        super(Objects.requireNonNull(message, "message"));
        if (status < 400 || status > 599) {
            throw new IllegalArgumentException("status is " + status + "; allowed: 400 to 599");
        }
        this.status = status;
    }

    /** {@return the status of the response} */
    public int status() {
        return status;
    }

    /** {@return a response with this status, and with the message and a line end as plain text} */
    public Response response() {
        return Response.text(status, getMessage() + "\n");
    }

    /** {@return the response to send for one of a handler: the same, unless this exception is its failure} */
    static Response answer(Response response) {
        return response != null && response.failure() instanceof RequestException e ? e.response() : response;
    }

    /** {@return a responder that answers for this exception} The server would log what it throws. */
    static Responder answering(Responder responder) {
        return request -> {
            try {
                return responder.respond(request);
            } catch (RequestException e) {
                return e.response();
            }
        };
    }
}

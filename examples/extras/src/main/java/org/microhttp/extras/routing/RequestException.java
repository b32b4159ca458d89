package org.microhttp.extras.routing;

import java.util.Objects;
import org.microhttp.Responder;
import org.microhttp.Response;

/**
 * Says that a request cannot be answered as the client wants, usually by the client's mistake. A {@link
 * Router}, a {@link Route} and a {@link org.microhttp.extras.forms.FormHandler} answer with the exception's
 * status and message, and the server logs no failure. {@link Parameters} throws it; throw it for your
 * own checks:
 * <pre>{@code
 *   if (to.isBefore(from)) throw new RequestException("to is before from");
 *   if (note == null) throw new RequestException(404, "there is no such note");
 * }</pre>
 * To answer otherwise, with JSON for example, wrap the handler of the route:
 * <pre>{@code
 *   handler.andThen((request, response) -> response.failure() instanceof RequestException e
 *           ? Response.json(e.status(), json(e.getMessage())) : response)
 * }</pre>
 * Outside these three handlers it causes a 500, as any exception does.
 */
public final class RequestException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** The status of the response. */
    private final int status;

    /**
     * Makes an exception with the status 400.
     *
     * @param message for the client: what is wrong, and what is allowed
     * @throws NullPointerException if the message is null
     */
    public RequestException(String message) {
        this(400, message);
    }

    /**
     * Makes an exception.
     *
     * @param status  of the response, 400 to 599
     * @param message for the client, without a line end: what is wrong, and what is allowed
     * @throws IllegalArgumentException if the status is outside that range
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

    /** {@return a plain-text response with this status; its body is the message and a line end} */
    public Response response() {
        return Response.text(status, getMessage() + "\n");
    }

    /** {@return the response itself, or that of its failure if the failure is this exception} */
    static Response answer(Response response) {
        return response != null && response.failure() instanceof RequestException e ? e.response() : response;
    }

    /** {@return a responder that returns this exception's response} The server would log the exception. */
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

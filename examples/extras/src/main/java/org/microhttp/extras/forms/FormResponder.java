package org.microhttp.extras.forms;

import org.microhttp.Request;
import org.microhttp.Response;

/** Makes the response to a form, as {@link org.microhttp.Responder} does to a request. */
@FunctionalInterface
public interface FormResponder {

    /**
     * Responds to one form. Several threads may call it at once.
     *
     * @param request the request, whose body is the form
     * @param form    the form, whose files are deleted when this returns, unless moved elsewhere; so the
     *                response must not need them
     * @return the response; null, or an exception, gives the client a 500
     * @throws org.microhttp.extras.routing.RequestException to give the client its status and its message
     * @throws Exception on failure; the server logs that as {@code handler_error}
     */
    Response respond(Request request, Form form) throws Exception;
}

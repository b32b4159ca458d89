package org.microhttp;

/** Makes the response to a request, for {@link Handler#of} and {@link Handler#blocking(Responder)}. */
@FunctionalInterface
public interface Responder {

    /**
     * Responds to one request. Several threads may call it at once.
     *
     * @param request the complete request, never null
     * @return the response; null, or an exception, gives the client a 500
     * @throws Exception if it fails; the server logs that as {@code handler_error}
     */
    Response respond(Request request) throws Exception;
}

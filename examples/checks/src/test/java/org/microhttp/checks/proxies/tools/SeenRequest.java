package org.microhttp.checks.proxies.tools;

/**
 * What a server behind a proxy made of one request.
 *
 * @param connection the number of its connection
 * @param outcome    how far it came
 * @param request    method, target and version if it was handled, the code of the refusal if it was refused
 * @param status     what the server answers; 0 if it does not, or not yet
 */
public record SeenRequest(String connection, Outcome outcome, String request, int status) {

    /** CUT is a request that the end of its connection broke off, be it answered or not. */
    public enum Outcome { BEGUN, HANDLED, REFUSED, CUT }
}

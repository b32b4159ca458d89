package org.microhttp.tools.responseserver;

import java.util.HashMap;
import java.util.Map;
import org.microhttp.Request;
import org.microhttp.Response;

/**
 * Which response a request gets. A route matches a target of its path, with a query or without; one that
 * has a query itself matches that alone, and comes first. A HEAD without a route of its own takes that of
 * GET, whose answer without the body it asks for (RFC 9110 §9.3.2). What no route matches gets the ordinary
 * response.
 */
final class Routes {

    private final Response ordinary;
    private final Map<String, Map<String, Response>> byTarget = new HashMap<>();

    Routes(Response ordinary) {
        this.ordinary = ordinary;
    }

    /** Adds a route, unless there is one of this method and target: then it says false. */
    boolean add(String method, String target, Response response) {
        return byTarget.computeIfAbsent(target, key -> new HashMap<>()).putIfAbsent(method, response) == null;
    }

    Response find(Request request) {
        if (byTarget.isEmpty()) {
            return ordinary;
        }
        String target = originForm(request.target());
        Response found = find(request.method(), target);
        int query = target.indexOf('?');
        if (found == null && query >= 0) {
            found = find(request.method(), target.substring(0, query));
        }
        return found == null ? ordinary : found;
    }

    private Response find(String method, String target) {
        Map<String, Response> methods = byTarget.getOrDefault(target, Map.of());
        Response response = methods.get(method);
        return response == null && method.equals("HEAD") ? methods.get("GET") : response;
    }

    /** Of an absolute target, as proxies are sent it, what comes after the host (RFC 9112 §3.2.2). */
    private static String originForm(String target) {
        if (target.startsWith("/") || target.equals("*")) {
            return target;
        }
        String rest = target.replaceFirst("^[^:/?]+://[^/?#]*", "");
        return rest.startsWith("/") ? rest : "/" + rest;
    }
}

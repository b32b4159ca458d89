package org.microhttp.extras.routing;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.Function;
import org.microhttp.Handler;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.extras.representation.UrlDecoding;

/**
 * Gives a request to the handler of its method and path. Each handler decides who receives its bodies, so one
 * route may stream while the others keep bodies in memory. For example:
 * <pre>{@code
 *   Handler router = new Router()
 *           .on("GET", "/notes", (request, callback) -> callback.accept(list()))
 *           .on("GET", "/notes/{id}", path -> (request, callback) -> callback.accept(find(path.get("id"))))
 *           .below("/static", files);
 * }</pre>
 * A text in a template precedes a variable. A path without a route gets a 404, one that is not encoded as it
 * should be a 400, and a method without a route a 405. HEAD takes the route of GET, unless there is one of
 * its own, and OPTIONS is answered with the methods there are; {@code OPTIONS *} with those of all routes.
 * Paths are compared decoded, segment by segment; {@code /notes/} is another path than {@code /notes}, and
 * {@code /Notes} too.
 * <p>
 * Add all routes before the server starts; from then on it is safe for any number of loops.
 */
public final class Router implements Handler {

    /** By template, the more special first, and method. */
    private final Map<PathTemplate, Map<String, Route>> routes = new TreeMap<>();
    private final List<Prefixed> prefixes = new ArrayList<>();

    /** Its template may have other names for variables than that of another method. */
    private record Route(PathTemplate template, Function<Map<String, String>, Handler> maker) {

        Handler handler(List<String> path) {
            return maker.apply(template.match(path));
        }
    }

    /** Makes one without routes. */
    public Router() {
    }

    /**
     * Adds a route whose path has no variables, or whose handler needs none of them.
     *
     * @param method   as sent: case matters
     * @param template a path, in which {@code {name}} stands for a segment
     * @param handler answers these requests
     * @return this router
     * @throws IllegalArgumentException if that is no template, or there is a route for the same requests
     */
    public Router on(String method, String template, Handler handler) {
        return on(method, template, values -> handler);
    }

    /**
     * Adds a route. The rest is as above.
     *
     * @param method as sent: case matters
     * @param template a path, in which {@code {name}} stands for a segment
     * @param maker makes a handler of the decoded value of each variable, which is never empty, and may have
     *              any character, a slash too. Called on the loop's thread for each request, and once more
     *              for one with a body, so it must be cheap, and keep nothing from one call to the next
     * @return this router
     */
    public Router on(String method, String template, Function<Map<String, String>, Handler> maker) {
        var route = new Route(new PathTemplate(template), maker);
        var methods = routes.computeIfAbsent(route.template, key -> new HashMap<>());
        if (methods.putIfAbsent(method, route) != null) {
            throw new IllegalArgumentException("there are two routes for " + method + " " + template);
        }
        return this;
    }

    /**
     * Has a handler answer all below a prefix for which there is no route, whatever the method: see {@link
     * Prefixed}. The first prefix that fits counts.
     *
     * @param prefix as {@code /static}: it begins with a slash and ends without one
     * @param handler answers the requests, and gets paths without the prefix
     * @return this router
     * @throws IllegalArgumentException if it is no prefix, or below one that was added before, so that it
     *                                  would never count
     */
    public Router below(String prefix, Handler handler) {
        var added = new Prefixed(prefix, handler);
        if (findPrefix(UrlDecoding.segments(prefix)) != null) {
            throw new IllegalArgumentException("before " + prefix + " there is a prefix of it");
        }
        prefixes.add(added);
        return this;
    }

    @Override
    public void handle(Request request, Consumer<Response> callback) {
        find(request).handle(request, callback);
    }

    @Override
    public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
        return find(request).receiver(request);
    }

    private Handler find(Request request) {
        if (request.path().equals("*")) {
            var all = new TreeSet<String>();
            routes.values().forEach(methods -> all.addAll(methods.keySet()));
            return answering(other(request.method(), all));
        }
        List<String> path;
        try {
            path = segments(request.path());
        } catch (IllegalArgumentException e) {
            return answering(Response.text(400, e.getMessage() + "\n"));
        }
        return find(request.method(), path);
    }

    private Handler find(String method, List<String> path) {
        var allowed = new TreeSet<String>();
        for (var each : routes.entrySet()) {
            if (each.getKey().match(path) != null) {
                Map<String, Route> methods = each.getValue();
                Route route = methods.get(method);
                if (route == null && method.equals("HEAD")) {
                    route = methods.get("GET");
                }
                if (route != null) {
                    return route.handler(path);
                }
                allowed.addAll(methods.keySet());
            }
        }
        if (!allowed.isEmpty()) {
            return answering(other(method, allowed));
        }
        Handler below = findPrefix(path);
        return below == null ? answering(Response.text(404, "nothing has this path\n")) : below;
    }

    /** Some programs end a path at a fragment, which no client sends (RFC 9112 §3.2). */
    private static List<String> segments(String path) {
        if (path.indexOf('#') >= 0) {
            throw new IllegalArgumentException("a path has no #; allowed: %23");
        }
        return UrlDecoding.segments(path);
    }

    private Prefixed findPrefix(List<String> path) {
        return prefixes.stream().filter(prefix -> prefix.has(path)).findFirst().orElse(null);
    }

    /** RFC 9110 §9.3.7, §15.5.6 */
    private static Response other(String method, TreeSet<String> allowed) {
        if (allowed.contains("GET")) {
            allowed.add("HEAD");
        }
        allowed.add("OPTIONS");
        String allow = String.join(", ", allowed);
        if (method.equals("OPTIONS")) {
            return Response.of(204).withHeader("Allow", allow);
        }
        return Response.text(405, "allowed: " + allow + "\n").withHeader("Allow", allow);
    }

    private static Handler answering(Response response) {
        return (request, callback) -> callback.accept(response);
    }
}

package org.microhttp.extras.routing;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.microhttp.Handler;
import org.microhttp.Request;
import org.microhttp.Responder;
import org.microhttp.Response;
import org.microhttp.extras.representation.UrlDecoding;

/**
 * Gives a request to the handler of its method and path. For example:
 * <pre>{@code
 *   Handler router = new Router()
 *           .on("GET", "/notes", request -> list(Parameters.query(request)))
 *           .on("GET", "/notes/{id:number}", Route.blocking(request -> find(Router.number(request, "id"))))
 *           .on("POST", "/notes", Route.blocking(request -> add(request)).withMaxBody(10_000))
 *           .below("/static", files);
 * }</pre>
 * Each handler decides who receives its bodies, so one route may stream while the others keep bodies in
 * memory; a {@link Route} also limits them. A handler that fails with a {@link RequestException} is
 * answered with its message and status.
 * <p>
 * A variable stands for a segment that is not empty, and {@code {id:number}} for one that is a number from 0
 * to {@link Long#MAX_VALUE} in decimal digits. So a path whose segment is no such number is another path,
 * which most likely has no route: the client gets a 404, as for a number that nothing has.
 * <p>
 * A text in a template precedes a variable, and a number any other variable. A path without a route gets a
 * 404, unless {@link #otherwise} has a handler for it, one that is not encoded as it should be a 400, and a
 * method without a route a 405. HEAD takes the route of GET, unless there is one of its own, and OPTIONS is
 * answered with the methods there are; {@code OPTIONS *} with those of all routes. Paths are compared
 * decoded, segment by segment; {@code /notes/} is another path than {@code /notes}, and {@code /Notes} too.
 * <p>
 * Add all routes before the server starts; from then on it is safe for any number of loops.
 */
public final class Router implements Handler {

    /** By template, the more special first, and method. */
    private final Map<PathTemplate, Map<String, Entry>> routes = new TreeMap<>();
    private final List<Prefixed> prefixes = new ArrayList<>();

    /** For paths without a route and a prefix. */
    private Handler otherwise = Handler.of(request -> Response.text(404, "nothing has this path\n"));

    /** Its template may have other names for variables than that of another method. */
    private record Entry(PathTemplate template, Route route) { }

    /** A request as its handler gets it. */
    private record Routed(Handler handler, Request request) { }

    /** Makes one without routes. */
    public Router() {
    }

    /**
     * Adds a route. The handler gets a {@linkplain Request#withAttribute copy} of the request, in which
     * {@link #variable} and {@link #number} find what stands for the variables.
     *
     * @param method   as sent: case matters
     * @param template a path, in which {@code {name}} or {@code {name:number}} stands for a segment
     * @param handler  answers these requests; a {@link Route} also limits their bodies
     * @return this router
     * @throws IllegalArgumentException if that is no template, or there is a route for the same requests
     * @throws NullPointerException     if an argument is null
     */
    public Router on(String method, String template, Handler handler) {
        Objects.requireNonNull(method, "method");
        var entry = new Entry(new PathTemplate(template), Route.of(handler));
        var methods = routes.computeIfAbsent(entry.template, key -> new HashMap<>());
        if (methods.putIfAbsent(method, entry) != null) {
            throw new IllegalArgumentException("there are two routes for " + method + " " + template);
        }
        return this;
    }

    /**
     * Adds a route whose responses are made on the loop's thread, as by {@link Handler#of}. If they may
     * block, use {@link Route#blocking(Responder)}.
     * <p>
     * A lambda with one parameter is a responder, and one with two a handler. A reference to a method that is
     * overloaded with one and with two parameters could be either, so the compiler refuses it: write a lambda
     * instead.
     *
     * @param method    as sent: case matters
     * @param template  a path, in which {@code {name}} or {@code {name:number}} stands for a segment
     * @param responder makes the responses to these requests
     * @return this router
     * @throws IllegalArgumentException if that is no template, or there is a route for the same requests
     * @throws NullPointerException     if an argument is null
     */
    public Router on(String method, String template, Responder responder) {
        return on(method, template, Handler.of(responder));
    }

    /**
     * Returns what stands for a variable of the template, decoded: never empty, and with any character, a
     * slash too.
     *
     * @param request as the handler of the route got it, or a copy of that
     * @param name    of a variable, as in the template
     * @return the segment; after several routers, one below the other, that of the last
     * @throws IllegalStateException if the template has no such variable
     */
    public static String variable(Request request, String name) {
        PathVariables variables = request.attribute(PathVariables.class);
        String value = variables == null ? null : variables.values().get(name);
        if (value == null) {
            throw new IllegalStateException("the template of the route has no variable " + name);
        }
        return value;
    }

    /**
     * Returns the number that stands for a variable such as {@code {id:number}}. It is never wrong: a path
     * with something else there has another route, or gets a 404.
     *
     * @param request as the handler of the route got it, or a copy of that
     * @param name    of a variable, as in the template, there with {@code :number}
     * @return 0 or more
     * @throws IllegalStateException if the template has no such variable with {@code :number}
     */
    public static long number(Request request, String name) {
        String value = variable(request, name);
        if (!request.attribute(PathVariables.class).numbers().contains(name)) {
            throw new IllegalStateException("the template of the route has {" + name + "}; for a number"
                    + " write {" + name + ":number}");
        }
        return Long.parseLong(value);
    }

    /**
     * Has a handler answer all below a prefix for which there is no route, whatever the method: see {@link
     * Prefixed}. The first prefix that fits counts. The handler decides who receives bodies, and its requests
     * have the client's address and are abandoned as at the root.
     *
     * @param prefix  as {@code /static}: it begins with a slash and ends without one
     * @param handler answers the requests, and gets paths without the prefix; a {@link Route} also limits
     *                their bodies
     * @return this router
     * @throws IllegalArgumentException if it is no prefix, or below one that was added before, so that it
     *                                  would never count
     * @throws NullPointerException     if an argument is null
     */
    public Router below(String prefix, Handler handler) {
        var added = new Prefixed(prefix, Route.of(handler));
        if (findPrefix(UrlDecoding.segments(prefix)) != null) {
            throw new IllegalArgumentException("before " + prefix + " there is a prefix of it");
        }
        prefixes.add(added);
        return this;
    }

    /**
     * Has a handler answer requests for paths without a route and a prefix, whatever the method, instead of a
     * 404. For example, a site at the root, beside the routes of its scripts:
     * <pre>{@code
     *   router.otherwise(FileHandler.ofResources(Main.class, "/site").withFallback("/index.html").build())
     * }</pre>
     *
     * @param handler answers the requests, and decides who receives their bodies
     * @return this router
     * @throws NullPointerException if the handler is null
     */
    public Router otherwise(Handler handler) {
        otherwise = Route.of(handler);
        return this;
    }

    @Override
    public void handle(Request request, Consumer<Response> callback) {
        Routed routed = find(request);
        routed.handler.handle(routed.request, callback);
    }

    @Override
    public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
        Routed routed = find(request);
        return routed.handler.receiver(routed.request);
    }

    private Routed find(Request request) {
        if (request.path().equals("*")) {
            var all = new TreeSet<String>();
            routes.values().forEach(methods -> all.addAll(methods.keySet()));
            return answered(request, other(request.method(), all));
        }
        try {
            return find(request, segments(request.path()));
        } catch (IllegalArgumentException e) {
            return answered(request, Response.text(400, e.getMessage() + "\n"));
        }
    }

    private Routed find(Request request, List<String> path) {
        var allowed = new TreeSet<String>();
        for (var each : routes.entrySet()) {
            if (each.getKey().match(path) != null) {
                Map<String, Entry> methods = each.getValue();
                Entry entry = methods.get(request.method());
                if (entry == null && request.method().equals("HEAD")) {
                    entry = methods.get("GET");
                }
                if (entry != null) {
                    PathVariables variables = entry.template.match(path);
                    return new Routed(entry.route, request.withAttribute(PathVariables.class, variables));
                }
                allowed.addAll(methods.keySet());
            }
        }
        if (!allowed.isEmpty()) {
            return answered(request, other(request.method(), allowed));
        }
        Handler below = findPrefix(path);
        return new Routed(below == null ? otherwise : below, request);
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

    private static Routed answered(Request request, Response response) {
        return new Routed((same, callback) -> callback.accept(response), request);
    }
}

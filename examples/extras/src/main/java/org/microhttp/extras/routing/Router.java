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
 * Each handler chooses the receivers of its bodies, so one route may stream while the others keep bodies in
 * memory; a {@link Route} also limits bodies. If a handler fails with a {@link RequestException}, the client
 * gets the exception's status and message.
 * <p>
 * A variable matches any segment that is not empty, and {@code {id:number}} only a number from 0 to {@link
 * Long#MAX_VALUE} in decimal digits. A path with another segment there most likely has no route, so the
 * client gets a 404, as for an unknown id.
 * <p>
 * If several templates match a path, a text precedes a variable, and a number any other variable. A path
 * without a route gets a 404, unless {@link #below} or {@link #otherwise} has a handler for it. A path that
 * is not percent-encoded UTF-8 gets a 400, and a method without a route a 405. HEAD takes the route of GET,
 * and the router answers OPTIONS with the methods of the path, unless these two have routes of their own.
 * {@code OPTIONS *} gets the methods of all routes. Paths are compared decoded, segment by segment: {@code
 * /notes}, {@code /notes/} and {@code /Notes} are three paths.
 * <p>
 * Add all routes before the server starts; from then on, any number of loops may use the router.
 */
public final class Router implements Handler {

    /** By template, the more specific first, and method. */
    private final Map<PathTemplate, Map<String, Entry>> routes = new TreeMap<>();
    private final List<Prefixed> prefixes = new ArrayList<>();

    /** For paths without a route and a prefix. */
    private Handler otherwise = Handler.of(request -> Response.text(404, "nothing has this path\n"));

    /** Two methods of one path may name its variables differently, so each has its own template. */
    private record Entry(PathTemplate template, Route route) { }

    /** A request as its handler gets it. */
    private record Routed(Handler handler, Request request) { }

    /** Makes a router without routes. */
    public Router() {
    }

    /**
     * Adds a route. The handler gets a {@linkplain Request#withAttribute copy} of the request, in which
     * {@link #variable} and {@link #number} find the values of the variables.
     *
     * @param method   as sent: case matters
     * @param template a path, in which {@code {name}} or {@code {name:number}} stands for a segment
     * @param handler  answers these requests; a {@link Route} also limits their bodies
     * @return this router
     * @throws IllegalArgumentException if the template is malformed, or the same requests have a route
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
     * Adds a route whose responder runs on the loop's thread, as by {@link Handler#of}. If it may block, use
     * {@link Route#blocking(Responder)}.
     * <p>
     * A lambda with one parameter is a responder, and one with two a handler. The compiler refuses a
     * reference to a method that is overloaded with one and with two parameters, because it could be either:
     * write a lambda instead.
     *
     * @param method    as sent: case matters
     * @param template  a path, in which {@code {name}} or {@code {name:number}} stands for a segment
     * @param responder makes the responses to these requests
     * @return this router
     * @throws IllegalArgumentException if the template is malformed, or the same requests have a route
     * @throws NullPointerException     if an argument is null
     */
    public Router on(String method, String template, Responder responder) {
        return on(method, template, Handler.of(responder));
    }

    /**
     * Returns the segment that a variable of the template matched, decoded. It is never empty, and may have
     * any character, even a slash.
     *
     * @param request as the handler of the route got it, or a copy of that
     * @param name    of a variable, as in the template
     * @return the segment; if routers are nested, that of the innermost one
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
     * Returns the number that a variable such as {@code {id:number}} matched. A path with anything else there
     * does not reach the route.
     *
     * @param request as the handler of the route got it, or a copy of that
     * @param name    of a variable that has {@code :number} in the template
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
     * Has a handler answer requests of any method whose path is below a prefix and has no route: see {@link
     * Prefixed}. The first prefix that fits counts. The handler chooses the receivers of bodies, and its
     * requests have the client's address and are abandoned as at the root.
     *
     * @param prefix  as {@code /static}: it begins with a slash and ends without one
     * @param handler answers the requests, and gets paths without the prefix; a {@link Route} also limits
     *                their bodies
     * @return this router
     * @throws IllegalArgumentException if the prefix is malformed, or is below an earlier one, which would
     *                                  get all its requests
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
     * Has a handler answer requests of any method whose path has neither route nor prefix, instead of a 404.
     * For example, a site at the root, with routes that its scripts call:
     * <pre>{@code
     *   router.otherwise(FileHandler.ofResources(Main.class, "/site").withFallback("/index.html").build())
     * }</pre>
     *
     * @param handler answers the requests, and chooses the receivers of their bodies
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

    /** Refuses a fragment: no client sends one (RFC 9112 §3.2), but some programs end a path there. */
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

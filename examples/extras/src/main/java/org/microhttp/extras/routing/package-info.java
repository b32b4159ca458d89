/**
 * Which handler gets a request: {@link org.microhttp.extras.routing.Router}, by method and path. {@link
 * org.microhttp.extras.routing.Prefixed} has a handler serve below a prefix. {@link
 * org.microhttp.extras.routing.Parameters} reads a query or a form.
 * <pre>{@code
 * import org.microhttp.*;
 * import org.microhttp.extras.routing.Router;
 *
 * public class Greetings {
 *     public static void main(String[] args) throws Exception {
 *         Router router = new Router()
 *                 .on("GET", "/", request -> Response.text(200, "hello\n"))
 *                 .on("GET", "/{name}", request ->
 *                         Response.text(200, "hello " + Router.variable(request, "name") + "\n"));
 *         new EventLoop(new Options().withPort(8080), router).start();
 *     }
 * }
 * }</pre>
 * <b>Limits.</b> A template has whole segments as variables, any or numbers, no patterns. All routes are
 * added before the server starts. A query has up to 1,000 parameters.
 * <p>
 * <b>Refused.</b> A path without a route gets a 404, also one with a word where the template has a number; a
 * method without a route gets a 405, and a path that is not encoded as UTF-8 in percent signs a 400. {@code
 * Parameters} throws an {@link IllegalArgumentException} for what is wrong, whose message may be sent with a
 * 400. Templates and prefixes that are wrong, or would never count, are refused when they are added.
 * <p>
 * <b>Inside</b> {@code PathTemplate} is one of the router's paths, and {@code PathVariables} is what a
 * request has for its variables.
 */
package org.microhttp.extras.routing;

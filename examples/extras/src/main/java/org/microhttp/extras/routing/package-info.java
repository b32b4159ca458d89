/**
 * Chooses the handler of a request, and reads the request's parameters:
 * <ul>
 * <li>{@link org.microhttp.extras.routing.Router} finds a handler by method and path
 * <li>{@link org.microhttp.extras.routing.Route} limits the bodies of one path, and their media types
 * <li>{@link org.microhttp.extras.routing.Parameters} reads a query or a form by name and type
 * <li>{@link org.microhttp.extras.routing.RequestException} tells a client what is wrong with a request
 * <li>{@link org.microhttp.extras.routing.Prefixed} has a handler serve below a prefix
 * </ul>
 * <pre>{@code
 * import org.microhttp.*;
 * import org.microhttp.extras.routing.*;
 *
 * public class Greetings {
 *     public static void main(String[] args) throws Exception {
 *         Router router = new Router()
 *                 .on("GET", "/{name}", request -> Response.text(200,
 *                         ("hello " + Router.variable(request, "name") + "\n")
 *                         .repeat(Parameters.query(request).number("times", 1, 1, 9))))
 *                 .on("POST", "/", Route.blocking(request -> Response.text(200,
 *                         "hello " + Parameters.form(request).text("name", 50) + "\n")).withMaxBody(1_000));
 *         new EventLoop(new Options().withPort(8080), router).start();
 *     }
 * }
 * }</pre>
 * <b>Limits.</b> A variable is a whole segment of a path: any text, or a number; there are no patterns. Add
 * all routes before the server starts. A query or a form has up to 1,000 parameters. A request takes the
 * memory that the server counts for it, and a few times as much while its form is read.
 * <p>
 * <b>Refused.</b>
 * <ul>
 * <li>404: a path without a route, also one with a word where the template has a number
 * <li>405: a method without a route
 * <li>400: a path that is not percent-encoded UTF-8; a parameter that is missing, given twice or not allowed
 * <li>413, 411: a body above the limit of its route, or of unknown length where the route cannot count it
 * <li>415: a body of a type that its route does not allow, or that is no form where a form is read
 * <li>{@code IllegalArgumentException} when you add a template or a prefix that is malformed, or that no
 *     request would reach
 * </ul>
 * <b>Inside.</b> {@code PathTemplate} is one of the router's paths, {@code PathVariables} has the values of
 * its variables in a request, {@code BodyType} compares media types, and {@code CountedBody} counts the bytes
 * that a streaming route receives.
 */
package org.microhttp.extras.routing;

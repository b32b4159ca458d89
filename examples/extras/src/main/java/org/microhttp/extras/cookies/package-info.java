/**
 * Cookies (RFC 6265bis): {@link org.microhttp.extras.cookies.Cookies} reads the cookies of a request, and a
 * response sets a {@link org.microhttp.extras.cookies.Cookie}.
 * <pre>{@code
 * import java.time.Duration;
 * import org.microhttp.*;
 * import org.microhttp.extras.cookies.*;
 *
 * public class Visits {
 *     public static void main(String[] args) throws Exception {
 *         Handler handler = Handler.of(request -> {
 *             String before = Cookies.of(request).get("__Host-visits", "");
 *             int visits = before.matches("[0-9]{1,6}") ? Integer.parseInt(before) + 1 : 1;
 *             Response response = Response.text(200, "visit " + visits + "\n");
 *             return Cookie.of("__Host-visits", "" + visits).withMaxAge(Duration.ofDays(30)).addTo(response);
 *         });
 *         new EventLoop(new Options().withPort(8080), handler).start();
 *     }
 * }
 * }</pre>
 * <b>Limits.</b> Of a request, 200 cookies are read at most, each with 4096 bytes of name and value at most;
 * a path has 1024 bytes at most. There are no sessions: keep what belongs to a user in a map, by a random
 * key.
 * <p>
 * <b>Refused.</b> A cookie that a browser would ignore cannot be made: an {@link IllegalArgumentException}
 * says why. No request is refused: malformed cookies, and cookies above a limit, are left out.
 */
package org.microhttp.extras.cookies;

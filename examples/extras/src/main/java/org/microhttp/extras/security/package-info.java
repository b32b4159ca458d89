/**
 * Decides which web pages may use a server. {@link org.microhttp.extras.security.CorsHandler} lets pages of
 * other origins read responses, as a {@link org.microhttp.extras.security.CorsPolicy} allows. {@link
 * org.microhttp.extras.security.HostGuard} refuses requests for other hosts, against DNS rebinding. {@link
 * org.microhttp.extras.security.CrossSiteGuard} refuses requests that a page of another site makes a browser
 * send (CSRF).
 * <pre>{@code
 * import org.microhttp.*;
 * import org.microhttp.extras.security.*;
 *
 * public class LocalApi {
 *     public static void main(String[] args) throws Exception {
 *         String app = "https://app.example.com";
 *         Handler api = Handler.of(request -> Response.json(200, "[]"));
 *         var policy = CorsPolicy.of(app).withMethods("GET", "PUT").withHeaders("Content-Type");
 *         Handler guarded = new CorsHandler(new CrossSiteGuard(HostGuard.local(api, app), app), policy);
 *         new EventLoop(new Options().withPort(8080), guarded).start();
 *     }
 * }
 * }</pre>
 * <b>Limits.</b> Origins and hosts are named one by one, or a policy allows all origins; there are no
 * patterns. Nothing is kept between requests.
 * <p>
 * <b>Refused.</b> A preflight that is not allowed gets a 204 that allows nothing. A request for another host
 * gets a 421, one of another origin or site a 403. An {@link IllegalArgumentException} is thrown for an
 * origin or a host that no browser would send, and for credentials with all origins.
 * <p>
 * <b>Inside,</b> {@code Origin} checks the form of an origin.
 */
package org.microhttp.extras.security;

/**
 * A server for tests of HTTP clients: {@link org.microhttp.extras.testserver.TestServer} answers with the
 * responses of a script, and records the requests. {@link org.microhttp.extras.testserver.Fault} makes
 * responses that fail or are slow. With JUnit, for example:
 * <pre>{@code
 * import java.time.Duration;
 * import org.junit.jupiter.api.*;
 * import org.microhttp.Response;
 * import org.microhttp.extras.testserver.*;
 *
 * public class WeatherTest {
 *     @Test
 *     void theCityIsAParameter() throws Exception {
 *         try (var server = TestServer.start()) {
 *             server.enqueue(Fault.drip(Response.text(200, "rain"), 5, Duration.ofMillis(10)));
 *             var answer = server.uri("/weather?city=Bern").toURL().openStream().readAllBytes();
 *             Assertions.assertEquals("rain", new String(answer));
 *             Assertions.assertEquals("city=Bern", server.takeRequest(Duration.ofSeconds(5)).query());
 *         }
 *     }
 * }
 * }</pre>
 * The package itself needs no JUnit. A {@code TestServer} in a field is closed by the annotation
 * {@code AutoClose} of JUnit 5.11.
 * <p>
 * <b>Limits.</b> 256 connections, with two threads each: further ones are reset. A request has up to 16 MiB;
 * 1,000 requests with 64 MiB of bodies wait to be taken. A wait lasts up to a day. HTTP/1.1 on 127.0.0.1
 * only; for HTTPS give the same handler to {@link org.microhttp.extras.tls.TlsServer}, without faults. If a
 * client sends requests without waiting for responses (pipelining), a delay or a drip may begin with an
 * earlier response.
 * <p>
 * <b>Refused.</b> A request that finds the script empty gets a 500, unless there is a handler. A malformed
 * request gets an error from the library, and is not recorded.
 * <p>
 * <b>Inside,</b> an {@code EventLoop} answers. Between it and the clients is a {@code Relay}, with a {@code
 * RelayedConnection} for each client. A fault has a {@code Plan} as its body; a {@code RelayedExchange} gives
 * the plan to the relay, which waits, cuts and resets. {@code RecordedRequests} has those not taken.
 */
package org.microhttp.extras.testserver;

/**
 * A server for tests of HTTP clients: {@link org.microhttp.extras.testserver.TestServer} answers as a script
 * says, and records the requests. {@link org.microhttp.extras.testserver.Fault} has what a server may do to a
 * client. With JUnit, for example:
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
 * <b>Limits.</b> 256 connections, with two threads each: further ones are reset. Requests of 16 MiB, 1,000
 * requests and 64 MiB of bodies that were not taken, waits of a day. HTTP/1.1 on 127.0.0.1 alone; for HTTPS
 * give the same handler to {@link org.microhttp.extras.tls.TlsServer}, without faults. If a client sends
 * requests without waiting for responses (pipelining), a delay or a drip may begin with an earlier response.
 * <p>
 * <b>Refused.</b> A request that finds the script empty gets a 500, unless there is a handler. A request that
 * breaks HTTP gets the refusal of the library, and is not recorded.
 * <p>
 * <b>Inside</b> an {@code EventLoop} answers, and before it is a {@code Relay}, with a {@code
 * RelayedConnection} for each client. The relay waits, cuts and resets, by the {@code Plan} that a fault has
 * as its body; a {@code RelayedExchange} gives it that. {@code RecordedRequests} are those not taken.
 */
package org.microhttp.extras.testserver;

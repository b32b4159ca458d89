/**
 * Server-sent events: a program sends events, as they happen, to any number of browsers and other clients
 * (HTML standard, section "Server-sent events"). For example, a clock:
 * <pre>{@code
 * public class Clock {
 *     public static void main(String[] args) throws Exception {
 *         var events = new EventStream();
 *         var options = new Options().withStreamTimeout(Duration.ofMinutes(1)).withOnStopping(events::close);
 *         var loop = new EventLoop(options, new SystemLogger(), Handler.of(events::response));
 *         Runtime.getRuntime().addShutdownHook(new Thread(() -> loop.stop(Duration.ofSeconds(5))));
 *         loop.startAsync();
 *         while (true) {
 *             events.publish(ServerEvent.of("" + Instant.now()));
 *             Thread.sleep(1000);
 *         }
 *     }
 * }
 * }</pre>
 * <ul>
 * <li>{@link org.microhttp.extras.events.EventStream} has the clients, and publishes events
 * <li>{@link org.microhttp.extras.events.ServerEvent} is one event; {@code EventText} encodes it
 * <li>{@link org.microhttp.extras.events.EventLimits} limits the clients, and the bytes kept for them
 * <li>{@code Listener} is one client, {@code Entry} one kept event
 * </ul>
 * <b>Limits.</b> By default 10,000 clients may listen. A client that falls behind by more than the limits is
 * disconnected. Events are not kept on disk: a client that reconnects after a restart of the process may have
 * missed some.
 * <p>
 * <b>Refused.</b> A client above the limit gets a 503. An id or a type that could be read as another field
 * causes an IllegalArgumentException, and so does a single event above the limits.
 */
package org.microhttp.extras.events;

/**
 * Server-sent events: what happens in a program, as it happens, for any number of browsers and other clients
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
 * <li>{@link org.microhttp.extras.events.EventStream} has the clients, and publishes
 * <li>{@link org.microhttp.extras.events.ServerEvent} is what it publishes; {@code EventText} has it as it is
 *     sent
 * <li>{@link org.microhttp.extras.events.EventLimits} is how much is kept for clients
 * <li>{@code Listener} is one client, {@code Entry} one event that is kept
 * </ul>
 * <b>Limits.</b> 10,000 clients may listen, or as many as the limits say. A client that falls behind by more
 * than the limits is disconnected. No event is kept on a disk: a client that reconnects after the process was
 * restarted may have missed some.
 * <p>
 * <b>Refused.</b> A client above the limit gets a 503. An id or a type that could be read as another field
 * gets an IllegalArgumentException, and so does an event that alone is above the limits.
 */
package org.microhttp.extras.events;

package org.microhttp.extras.testserver;

import java.time.Duration;
import java.util.List;
import org.microhttp.Body;
import org.microhttp.Response;

/**
 * Responses that fail or are slow. Give a fault to {@link TestServer#enqueue}, or return it in a handler of a
 * {@link TestServer}. For example, a service that is slow the first time, and resets the connection the
 * second time:
 * <pre>{@code
 *   server.enqueue(Fault.delay(Response.text(200, "late"), Duration.ofSeconds(3)), Fault.reset());
 * }</pre>
 * Some clients repeat a failed request by themselves, such as the JDK's a GET: the next response of the
 * script is then for the repeated request.
 * <p>
 * {@link #delay} and {@link #drip} take faults, too, so {@code delay(reset(), time)} is a reset after a time.
 * Alone, these two leave the connection open for other requests; after {@link #cut}, {@link #reset}, {@link
 * #never}, {@link #stall} and {@link #raw} it serves none. No fault blocks the server's event loop.
 * <p>
 * A wrapping handler may change the headers of a fault. Only a delay and a drip send the change: the bytes of
 * other faults are made before. If the handler transforms the body, or another server sends the fault, the
 * client gets a 500.
 */
public final class Fault {

    private static final Duration LONGEST = Duration.ofDays(1);

    private Fault() { }

    /**
     * Reads the request, and never answers. The connection stays open until the client closes it, or the
     * {@link TestServer} is closed.
     *
     * @return the fault
     */
    public static Response never() {
        return raw("never", Plan.End.NEVER, new byte[0]);
    }

    /**
     * Reads the request, and closes the connection without an answer. The client sees the end of the stream
     * instead of a status line.
     *
     * @return the fault
     */
    public static Response cut() {
        return raw("cut", Plan.End.CLOSE, new byte[0]);
    }

    /**
     * Reads the request, and resets the connection (TCP RST).
     *
     * @return the fault
     */
    public static Response reset() {
        return raw("reset", Plan.End.RESET, new byte[0]);
    }

    /**
     * Sends these bytes instead of a response, whether they are HTTP or not, and closes the connection. For
     * example, a length that is no number:
     * <pre>{@code
     *   Fault.raw("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\nabc".getBytes())
     * }</pre>
     *
     * @param bytes what to send; copied
     * @return the fault
     * @throws NullPointerException if the array is null
     */
    public static Response raw(byte[] bytes) {
        return raw("raw", Plan.End.CLOSE, bytes.clone());
    }

    private static Response raw(String name, Plan.End end, byte[] bytes) {
        var plan = new Plan(null, bytes, end, Duration.ZERO, Integer.MAX_VALUE, Duration.ZERO);
        return new Response(500, "Fault." + name, List.of(), Body.of(plan));
    }

    /**
     * Sends the head of a response, with the length of its whole body, and the beginning of the body; then
     * closes the connection as if all was sent. If {@code bytes} is the whole length, the response is
     * complete, but has no {@code Connection: close}: a client that keeps the connection for its next request
     * finds it closed.
     *
     * @param response a response with its body in memory; or a fault that ends the connection, such as {@link
     *                 #raw}, of which the first bytes are sent, counted from its head
     * @param bytes    how many bytes of the body are sent, 0 to its length
     * @return the fault
     * @throws IllegalArgumentException      if the number is out of its range
     * @throws NullPointerException          if the response is null
     * @throws UnsupportedOperationException if the body is a file, a direct buffer or a publisher
     */
    public static Response cut(Response response, int bytes) {
        return Plan.of(response).cut(response, bytes, Plan.End.CLOSE).on(response);
    }

    /**
     * Sends what {@link #cut(Response, int)} sends, and then resets the connection (TCP RST). Some systems
     * drop what the client has not read by then.
     *
     * @param response as for {@code cut}
     * @param bytes    as for {@code cut}
     * @return the fault
     * @throws IllegalArgumentException      as {@code cut}
     * @throws NullPointerException          as {@code cut}
     * @throws UnsupportedOperationException as {@code cut}
     */
    public static Response reset(Response response, int bytes) {
        return Plan.of(response).cut(response, bytes, Plan.End.RESET).on(response);
    }

    /**
     * Sends what {@link #cut(Response, int)} sends, and then nothing more. The connection stays open, as
     * after {@link #never}.
     *
     * @param response as for {@code cut}
     * @param bytes    as for {@code cut}
     * @return the fault
     * @throws IllegalArgumentException      as {@code cut}
     * @throws NullPointerException          as {@code cut}
     * @throws UnsupportedOperationException as {@code cut}
     */
    public static Response stall(Response response, int bytes) {
        return Plan.of(response).cut(response, bytes, Plan.End.NEVER).on(response);
    }

    /**
     * Sends a response or a fault after a time.
     *
     * @param response any response or fault
     * @param delay    how long, 0 to 1 day; instead of an earlier delay
     * @return the fault
     * @throws IllegalArgumentException if the delay is out of its range, or the response switches to another
     *                                  protocol
     * @throws NullPointerException     if an argument is null
     */
    public static Response delay(Response response, Duration delay) {
        Plan plan = Plan.of(response);
        return new Plan(plan.body(), plan.bytes(), plan.end(), within("delay", delay),
                plan.piece(), plan.pause()).on(response);
    }

    /**
     * Sends a few bytes at a time, also of the head.
     *
     * @param response any response or fault
     * @param bytes    how many at a time, 1 or more
     * @param pause    how long between them, 0 to 1 day
     * @return the fault
     * @throws IllegalArgumentException if an argument is out of its range, or the response switches to
     *                                  another protocol
     * @throws NullPointerException     if an argument is null
     */
    public static Response drip(Response response, int bytes, Duration pause) {
        if (bytes < 1) {
            throw new IllegalArgumentException("bytes is " + bytes + ", must be 1 or more");
        }
        Plan plan = Plan.of(response);
        return new Plan(plan.body(), plan.bytes(), plan.end(), plan.delay(),
                bytes, within("pause", pause)).on(response);
    }

    /** Checks a time that a test waits. */
    static Duration within(String name, Duration time) {
        if (time.isNegative() || time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + " is " + time + ", must be 0 to 1 day");
        }
        return time;
    }
}

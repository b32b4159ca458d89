package org.microhttp.extras.testserver;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import org.microhttp.Body;
import org.microhttp.Response;

/**
 * How a response is sent. The plan is the publisher of the response's body, so that it goes wherever the
 * response goes. {@link TestServer} finds the plan there, and does not subscribe to it.
 *
 * @param body  of a response that the event loop sends; null if bytes are sent instead
 * @param bytes sent as they are, by the relay; null if the event loop sends a response
 * @param end   how the connection ends after the bytes
 * @param delay before the first byte
 * @param piece how many bytes are sent at once
 * @param pause between pieces
 */
record Plan(Body body, byte[] bytes, End end, Duration delay, int piece, Duration pause)
        implements Flow.Publisher<ByteBuffer> {

    /** How a connection ends after the relay has sent its bytes. */
    enum End { CLOSE, RESET, NEVER }

    /** The plan of most responses: at once. */
    static final Plan PLAIN = of(Response.of(200));

    private static final Flow.Subscription NOTHING = new Flow.Subscription() {

        @Override
        public void request(long count) { }

        @Override
        public void cancel() { }
    };

    /** Finds the plan of a response, which may be a copy that a wrapping handler has made. */
    static Plan of(Response response) {
        var found = new AtomicReference<Plan>();
        response.body().withPublisher(publisher -> {
            if (publisher instanceof Plan plan) {
                found.set(plan);
            }
            return publisher;
        });
        return found.get() != null ? found.get()
                : new Plan(response.body(), null, End.CLOSE, Duration.ZERO, Integer.MAX_VALUE, Duration.ZERO);
    }

    /** Makes a plan that sends the first bytes of this one. */
    Plan cut(Response response, int count, End how) {
        byte[] part;
        if (isRaw()) {
            part = Arrays.copyOf(bytes, within("bytes", count, bytes.length));
        } else {
            byte[] content = body.bytes();
            byte[] head = head(response, content.length);
            part = Arrays.copyOf(head, head.length + within("bytes", count, content.length));
            System.arraycopy(content, 0, part, head.length, count);
        }
        return new Plan(null, part, how, delay, piece, pause);
    }

    /** Writes a head as the server does, but without Date; and without a length if there is never a body. */
    private static byte[] head(Response response, int length) {
        var head = new StringBuilder("HTTP/1.1 " + response + "\r\n");
        response.withoutHeader("Content-Length").withoutHeader("Transfer-Encoding").headers()
                .forEach(header -> head.append(header).append("\r\n"));
        if (response.status() != 204 && response.status() != 304) {
            head.append("Content-Length: " + length + "\r\n");
        }
        return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    static int within(String name, int value, int most) {
        if (value < 0 || value > most) {
            throw new IllegalArgumentException(name + " is " + value + ", must be 0 to " + most);
        }
        return value;
    }

    /** Copies a response with this plan; the original body is released with the copy. */
    Response on(Response response) {
        return response.withBody(Body.of(this));
    }

    /** Returns the response that the event loop sends instead of one that has this plan. */
    Response sentBy(Response response) {
        return response.body() == body ? response : response.withBody(body);
    }

    /** Says whether the relay sends the bytes; the connection then serves no other request. */
    boolean isRaw() {
        return bytes != null;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        subscriber.onSubscribe(NOTHING);
        subscriber.onError(new IllegalStateException(
                "a fault was sent by another server, or its body was changed by a handler"));
    }
}

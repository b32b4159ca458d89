package org.microhttp;

import java.nio.ByteBuffer;
import org.microhttp.protocol.RequestParser;
import org.microhttp.protocol.Syntax;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * What does an ordinary request cost that is not quite the plainest one? None should cost more than twice as
 * much as that.
 */
public class ShapeBenchmark extends Measured {

    /** A request line's method and target, a host, and perhaps another field. */
    public enum Shape {

        PLAIN("GET /plaintext", "localhost"),
        PORT("GET /plaintext", "localhost:8080"),
        PORT_OF_FIVE_DIGITS("GET /plaintext", "127.0.0.1:41234"),
        HIGHEST_PORT("GET /plaintext", "127.0.0.1:65535"),
        DASHED_HOST("GET /plaintext", "my-host_1.example"),
        ESCAPED_HOST("GET /plaintext", "caf%C3%A9.example"),
        IPV6_HOST("GET /plaintext", "[2001:db8::8:800:200c:417a]:8080"),
        LOOPBACK_HOST("GET /plaintext", "[::1]:8080"),
        ESCAPED_TARGET("GET /a%20b?c=%C3%A9", "localhost"),
        ABSOLUTE_TARGET("GET http://localhost/plaintext", "localhost"),
        LOWER_CASE_METHOD("get /plaintext", "localhost"),
        OTHER_METHOD("PROPFIND /plaintext", "localhost"),
        KEEP_ALIVE("GET /plaintext", "localhost\r\nConnection: keep-alive"),
        TWO_OPTIONS("GET /plaintext", "localhost\r\nConnection: keep-alive, TE"),
        PARAMETERS("GET /plaintext", "localhost\r\nContent-Type: text/html; charset=\"utf-8\"");

        final String text;

        Shape(String start, String rest) {
            text = start + " HTTP/1.1\r\nHost: " + rest + "\r\n\r\n";
        }
    }

    @Param
    public Shape shape;

    private final RequestParser parser = Samples.parser();
    private final byte[] scratch = new byte[64 * 1024];
    private ByteBuffer received;

    @Setup
    public void receive() {
        received = Samples.received(Syntax.bytes(shape.text));
    }

    @Benchmark
    public Request parse() {
        parser.receive(received.flip(), scratch);
        Request request = Samples.next(parser);
        parser.keep(scratch);
        return request;
    }
}

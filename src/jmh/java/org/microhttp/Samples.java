package org.microhttp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.microhttp.protocol.Budget;
import org.microhttp.protocol.RefusalException;
import org.microhttp.protocol.RequestHead;
import org.microhttp.protocol.RequestParser;
import org.microhttp.versions.Requests;

/**
 * What the benchmarks send and answer, the same bytes in each, so that their figures can be compared; and the
 * loop of what they measure.
 */
final class Samples {

    static final byte[] HELLO = Requests.HELLO, BROWSER = Requests.BROWSER, POST = Requests.POST;

    static final byte[] TEXT = bytes("hello world\n");

    /** The body of {@link #POST} in four chunks of 1 KiB. */
    static final byte[] CHUNKED = bytes("POST /upload HTTP/1.1\r\nHost: localhost\r\n"
            + "Content-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
            + ("400\r\n" + "0123456789abcdef".repeat(64) + "\r\n").repeat(4) + "0\r\n\r\n");

    private Samples() { }

    static Response hello() {
        return new Response(200, "OK", List.of(new Header("Content-Type", "text/plain")), TEXT);
    }

    /** One that no thread runs: the benchmark does what its thread would do. */
    static LoopContext loop(Handler handler) throws IOException {
        Options options = new Options();
        return new LoopContext(null, options, new NoopLogger(), handler, new GroupContext(options));
    }

    static RequestParser parser() {
        var limits = new RequestParser.Limits(1024 * 1024, 32 * 1024, 100, false, new Budget(64 << 20));
        return new RequestParser(limits, null);
    }

    /** As the read buffer has it, not flipped yet. */
    static ByteBuffer received(byte[] bytes) { return ByteBuffer.allocateDirect(bytes.length).put(bytes); }

    static byte[] repeat(byte[] request, int times) {
        return bytes(new String(request, StandardCharsets.ISO_8859_1).repeat(times));
    }

    private static byte[] bytes(String text) { return text.getBytes(StandardCharsets.ISO_8859_1); }

    /** The next request, whose body is returned with it. */
    static Request next(RequestParser parser) throws RefusalException {
        RequestHead head = parser.next();
        if (head == null && parser.isHeld()) {
            parser.keepBody();
            head = parser.next();
        }
        return head == null ? null
                : new Request(head, parser.takeBody(), parser.client(), new Abandonment(), null);
    }
}

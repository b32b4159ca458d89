package org.microhttp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * What the benchmarks send and answer, the same bytes in each, so that their figures can be compared; and the
 * loop of what they measure.
 */
final class Samples {

    /** The least that HTTP/1.1 allows, as a load generator sends it. */
    static final byte[] HELLO = bytes("GET /plaintext HTTP/1.1\r\nHost: localhost\r\n\r\n");

    /** 14 fields, as a desktop browser sends them with a page of a site that set cookies. */
    static final byte[] BROWSER = bytes("""
            GET /articles/2026/why-servers-wait?ref=front&page=2 HTTP/1.1
            Host: www.example.com
            Connection: keep-alive
            Cache-Control: max-age=0
            sec-ch-ua: "Chromium";v="131", "Not_A Brand";v="24"
            sec-ch-ua-mobile: ?0
            Upgrade-Insecure-Requests: 1
            User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36
            Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8
            Sec-Fetch-Site: same-origin
            Sec-Fetch-Mode: navigate
            Referer: https://www.example.com/
            Accept-Encoding: gzip, deflate, br, zstd
            Accept-Language: en-GB,en;q=0.9,de;q=0.8
            Cookie: session=9f86d081884c7d659a2feaa0c55ad015; theme=dark; consent=1

            """.replace("\n", "\r\n"));

    static final byte[] TEXT = bytes("hello world\n");

    private static final byte[] BLOCK = bytes("0123456789abcdef".repeat(256));

    /** 4 KiB with a length, and in four chunks of 1 KiB. */
    static final byte[] POST = join(bytes("POST /upload HTTP/1.1\r\nHost: localhost\r\n"
            + "Content-Type: application/octet-stream\r\nContent-Length: 4096\r\n\r\n"), BLOCK);
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
        var limits = new RequestParser.Limits(1024 * 1024, 32 * 1024, 100, false);
        return new RequestParser(limits, new Budget(64 << 20), null);
    }

    /** As the read buffer has it, not flipped yet. */
    static ByteBuffer received(byte[] bytes) { return ByteBuffer.allocateDirect(bytes.length).put(bytes); }

    static byte[] repeat(byte[] request, int times) {
        return bytes(new String(request, StandardCharsets.ISO_8859_1).repeat(times));
    }

    private static byte[] join(byte[] a, byte[] b) {
        byte[] both = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, both, a.length, b.length);
        return both;
    }

    private static byte[] bytes(String text) { return text.getBytes(StandardCharsets.ISO_8859_1); }
}

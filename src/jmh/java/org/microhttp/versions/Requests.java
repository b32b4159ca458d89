package org.microhttp.versions;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.Stream;

/** What clients in memory send: the same bytes in all benchmarks, so that their figures can be compared. */
public final class Requests {

    /** The least that HTTP/1.1 allows, as a load generator sends it. */
    public static final byte[] HELLO = bytes("GET /plaintext HTTP/1.1\r\nHost: localhost\r\n\r\n");

    /** 14 fields, as a desktop browser sends them with a page of a site that set cookies. */
    public static final byte[] BROWSER = bytes("""
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

    /** 4 KiB, with a length. */
    public static final byte[] POST = bytes("POST /upload HTTP/1.1\r\nHost: localhost\r\n"
            + "Content-Type: application/octet-stream\r\nContent-Length: 4096\r\n\r\n"
            + "0123456789abcdef".repeat(256));

    /** Six fields; target and cookie differ in each of so many. */
    private static final int VARIED = 4096;
    private static final String VARIED_FORMAT = """
            GET /articles/%016x/comments?after=%08x HTTP/1.1
            Host: www.example.com
            User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36
            Accept: application/json
            Accept-Encoding: gzip, deflate, br
            Connection: keep-alive
            Cookie: session=%016x%016x

            """.replace("\n", "\r\n");

    private Requests() { }

    /** {@return one that clients send again and again, so many times in a batch} */
    static ByteBuffer[] same(byte[] request, int batch) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(batch * request.length);
        for (int i = 0; i < batch; i++) buffer.put(request);
        return new ByteBuffer[] {buffer.flip()};
    }

    /** {@return requests of which no two are alike, the same in each run} */
    static ByteBuffer[] varied() {
        Random random = new Random(1);
        return Stream.generate(() -> bytes(String.format(VARIED_FORMAT, random.nextLong(), random.nextInt(),
                random.nextLong(), random.nextLong()))).limit(VARIED)
                .map(request -> same(request, 1)[0]).toArray(ByteBuffer[]::new);
    }

    private static byte[] bytes(String text) { return text.getBytes(StandardCharsets.ISO_8859_1); }
}

package org.microhttp.checks.faults.chaos;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Bytes that are no request, or one above a limit, and the refusal that they get. */
public record ChaosWrong(byte[] bytes, int status, String code) {

    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n";
    private static final String POST = "POST / HTTP/1.1\r\nHost: x\r\n";

    /** Code, status, and text; the last three are too much for the limits. */
    private static final List<String[]> TEXTS = List.of(
            new String[] {"bad_method", "400", "@garbage@\r\n"},
            new String[] {"bare_lf", "400", "GET / HTTP/1.1\nHost: x\n\n"},
            new String[] {"missing_host", "400", "GET / HTTP/1.1\r\n\r\n"},
            new String[] {"space_after_name", "400", GET + "A : b\r\n\r\n"},
            new String[] {"repeated_content_length", "400",
                POST + "Content-Length: 1\r\nContent-Length: 1\r\n\r\nx"},
            new String[] {"length_and_coding", "400",
                POST + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"},
            new String[] {"bad_chunk_size", "400", POST + "Transfer-Encoding: chunked\r\n\r\nx\r\n"},
            new String[] {"bad_chunk_end", "400", POST + "Transfer-Encoding: chunked\r\n\r\n1\r\nxx"},
            new String[] {"unknown_expectation", "417", GET + "Expect: more\r\n\r\n"},
            new String[] {"unknown_coding", "501", POST + "Transfer-Encoding: gzip, chunked\r\n\r\n"},
            new String[] {"connect", "501", "CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n"},
            new String[] {"unsupported_version", "505", "GET / HTTP/2.0\r\nHost: x\r\n\r\n"},
            new String[] {"too_many_fields", "431", GET + "A: b\r\n".repeat(30)},
            new String[] {"header_too_large", "431", GET + "A: " + "b".repeat(3_000)},
            new String[] {"request_line_too_long", "414", "GET /" + "b".repeat(3_000)},
            new String[] {"request_too_large", "413", POST + "Content-Length: 50000\r\n\r\n"});

    public static ChaosWrong random(Random random) {
        String[] text = TEXTS.get(random.nextInt(TEXTS.size()));
        return new ChaosWrong(text[2].getBytes(ISO_8859_1), Integer.parseInt(text[1]), text[0]);
    }

    /** A request that ends in the middle, with the client's side of the connection. */
    static ChaosWrong truncated(ChaosRequest request, Random random) {
        byte[] all = request.bytes();
        var half = Arrays.copyOf(all, 1 + random.nextInt(all.length - 1));
        return new ChaosWrong(half, 400, "truncated");
    }
}

package org.microhttp.checks.endurance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.microhttp.Body;
import org.microhttp.Header;
import org.microhttp.Response;
import org.microhttp.testing.RawResponse;

/**
 * One request that tells the handler what to do with it: its target has all but the last two components.
 *
 * @param id     no other request has it
 * @param answer what the handler does
 * @param size   how many bytes the answer's body has
 * @param millis how late the answer is, where it is late
 * @param sent   how many bytes the request's body has
 * @param form   how it is sent
 * @param last   how it says, if it does, that no other comes after it on its connection
 */
record ChaosRequest(long id, ChaosAnswer answer, int size, int millis, int sent, Form form, Last last) {

    enum Form { GET, HEAD, POST, CHUNKED, EXPECT }

    enum Last { NO, CLOSE, HTTP_1_0 }

    /** The longest body. Its period of 251 bytes shows what is lost, doubled or moved. */
    static final int MAX_SIZE = 1_500_000;

    private static final byte[] PATTERN = new byte[MAX_SIZE + 251];

    static {
        for (int i = 0; i < PATTERN.length; i++) {
            PATTERN[i] = (byte) (i % 251);
        }
    }

    /** Whether a client that does all right has sent it. */
    static boolean isOurs(String target) {
        return target.matches("/\\d+/.*");
    }

    /** What the handler can know of a request. */
    static ChaosRequest of(String target) {
        String[] parts = target.split("/");
        return new ChaosRequest(Long.parseLong(parts[1]), ChaosAnswer.valueOf(parts[2]),
                Integer.parseInt(parts[3]), Integer.parseInt(parts[4]), Integer.parseInt(parts[5]), null,
                null);
    }

    boolean isHead() {
        return form == Form.HEAD;
    }

    boolean isLast() {
        return last != Last.NO;
    }

    /** Whether the body of the answer is published in pieces. */
    boolean isStreamed() {
        return id % 3 == 0;
    }

    byte[] bytes() {
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(head());
        bytes.writeBytes(framedBody());
        return bytes.toByteArray();
    }

    String target() {
        return "/" + id + "/" + answer + "/" + size + "/" + millis + "/" + sent;
    }

    byte[] head() {
        String method = form == Form.GET || form == Form.HEAD ? form.name() : "POST";
        String version = last == Last.HTTP_1_0 ? "HTTP/1.0" : "HTTP/1.1";
        String close = last == Last.CLOSE ? "Connection: close\r\n" : "";
        String framing = switch (form) {
            case GET, HEAD -> "";
            case POST -> "Content-Length: " + sent + "\r\n";
            case CHUNKED -> "Transfer-Encoding: chunked\r\n";
            case EXPECT -> "Content-Length: " + sent + "\r\nExpect: 100-continue\r\n";
        };
        String head = method + " " + target() + " " + version + "\r\nHost: x\r\n" + close + framing + "\r\n";
        return head.getBytes(ISO_8859_1);
    }

    /** The body as it is sent: in two chunks, if it is chunked. */
    byte[] framedBody() {
        byte[] body = pattern(sent);
        if (form != Form.CHUNKED) {
            return body;
        }
        var bytes = new ByteArrayOutputStream();
        int half = sent / 2;
        if (half > 0) {
            bytes.writeBytes((Integer.toHexString(half) + ";half\r\n").getBytes(ISO_8859_1));
            bytes.write(body, 0, half);
            bytes.writeBytes("\r\n".getBytes(ISO_8859_1));
        }
        bytes.writeBytes((Integer.toHexString(sent - half) + "\r\n").getBytes(ISO_8859_1));
        bytes.write(body, half, sent - half);
        bytes.writeBytes("\r\n0\r\nTrailer-Field: x\r\n\r\n".getBytes(ISO_8859_1));
        return bytes.toByteArray();
    }

    boolean hasBody(byte[] body) {
        return isPattern(body, sent);
    }

    /** Whether these are the right fields and the right body of an answer. */
    boolean isAnsweredBy(RawResponse response) {
        boolean right = ("" + id).equals(response.header("Id"))
                && ("" + size).equals(response.header("Content-Length"))
                && (answer == ChaosAnswer.CLOSE || "x".equals(response.header("X")))
                && response.header("Y") == null;
        return right && isPattern(response.body(), isHead() ? 0 : size);
    }

    Response response(ChaosHandler handler) {
        Header last = answer == ChaosAnswer.CLOSE ? new Header("Connection", "close") : new Header("X", "x");
        byte[] bytes = pattern(size);
        Body streamed = Body.of(handler.publisher(bytes), size);
        Body body = !isStreamed() ? Body.of(ByteBuffer.wrap(bytes))
                : id % 2 == 0 ? streamed : streamed.withHeadAtOnce();
        return new Response(200, List.of(new Header("Id", "" + id), last), handler.counted(body));
    }

    /** The same by way of another. */
    Response copiedResponse(ChaosHandler handler) {
        Body body = handler.counted(Body.of(ByteBuffer.wrap(pattern(size))));
        return new Response(200, List.of(new Header("Id", "another"), new Header("Y", "y")), body)
                .withHeader("id", "" + id).withoutHeader("y").withAddedHeader("X", "x");
    }

    private int offset() {
        return (int) (id % 251);
    }

    private byte[] pattern(int length) {
        return Arrays.copyOfRange(PATTERN, offset(), offset() + length);
    }

    private boolean isPattern(byte[] bytes, int length) {
        return Arrays.equals(bytes, 0, bytes.length, PATTERN, offset(), offset() + length);
    }
}

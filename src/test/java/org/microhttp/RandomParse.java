package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;
import org.microhttp.wire.model.Parsed;
import org.microhttp.wire.model.RequestLimits;

/** Runs the parser over an input as a connection does, in pieces, a turn for each. */
final class RandomParse {

    /** What came of it: the requests, and "outside", "inside", or "refused" with status and code. */
    record Outcome(List<Parsed> requests, String end) {

        boolean isRefused() {
            return end.startsWith("refused");
        }

        int status() {
            return Integer.parseInt(end.split(" ")[1]);
        }
    }

    private static final long BUDGET = 1L << 30;
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern TARGET = Pattern.compile("[!-~]+");
    private static final Pattern VERSION = Pattern.compile("HTTP/1\\.[0-9]");
    private static final Pattern VALUE = Pattern.compile("(?![\\t ])[\\t -~\\x80-\\xFF]*+(?<![\\t ])");

    private final Budget budget = new Budget(BUDGET);
    private final ByteQueue queue = new ByteQueue();
    private final RequestParser parser;
    private final List<Parsed> requests = new ArrayList<>();
    private int continues;

    private RandomParse(RequestLimits limits) {
        parser = new RequestParser(queue, VectorRun.limits(limits), budget, null);
    }

    static Outcome whole(byte[] bytes, RequestLimits limits) {
        return new RandomParse(limits).run(bytes, () -> Math.max(1, bytes.length));
    }

    static Outcome byteByByte(byte[] bytes, RequestLimits limits) {
        return new RandomParse(limits).run(bytes, () -> 1);
    }

    static Outcome inPieces(byte[] bytes, RequestLimits limits, SplittableRandom random) {
        int most = 1 << 1 + random.nextInt(8);
        return new RandomParse(limits).run(bytes, () -> 1 + random.nextInt(most));
    }

    /** How many requests are sent a 100, if every byte is sent alone. */
    static int continues(byte[] bytes, RequestLimits limits) {
        var parse = new RandomParse(limits);
        parse.run(bytes, () -> 1);
        return parse.continues;
    }

    private Outcome run(byte[] bytes, IntSupplier lengths) {
        try {
            for (int from = 0; from < bytes.length; ) {
                int length = Math.min(lengths.getAsInt(), bytes.length - from);
                turn(ByteBuffer.wrap(bytes, from, length));
                from += length;
                takeContinue(bytes, from);
            }
            if (parser.isInsideRequest()) {
                return new Outcome(requests, "inside");
            }
            assertEquals(0, budget.used(), "an idle connection holds nothing");
            return new Outcome(requests, "outside");
        } catch (HttpError error) {
            return new Outcome(requests, "refused " + error.status + " " + error.code);
        }
    }

    /**
     * The array has just the size of the piece, and is spoiled afterwards: who looks beyond or later is
     * caught.
     */
    private void turn(ByteBuffer piece) throws HttpError {
        byte[] scratch = new byte[piece.remaining()];
        parser.receive(piece, scratch);
        for (Request request; (request = parser.next()) != null; ) {
            assertSound(request);
            requests.add(Parsed.of(request, parser.isPersistent()));
        }
        parser.keep();
        Arrays.fill(scratch, (byte) '\n');
    }

    /** A client is sent a 100 after the head and before any content, so at the end of a line. */
    private void takeContinue(byte[] bytes, int received) {
        if (parser.takeContinue()) {
            continues++;
            boolean line = bytes[received - 2] == '\r' && bytes[received - 1] == '\n';
            assertTrue(line && parser.isInsideRequest(), "a 100 at a wrong time");
        }
    }

    /** What holds for every request that a handler sees, whatever was sent. */
    private static void assertSound(Request request) {
        assertTrue(TOKEN.matcher(request.method()).matches(), request.method());
        assertTrue(TARGET.matcher(request.uri()).matches(), request.uri());
        assertTrue(VERSION.matcher(request.version()).matches(), request.version());
        for (Header header : request.headers()) {
            assertTrue(TOKEN.matcher(header.name()).matches(), header.name());
            assertTrue(VALUE.matcher(header.value()).matches(), header.value());
        }
        String length = request.header("Content-Length");
        String coding = request.header("Transfer-Encoding");
        assertTrue(length == null || coding == null, "Content-Length beside Transfer-Encoding");
        assertTrue(coding == null || coding.equalsIgnoreCase("chunked"), coding);
        if (coding == null) {
            assertEquals(length == null ? 0 : Long.parseLong(length), request.body().length);
        }
    }
}

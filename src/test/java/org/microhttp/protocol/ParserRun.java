package org.microhttp.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;
import org.microhttp.Header;
import org.microhttp.Inside;
import org.microhttp.Request;
import org.microhttp.wire.model.*;

/** Runs a fresh parser over bytes as a connection does, in pieces, a turn for each. */
final class ParserRun {

    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern TARGET = Pattern.compile("[!-~]+");
    private static final Pattern VERSION = Pattern.compile("HTTP/1\\.[0-9]");
    private static final Pattern VALUE = Pattern.compile("(?![\\t ])[\\t -~\\x80-\\xFF]*+(?<![\\t ])");

    /** The other end of a connection that begins with a PROXY header. */
    private static final InetSocketAddress PROXY = new InetSocketAddress("127.0.0.1", 9);

    private final Budget budget = new Budget(1L << 30);
    private final RequestParser parser;
    private final List<Parsed> requests = new ArrayList<>();
    private boolean continueDue;
    private int continues;

    /** Whether every request is checked by itself; those of other runs are compared with these. */
    private final boolean judges;

    /** How many bytes have come, while the PROXY header is awaited; else below 0. */
    private int awaited;

    private ParserRun(RequestLimits limits, boolean judges) {
        this.judges = judges;
        parser = new RequestParser(limits(limits, budget), PROXY);
        awaited = limits.proxied() ? 0 : -1;
    }

    static RequestParser.Limits limits(RequestLimits limits, Budget bytes) {
        return new RequestParser.Limits(limits.requestSize(), limits.headerSize(), limits.fields(),
                limits.proxied(), bytes);
    }

    static ParserOutcome whole(RequestLimits limits, byte[] bytes) {
        return new ParserRun(limits, true).play(bytes, () -> bytes.length);
    }

    static ParserOutcome inPieces(RequestLimits limits, byte[] bytes, int size) {
        return new ParserRun(limits, false).play(bytes, () -> size);
    }

    static ParserOutcome inPieces(RequestLimits limits, byte[] bytes, SplittableRandom random) {
        int most = 1 << 1 + random.nextInt(8);
        return new ParserRun(limits, false).play(bytes, () -> 1 + random.nextInt(most));
    }

    static ParserOutcome inTwo(RequestLimits limits, byte[] bytes, int cut) {
        var lengths = List.of(cut, bytes.length - cut).iterator();
        return new ParserRun(limits, false).play(bytes, lengths::next);
    }

    /** How many requests are sent a 100, if every byte is sent alone. */
    static int continues(RequestLimits limits, byte[] bytes) {
        var run = new ParserRun(limits, false);
        run.play(bytes, () -> 1);
        return run.continues;
    }

    private ParserOutcome play(byte[] bytes, IntSupplier lengths) {
        try {
            for (int from = 0; from < bytes.length; ) {
                int length = Math.min(lengths.getAsInt(), bytes.length - from);
                turn(ByteBuffer.wrap(bytes, from, length));
                from += length;
                takeContinue(bytes, from);
            }
        } catch (RefusalException error) {
            takeProxyHeader();
            return new ParserOutcome(requests, error.refusal.status + " " + error.refusal.code);
        }
        if (parser.isInsideRequest()) {
            return new ParserOutcome(requests, continueDue ? "continue" : "more");
        }
        assertEquals(0, Inside.used(budget), "an idle connection holds nothing");
        return new ParserOutcome(requests, "");
    }

    /**
     * The array has just the size of the piece, and is spoiled afterwards: who looks beyond or later is
     * caught.
     */
    private void turn(ByteBuffer piece) throws RefusalException {
        byte[] scratch = new byte[piece.remaining()];
        awaited += awaited < 0 ? 0 : piece.remaining();
        parser.receive(piece, scratch);
        for (Request request; (request = next(parser)) != null; ) {
            takeProxyHeader();
            assertEquals(parser.client(), request.remoteAddress());
            if (judges) assertSound(request);
            requests.add(Parsed.of(request, parser.isPersistent()));
        }
        takeProxyHeader();
        parser.keep(scratch);
        Arrays.fill(scratch, (byte) '\n');
        assertTrue(Inside.used(budget) >= awaited, "a PROXY header is counted");
    }

    /** One that has just been taken is an event like a request: PROXY, and the client if it names one. */
    private void takeProxyHeader() {
        if (awaited < 0 || parser.awaitsProxyHeader()) return;
        awaited = -1;
        var client = (InetSocketAddress) parser.client();
        String name = client == PROXY ? "-" : client.getAddress().getHostAddress() + ":" + client.getPort();
        requests.add(new Parsed("PROXY", name, "HTTP/1.1", List.of(), "", true));
    }

    /** A client is sent a 100 after the head and before any content, so at the end of a line. */
    private void takeContinue(byte[] bytes, int received) {
        continueDue = parser.takeContinue();
        if (continueDue) {
            continues++;
            boolean line = bytes[received - 2] == '\r' && bytes[received - 1] == '\n';
            assertTrue(line && parser.isInsideRequest(), "a 100 at a wrong time");
        }
    }

    /** What holds for every request that a handler sees, whatever was sent. */
    private static void assertSound(Request request) {
        assertTrue(TOKEN.matcher(request.method()).matches(), request.method());
        assertTrue(TARGET.matcher(request.target()).matches(), request.target());
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

    /** The next request, whose body is returned with it. */
    static Request next(RequestParser parser) {
        RequestHead head = parser.next();
        while (head == null && parser.isHeld()) {
            parser.keepBody();
            head = parser.next();
        }
        return head == null ? null : Inside.request(head, parser.takeBody(), parser.client());
    }
}

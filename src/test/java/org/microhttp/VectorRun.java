package org.microhttp;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.microhttp.wire.model.RequestLimits;
import org.microhttp.wire.vectors.ParserOutcome;

/** Feeds bytes to a fresh parser, piece by piece, as the turns of an event loop would. */
final class VectorRun {

    private final Budget budget = new Budget(1L << 30);
    private final ByteQueue queue = new ByteQueue();
    private final RequestParser parser;
    private final byte[] scratch;
    private final List<Request> requests = new ArrayList<>();
    private final List<Boolean> closes = new ArrayList<>();
    private boolean continueDue;

    private VectorRun(RequestLimits limits, int largestPiece) {
        parser = new RequestParser(queue, VectorRun.limits(limits), budget, null);
        scratch = new byte[largestPiece];
    }

    static Limits limits(RequestLimits limits) {
        return new Limits(limits.requestSize(), limits.headerSize(), limits.fields());
    }

    static ParserOutcome whole(RequestLimits limits, byte[] bytes) {
        return inPieces(limits, bytes, Math.max(bytes.length, 1));
    }

    static ParserOutcome inPieces(RequestLimits limits, byte[] bytes, int size) {
        return new VectorRun(limits, size).play(bytes, size);
    }

    static ParserOutcome inTwo(RequestLimits limits, byte[] bytes, int cut) {
        var run = new VectorRun(limits, Math.max(cut, bytes.length - cut));
        try {
            run.feed(ByteBuffer.wrap(bytes, 0, cut));
            run.feed(ByteBuffer.wrap(bytes, cut, bytes.length - cut));
            return run.outcome();
        } catch (HttpError e) {
            return run.refused(e);
        }
    }

    /** How many bytes were looked at or copied when all are fed in pieces of a size. */
    static long work(RequestLimits limits, byte[] bytes, int size) {
        var run = new VectorRun(limits, size);
        run.play(bytes, size);
        return run.queue.work();
    }

    private ParserOutcome play(byte[] bytes, int size) {
        try {
            for (int from = 0; from < bytes.length; from += size) {
                feed(ByteBuffer.wrap(bytes, from, Math.min(size, bytes.length - from)));
            }
            return outcome();
        } catch (HttpError e) {
            return refused(e);
        }
    }

    private void feed(ByteBuffer piece) throws HttpError {
        parser.receive(piece, scratch);
        for (Request request; (request = parser.next()) != null; ) {
            requests.add(request);
            closes.add(!parser.isPersistent());
        }
        continueDue = parser.takeContinue();
        parser.keep();
        // Between turns the array serves other connections.
        Arrays.fill(scratch, (byte) '!');
    }

    private ParserOutcome outcome() {
        return new ParserOutcome(seen(), continueDue ? "continue" : parser.isInsideRequest() ? "more" : "");
    }

    private ParserOutcome refused(HttpError error) {
        return new ParserOutcome(seen(), error.status + " " + error.code);
    }

    private List<ParserOutcome.Seen> seen() {
        var seen = new ArrayList<ParserOutcome.Seen>();
        for (int i = 0; i < requests.size(); i++) {
            seen.add(ParserOutcome.Seen.of(requests.get(i), closes.get(i)));
        }
        return seen;
    }
}

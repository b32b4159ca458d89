package org.microhttp.simulation;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.stream.IntStream;
import org.microhttp.Request;
import org.microhttp.protocol.Refusal;
import org.microhttp.protocol.RefusalException;

/** The subscriber to the body of a request, which is received as it comes. */
final class BodySubscriber extends InputSubscriber {

    /** The most digits of the size of a chunk that may come. */
    private static final int MOST_DIGITS = 7;

    final int index;

    /** Where each byte of the body is in all that the client sends, as far as its framing is right. */
    private final int[] places;

    /** How many of these are read, and were when it was signalled last. */
    private int known;
    private long knownThen;

    BodySubscriber(SimulatedConnection life, int index, Request request) {
        super(life, request, 177 + index, index < life.plan.requests().size());
        this.index = index;
        int from = life.plan.headEnd(index);
        String length = request.header("Content-Length");
        places = length == null ? ofChunks(life.plan.text(), from)
                : IntStream.range(from, (int) Math.min(life.plan.text().length,
                        from + Long.parseLong(length.strip()))).toArray();
    }

    private static int[] ofChunks(byte[] text, int from) {
        var all = IntStream.builder();
        int at = from;
        while (at < text.length) {
            int line = at;
            while (at < text.length && text[at] != '\n') {
                at++;
            }
            String digits = new String(text, line, at - line, US_ASCII).replaceFirst("(?s)[^0-9A-Fa-f].*", "")
                    .replaceFirst("^0+(?=.)", "");
            if (digits.isEmpty() || digits.length() > MOST_DIGITS) break;
            int size = Integer.parseInt(digits, 16);
            int end = size == 0 ? at : Math.min(text.length, at + 1 + size);
            IntStream.range(at + 1, end).forEach(all);
            if (size == 0) break;
            at = end + 2;
        }
        return all.build().toArray();
    }

    @Override
    long there() {
        while (known < places.length && places[known] < life.read) {
            known++;
        }
        return known;
    }

    @Override
    int place(long offset) {
        return places[(int) offset];
    }

    @Override
    boolean isWhole() {
        return index < life.plan.requests().size() && life.read >= life.plan.ends()[index];
    }

    @Override
    void onSignal() {
        check(life.promises.receiving == this, "is called after its request was handled, or refused");
        knownThen = there();
    }

    @Override
    void onDemand(boolean wants) {
        life.promises.deadlines.onDemand(wants);
    }

    @Override
    void onFailure() {
        life.promises.onReceiverFailed(index, request);
    }

    /** What it is refused as must be due; the client gets just that. Otherwise the connection has ended. */
    @Override
    boolean mayFail(Throwable cause) {
        Promises promises = life.promises;
        check(request.isAbandoned(), "has an error, and its request is not abandoned");
        if (!(cause instanceof RefusalException refused)) {
            promises.onReceived();
            return life.closed || life.outputEnded || promises.failed || world.isEnding();
        }
        promises.onAborted(refused.refusal);
        return isDue(refused.refusal);
    }

    private boolean isDue(Refusal refusal) {
        Deadlines deadlines = life.promises.deadlines;
        return switch (refusal) {
            case TRUNCATED -> life.promises.endSeen && got() == there();
            case HANDLER_TIMEOUT -> deadlines.isReceiverSilent();
            case SOCKET_TIMEOUT, REQUEST_TIMEOUT -> deadlines.isSenderLate(refusal == Refusal.SOCKET_TIMEOUT);
            case OUT_OF_BUFFERS -> world.conditions.limitsBytes();
            default -> index == life.plan.requests().size()
                    && life.plan.statuses().contains(refusal.status);
        };
    }

    @Override
    void checkRest() {
        super.checkRest();
        check(!isCancelled(), "has cancelled, and the handler is not called");
        boolean ahead = there() - knownThen > FIRST_BYTES;
        check(wants() || !ahead, "has requested nothing, and more is read");
        check(!life.promises.endSeen || got() < there(), "waits for the rest of a body that is cut");
    }
}

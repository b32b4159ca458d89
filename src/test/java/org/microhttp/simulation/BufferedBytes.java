package org.microhttp.simulation;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Locale;

/**
 * How many bytes a server keeps of what one client has sent, and has not read, while its loop sleeps: at
 * least and at most.
 */
final class BufferedBytes {

    /** Spaces, line ends and an empty line, which are not kept. */
    private static final int LOOSE = 10;

    /** What is kept with an answer that waits, apart from body and request; or of one without a plan. */
    private static final int MORE = 1024;

    private final SimulatedConnection life;
    private final int requestSize;

    /** What it is now. */
    private long low, high;

    /** Of which request the end of the head was looked for, and what was found. */
    private int index = -1;
    private int headEnd;
    private boolean chunked;

    BufferedBytes(SimulatedConnection life) {
        this.life = life;
        requestSize = life.world.conditions.limits().requestSize();
    }

    /** A turn is over in which something happened. */
    void settle(Promises promises, Ledger ledger) {
        long oldLow = low;
        long oldHigh = high;
        low = 0;
        high = 0;
        if (!life.closed && !life.outputEnded && life.selector != null) {
            boolean waits = promises.blocked || promises.isMidway() || promises.isVague();
            if (waits || promises.isWaiting()) high = queued(promises);
            input(promises);
        }
        ledger.onKept(low - oldLow, high - oldHigh);
    }

    /** The connection is closed, be it behind the last turn of its loop. */
    void clear(Ledger ledger) {
        ledger.onKept(-low, -high);
        low = 0;
        high = 0;
    }

    /** At most, of requests that are not yet over, and of their answers. */
    private long queued(Promises promises) {
        // one more may be refused, and others turned away, before that is seen
        long sum = MORE;
        int last = Math.max(promises.handed, life.plan.whole(life.read));
        for (int i = promises.finished; i < last; i++) {
            sum += MORE + life.world.conditions.limits().headerSize();
            HandledRequest one = promises.asked(i);
            if (one != null && one.reply.content().form() != Content.Form.FILE) {
                sum += one.reply.content().length();
            }
        }
        return sum;
    }

    private void input(Promises promises) {
        boolean greeted = life.plan.isGreeted(life.read);
        long there = greeted ? life.read - life.plan.start(promises.handed) : life.read;
        if (there <= 0 && promises.receiving == null) return;
        high += Math.min(requestSize, 4 * there + LOOSE);
        boolean certain = promises.receiving == null && !promises.isStreaming() && promises.isAllSent()
                && !promises.last && !promises.refused && !promises.isVague() && !life.world.stopped
                && !promises.everStruck;
        if (!certain) return;
        if (!greeted) {
            low = Math.min(there, requestSize);
            return;
        }
        if (promises.isOwed()) {
            boolean mayBeRefused = life.world.conditions.limitsBytes()
                    || promises.isLast(promises.handed - 1);
            low = mayBeRefused ? 0 : Math.min(there, requestSize);
        } else if (promises.handed < life.plan.requests().size()) {
            low = Math.max(0, Math.min(requestSize, known(promises.handed, there)) - LOOSE);
        }
    }

    /** Of a request that is not whole, what is kept surely: of a body in chunks only the head. */
    private long known(int request, long there) {
        if (index != request) look(request);
        return chunked ? Math.min(there, headEnd) : there;
    }

    private void look(int request) {
        index = request;
        int from = life.plan.start(request);
        int to = life.plan.ends()[request];
        var head = new String(life.plan.text(), from, to - from, ISO_8859_1);
        headEnd = head.indexOf("\r\n\r\n", 2);
        chunked = head.substring(0, headEnd).toLowerCase(Locale.ROOT).contains("transfer-encoding");
    }
}

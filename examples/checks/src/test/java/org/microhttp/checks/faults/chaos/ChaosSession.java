package org.microhttp.checks.faults.chaos;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.microhttp.testing.RawResponse;

/**
 * One connection of a client that reads all it gets: what it has asked for and not got yet, in order. While
 * the server is not being ended, every answer has to come, whole, before a clean end of the stream.
 */
final class ChaosSession implements AutoCloseable {

    final ChaosWire wire;
    private final ChaosLife life;
    private final Deque<ChaosRequest> owed = new ArrayDeque<>();
    private int got;
    private RawResponse latest;
    private boolean told;
    private boolean closed;
    private boolean over;

    /** Whether it was refused before the server had read that it is a HEAD: then it has a body. */
    private boolean bodyMayFollow;

    ChaosSession(ChaosLife life, ChaosWire wire) {
        this.life = life;
        this.wire = wire;
    }

    /** Whether no more can be got for a request: the server has ended the connection, or said so. */
    boolean isOver() {
        return closed || over;
    }

    /** From now on its answer is awaited. */
    void owe(ChaosRequest request) {
        life.ledger.count("asked " + request.answer());
        owed.add(request);
        told |= request.isLast();
    }

    /** Sends all in one piece. */
    void send(List<ChaosRequest> requests) {
        var bytes = new ByteArrayOutputStream();
        for (ChaosRequest request : requests) {
            owe(request);
            bytes.writeBytes(request.bytes());
        }
        send(bytes.toByteArray());
    }

    /** Sends, as far as the server takes it: what it does not, it shows by its answers. */
    void send(byte[] bytes) {
        try {
            wire.send(bytes);
        } catch (IOException e) {
            life.ledger.count("a client could not send");
        }
    }

    void halfClose() {
        told = true;
        try {
            wire.client.halfClose();
        } catch (IOException e) {
            life.ledger.count("a client could not half-close");
        }
    }

    /** Reads all that is owed, and then the end if either side has told that it closes. */
    void readAll() {
        readOwed();
        if (!over && (told || closed)) {
            readEnd();
        }
    }

    void readOwed() {
        while (!owed.isEmpty() && !isOver()) {
            readOne();
        }
    }

    /** Reads one response, and judges it. */
    void readOne() {
        RawResponse response = read(owed.peek().isHead());
        if (response != null) {
            judge(response);
        }
    }

    /** Reads a response, also one that is not owed; null when the connection has ended instead. */
    RawResponse read(boolean toHead) {
        try {
            RawResponse response = wire.client.responseOrEnd(toHead);
            if (response == null) {
                end("the stream ends");
            }
            return response;
        } catch (SocketTimeoutException e) {
            life.ledger.violation("silence", "nothing comes, and no end: " + this);
            over = true;
        } catch (IOException | AssertionError e) {
            end(e.getMessage());
        }
        return null;
    }

    void judge(RawResponse response) {
        ChaosRequest request = owed.remove();
        got++;
        latest = response;
        life.ledger.count("got " + response.status() + " " + response.code());
        String wrong = life.verdict.judge(request, response);
        boolean timeout = response.status() == 408 && isExcused();
        if (wrong != null && !timeout) {
            life.ledger.violation("wrong answer", wrong + ": " + response + " to " + request);
        }
        closed = response.closes();
        bodyMayFollow = closed && request.isHead() && response.status() == 503;
        // one that was on its way when the next request was refused for want of memory closes, too
        boolean mayClose = timeout || life.isEnding() || owed.isEmpty() && told || life.limits.tight
                || life.verdict.mayClose(request, response);
        life.ledger.check(!closed || mayClose, "closes", "without a reason: " + response + " to " + request);
        if (closed) {
            checkRest();
        }
    }

    /** What is behind the last answer may not have been handed over. */
    private void checkRest() {
        for (ChaosRequest request : owed) {
            life.ledger.check(!life.hands.hasSeen(request.id()), "behind the last answer", "" + request);
        }
    }

    /** The refusal of what is no request, and the end of the connection. */
    void readRefusal(int status, String code) {
        RawResponse response = read(false);
        if (response == null) {
            return;
        }
        life.ledger.count("got " + response.status() + " " + response.code());
        boolean right = response.status() == status && response.code().matches(code)
                || life.limits.tight && response.code().equals("out_of_buffers") || isExcused()
                // its body might have been received as it came, but nobody could be asked
                || status == 413 && response.code().equals("overload");
        life.ledger.check(right && response.closes(), "wrong refusal", response + " instead of " + code);
        closed = true;
        readEnd();
    }

    /** The end of the stream, and nothing before it. */
    void readEnd() {
        try {
            String more = bodyMayFollow ? "" : wire.client.readToEnd();
            life.ledger.check(more.isEmpty(), "more than was asked for", this + ": " + more);
        } catch (SocketTimeoutException e) {
            life.ledger.violation("silence", "the connection does not end: " + this);
        } catch (IOException e) {
            boolean allowed = life.isEnding() || isExcused();
            life.ledger.check(allowed, "reset", "instead of an end: " + e.getMessage() + ", " + this);
        }
        over = true;
    }

    /** The connection has ended. While the server is being ended this may be, for what it has not begun. */
    private void end(String how) {
        if (over) {
            return;
        }
        over = true;
        boolean seen = owed.stream().anyMatch(request -> life.hands.hasSeen(request.id()));
        if (isExcused() || closed) {
            life.ledger.count("ended early with a reason");
        } else if (!life.isEnding()) {
            life.ledger.violation("answer lost", how + ": " + this);
        } else if (seen) {
            life.missed(how + ": " + this);
        }
    }

    /** Whether it may be this client's fault: it was slow, or had to be cut off for want of memory. */
    private boolean isExcused() {
        return life.limits.tight || wire.slowest() > life.limits.silence.toNanos() / 2 || life.isSlow();
    }

    @Override
    public String toString() {
        return "got " + got + ", at last " + latest + ", owed " + owed.size() + ", next " + owed.peek();
    }

    @Override
    public void close() throws IOException {
        wire.client.close();
    }
}

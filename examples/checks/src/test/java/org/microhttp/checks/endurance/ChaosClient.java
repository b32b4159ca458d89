package org.microhttp.checks.endurance;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.microhttp.checks.endurance.ChaosRequest.Form;
import org.microhttp.checks.endurance.ChaosRequest.Last;
import org.microhttp.testing.RawClient;
import org.microhttp.testing.RawResponse;

/**
 * A thread that does all right on one connection after the other, but for leaving some early, until the
 * server is gone. While the server is not being ended, every answer has to come, right, whole and in order,
 * and then, where either side has said that it is the last, the end of the connection.
 */
final class ChaosClient implements Runnable {

    private static final int KIB = 1024;

    private final ChaosLife life;
    private final Random random;
    private long nextId;

    // of the present connection
    private final Deque<ChaosRequest> owed = new ArrayDeque<>();
    private RawClient client;
    private RawResponse latest;
    private boolean told;
    private boolean closed;
    private boolean over;
    private long active;
    private long slowest;

    /** @param number which client of this life it is; its requests' numbers begin with it */
    ChaosClient(ChaosLife life, int number, long seed) {
        this.life = life;
        random = new Random(seed);
        nextId = number * 1_000_000_000L;
    }

    @Override
    public void run() {
        while (!life.isOver()) {
            // with a small buffer, the server's writes have to wait
            int buffer = random.nextInt(5) == 0 ? 2 * KIB << random.nextInt(4) : 0;
            try (var connected = new RawClient(life.port, buffer)) {
                begin(connected);
                use();
                readAll();
            } catch (IOException e) {
                life.report.check(life.isEnding(), "client", "" + e);
            } catch (Throwable t) {
                life.report.violation("client failed", t + " " + t.getStackTrace()[0]);
            }
        }
    }

    private void begin(RawClient connected) {
        client = connected;
        owed.clear();
        latest = null;
        told = closed = over = false;
        slowest = 0;
        active = System.nanoTime();
        life.report.count("connections of clients");
    }

    private void use() throws IOException {
        int manner = random.nextInt(30);
        if (manner == 0) {
            pipeline(random.nextInt(300), () -> get(ChaosAnswer.ELSEWHERE, 10));
        } else if (manner < 10) {
            pipeline(random.nextInt(30), () -> anyRequest(false));
        } else if (manner < 16) {
            // no more than the server collects: else it handles the last one only when these are sent
            int count = 1 + random.nextInt(3);
            pipeline(count, () -> get(ChaosAnswer.INLINE, (8 + random.nextInt(50)) * KIB / count));
        } else if (manner < 20) {
            expect();
        } else if (manner < 24) {
            leave();
        } else {
            for (int i = random.nextInt(20); i >= 0 && !isOver(); i--) {
                send(List.of(anyRequest(i == 0)));
                readOwed();
            }
        }
    }

    /** So many, and behind them one that is the last, as its head or the end of this side says. */
    private void pipeline(int count, Supplier<ChaosRequest> next) throws IOException {
        boolean halfClose = random.nextBoolean();
        send(Stream.concat(Stream.generate(next).limit(count), Stream.of(anyRequest(!halfClose))).toList());
        if (halfClose) {
            told = true;
            attempt(client::halfClose);
        }
    }

    private void expect() throws IOException {
        ChaosAnswer answer = ChaosAnswer.random(random);
        var request = new ChaosRequest(nextId++, answer, random.nextInt(2 * KIB), millis(answer),
                1 + random.nextInt(6 * KIB), Form.EXPECT, Last.CLOSE);
        owe(request);
        attempt(() -> client.send(request.head()));
        RawResponse first = read(false);
        if (first != null && first.status() == 100) {
            attempt(() -> client.send(request.framedBody()));
        } else if (first != null) {
            judge(first);
        }
    }

    /** Goes while answers are awaited, on their way, or not read. */
    private void leave() throws IOException {
        pipeline(random.nextInt(6), () -> anyRequest(false));
        ChaosLife.pause(random.nextInt(6));
        if (random.nextBoolean()) {
            client.reset();
        }
        over = true;
    }

    /** A request for any answer, in any form. */
    private ChaosRequest anyRequest(boolean last) {
        ChaosAnswer answer = ChaosAnswer.random(random);
        Form form = Form.values()[random.nextInt(4)];
        boolean hasBody = form == Form.POST || form == Form.CHUNKED;
        // HTTP/1.0 knows no chunks
        Last how = random.nextInt(4) == 0 && form != Form.CHUNKED ? Last.HTTP_1_0 : Last.CLOSE;
        int most = random.nextInt(20) > 0 ? 2 * KIB : random.nextInt(10) > 0 ? 100 * KIB
                : ChaosRequest.MAX_SIZE;
        return new ChaosRequest(nextId++, answer, random.nextInt(most), millis(answer),
                hasBody ? 1 + random.nextInt(6 * KIB) : 0, form, last ? how : Last.NO);
    }

    private ChaosRequest get(ChaosAnswer answer, int size) {
        return new ChaosRequest(nextId++, answer, size, random.nextInt(12), 0, Form.GET, Last.NO);
    }

    private int millis(ChaosAnswer answer) {
        int limit = (int) life.limits.handling.toMillis();
        return answer == ChaosAnswer.EDGE ? limit - 20 + random.nextInt(40) : random.nextInt(25);
    }

    private void owe(ChaosRequest request) {
        life.report.count("asked " + request.answer());
        owed.add(request);
        told |= request.isLast();
    }

    private void send(List<ChaosRequest> requests) {
        var bytes = new ByteArrayOutputStream();
        for (ChaosRequest request : requests) {
            owe(request);
            bytes.writeBytes(request.bytes());
        }
        attempt(() -> client.send(bytes.toByteArray()));
    }

    private interface Sending {
        void send() throws IOException;
    }

    /** Sends, as far as the server takes it: what it does not, it shows by its answers. */
    private void attempt(Sending sending) {
        turn();
        try {
            sending.send();
        } catch (IOException e) {
            life.report.count("a client could not send");
        }
        active = System.nanoTime();
    }

    private void turn() {
        slowest = Math.max(slowest, System.nanoTime() - active);
    }

    /** Whether no more can be got for a request: the server has ended the connection, or said so. */
    private boolean isOver() {
        return closed || over;
    }

    private void readOwed() throws IOException {
        while (!owed.isEmpty() && !isOver()) {
            RawResponse response = read(owed.peek().isHead());
            if (response != null) {
                judge(response);
            }
        }
    }

    private void readAll() throws IOException {
        readOwed();
        if (over || !told && !closed) return;
        // refused before the server had read that it is a HEAD: then it has a body
        boolean bodyMayFollow = latest != null && latest.status() == 503 && latest.body().length == 0;
        try {
            String more = client.readToEnd();
            life.report.check(more.isEmpty() || bodyMayFollow, "more than was asked for", this + more);
        } catch (SocketTimeoutException e) {
            life.report.violation("silence", "the connection does not end: " + this);
        } catch (IOException e) {
            life.report.check(life.isEnding() || isExcused(), "reset", e + " instead of an end: " + this);
        }
    }

    /** Reads a response; null when the connection has ended instead. */
    private RawResponse read(boolean toHead) {
        turn();
        try {
            RawResponse response = client.responseOrEnd(toHead);
            if (response == null) end("the stream ends");
            return response;
        } catch (SocketTimeoutException e) {
            life.report.violation("silence", "nothing comes, and no end: " + this);
            over = true;
        } catch (IOException | AssertionError e) {
            end(e.getMessage());
        } finally {
            active = System.nanoTime();
        }
        return null;
    }

    /** While the server is being ended this may be, for what it has not begun. */
    private void end(String how) {
        over = true;
        boolean seen = owed.stream().anyMatch(request -> life.handler.hasSeen(request.id()));
        if (isExcused() || closed) {
            life.report.count("ended early with a reason");
        } else if (!life.isEnding()) {
            life.report.violation("answer lost", how + ": " + this);
        } else if (seen) {
            life.missed(how + ": " + this);
        }
    }

    private void judge(RawResponse response) {
        ChaosRequest request = owed.remove();
        latest = response;
        closed = response.closes();
        life.report.count("got " + response.status() + " " + response.code());
        String wrong = response.status() == 408 && isExcused() ? null : wrong(request, response);
        life.report.check(wrong == null, "wrong answer", wrong + ": " + response + " to " + request);
        boolean mayClose = life.isEnding() || isExcused() || owed.isEmpty() && told || request.isLast()
                || request.answer() == ChaosAnswer.CLOSE || life.handler.isLate(request.id());
        life.report.check(!closed || mayClose, "closes", "without a reason: " + response + " to " + request);
        for (ChaosRequest rest : closed ? owed : List.<ChaosRequest>of()) {
            life.report.check(!life.handler.hasSeen(rest.id()), "behind the last answer", "" + rest);
        }
    }

    /** What is wrong with a response, or null. */
    private String wrong(ChaosRequest request, RawResponse response) {
        int status = response.status();
        if (request.isLast() && !closed) return "does not say that it is the last";
        String code = request.isHead() ? "" : response.code();
        if (status == 503 && response.header("Retry-After") != null) {
            boolean seen = life.handler.hasSeen(request.id());
            return !seen && "overload".startsWith(code) ? null : "no overload";
        }
        if (status == 503) {
            boolean late = life.handler.isLate(request.id()) && "handler_timeout".startsWith(code);
            boolean full = life.limits.tight && "out_of_buffers".startsWith(code);
            return closed && (late || full) ? null : "no reason to refuse it";
        }
        // what publishes a body is given up if it is slow
        if (status == 500 && request.isStreamed() && life.isSlow()) return null;
        if (status != request.answer().status) return "not the status of this";
        if (status == 500) return "handler_error".startsWith(code) ? null : "not the failure of this";
        if (request.answer() == ChaosAnswer.CLOSE && !closed) return "does not close";
        if (life.handler.isAbandoned(request.id())) return "the handler was told that nobody waits";
        return request.isAnsweredBy(response) ? null : "not the answer to this";
    }

    /** Whether it may be this client's fault: it was slow, or had to be cut off for want of memory. */
    private boolean isExcused() {
        return life.limits.tight || slowest > life.limits.silence.toNanos() / 2 || life.isSlow();
    }

    @Override
    public String toString() {
        return "at last " + latest + ", owed " + owed.size() + ", next " + owed.peek();
    }
}

package org.microhttp.checks.faults.chaos;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.microhttp.checks.faults.chaos.ChaosRequest.Form;
import org.microhttp.checks.faults.chaos.ChaosRequest.Last;
import org.microhttp.testing.RawResponse;

/** One client thread: a connection after the other, each in a manner of its own, until the server is gone. */
final class ChaosClient implements Runnable {

    private static final int KIB = 1024;

    private final ChaosLife life;
    private final Random random;
    private long nextId;

    /** @param number which client of this life it is; its requests' numbers begin with it */
    ChaosClient(ChaosLife life, int number, long seed) {
        this.life = life;
        random = new Random(seed);
        nextId = number * 1_000_000_000L;
    }

    @Override
    public void run() {
        while (!life.isOver()) {
            ChaosManner manner = ChaosManner.random(random);
            try (var session = new ChaosSession(life, connect(manner))) {
                life.ledger.count("connection " + manner);
                use(session, manner);
            } catch (IOException e) {
                life.ledger.check(life.isEnding(), "client", manner + ": " + e);
                pause(5);
            } catch (Throwable t) {
                life.ledger.violation("client failed", manner + ": " + t + " " + t.getStackTrace()[0]);
            }
        }
    }

    private ChaosWire connect(ChaosManner manner) throws IOException {
        if (manner == ChaosManner.UNREAD) {
            return new ChaosWire(life.server.port, 4 * KIB);
        }
        if (random.nextInt(manner == ChaosManner.LAST ? 2 : 10) == 0) {
            int receiveBuffer = 2 * KIB << random.nextInt(4);
            int piece = KIB << random.nextInt(4);
            return new ChaosWire(life.server.port, receiveBuffer, piece, random.nextInt(300_000));
        }
        return new ChaosWire(life.server.port, 0);
    }

    private void use(ChaosSession session, ChaosManner manner) throws IOException {
        switch (manner) {
            case STEADY -> steady(session);
            case PIPELINED -> pipelined(session);
            case DEEP -> deep(session);
            case LAST -> last(session);
            case EXPECT -> expect(session);
            case TRICKLE -> trickle(session);
            case STALL -> stall(session);
            case UNREAD -> unread(session);
            case RESET, VANISH -> leave(session, manner);
            case GARBAGE -> garbage(session);
            case TRUNCATED -> truncated(session);
        }
    }

    private void steady(ChaosSession session) {
        int count = 1 + random.nextInt(20);
        for (int i = 1; i <= count && !session.isOver(); i++) {
            session.send(List.of(request(i == count)));
            session.readAll();
        }
    }

    private void pipelined(ChaosSession session) {
        boolean halfClose = random.nextBoolean();
        List<ChaosRequest> batch = batch(random.nextInt(30));
        batch.add(request(!halfClose));
        exchange(session, batch, halfClose);
    }

    private void deep(ChaosSession session) {
        var batch = new ArrayList<ChaosRequest>();
        for (int i = random.nextInt(300); i >= 0; i--) {
            batch.add(get(ChaosAnswer.ELSEWHERE, 10, i > 0 ? Last.NO : Last.CLOSE));
        }
        exchange(session, batch, false);
    }

    private void last(ChaosSession session) {
        boolean halfClose = random.nextBoolean();
        var batch = new ArrayList<ChaosRequest>();
        // no more than the server collects: else it handles the last one only when the others are sent
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            batch.add(get(ChaosAnswer.INLINE, (8 + random.nextInt(50)) * KIB / count, Last.NO));
        }
        var answer = random.nextBoolean() ? ChaosAnswer.LATE : ChaosAnswer.ELSEWHERE;
        batch.add(get(answer, random.nextInt(100), halfClose ? Last.NO : lastForm()));
        exchange(session, batch, halfClose);
    }

    private static void exchange(ChaosSession session, List<ChaosRequest> batch, boolean halfClose) {
        session.send(batch);
        if (halfClose) {
            session.halfClose();
        }
        session.readAll();
    }

    private void expect(ChaosSession session) {
        ChaosAnswer answer = ChaosAnswer.random(random);
        var request = new ChaosRequest(nextId++, answer, random.nextInt(2 * KIB), millis(answer),
                1 + random.nextInt(6 * KIB), Form.EXPECT, Last.CLOSE);
        session.owe(request);
        session.send(request.head());
        RawResponse first = session.read(false);
        if (first != null && first.status() == 100) {
            life.ledger.count("got 100");
            session.send(request.framedBody());
        } else if (first != null) {
            session.judge(first);
        }
        session.readAll();
    }

    private void trickle(ChaosSession session) throws IOException {
        ChaosRequest request = request(true);
        byte[] bytes = request.bytes();
        session.owe(request);
        int pieces = 2 + random.nextInt(8);
        for (int i = 0; i < pieces; i++) {
            int from = bytes.length * i / pieces;
            int to = bytes.length * (i + 1) / pieces;
            session.send(Arrays.copyOfRange(bytes, from, to));
            pause(random.nextInt(5));
        }
        session.readAll();
    }

    private void stall(ChaosSession session) {
        byte[] bytes = get(ChaosAnswer.INLINE, 1, Last.NO).bytes();
        int length = random.nextInt(bytes.length);
        session.send(Arrays.copyOf(bytes, length));
        if (length > 0) {
            session.readRefusal(408, "request_timeout|socket_timeout");
        } else {
            session.readEnd();
        }
    }

    private void unread(ChaosSession session) {
        var batch = new ArrayList<ChaosRequest>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            int size = random.nextInt(ChaosRequest.MAX_SIZE);
            batch.add(get(ChaosAnswer.INLINE, size, i > 0 ? Last.NO : lastForm()));
        }
        session.send(batch);
        int millis = random.nextInt(3 * (int) life.limits.silence.toMillis() / 2);
        for (int i = 0; i < millis && !life.isOver(); i++) {
            pause(1);
        }
        session.readAll();
    }

    /** Goes while answers are awaited, on their way, or not read. */
    private void leave(ChaosSession session, ChaosManner manner) throws IOException {
        List<ChaosRequest> batch = batch(1 + random.nextInt(6));
        session.send(batch);
        for (int i = random.nextInt(batch.size()); i > 0 && !session.isOver(); i--) {
            session.readOne();
        }
        pause(random.nextInt(6));
        if (manner == ChaosManner.RESET) {
            session.wire.client.reset();
        }
    }

    private void garbage(ChaosSession session) {
        session.send(batch(random.nextInt(4)));
        ChaosWrong wrong = ChaosWrong.random(random);
        ChaosRequest behind = get(ChaosAnswer.INLINE, 1, Last.NO);
        session.send(wrong.bytes());
        session.send(behind.bytes());
        readRefusal(session, wrong);
        life.ledger.check(!life.hands.hasSeen(behind.id()), "served behind a refusal", wrong.code());
    }

    private void truncated(ChaosSession session) {
        session.send(batch(random.nextInt(3)));
        ChaosWrong wrong = ChaosWrong.truncated(get(ChaosAnswer.INLINE, 1, Last.NO), random);
        session.send(wrong.bytes());
        session.halfClose();
        readRefusal(session, wrong);
    }

    private static void readRefusal(ChaosSession session, ChaosWrong wrong) {
        session.readOwed();
        if (session.isOver()) {
            session.readAll();
        } else {
            session.readRefusal(wrong.status(), wrong.code());
        }
    }

    private List<ChaosRequest> batch(int count) {
        var batch = new ArrayList<ChaosRequest>();
        for (int i = 0; i < count; i++) {
            batch.add(request(false));
        }
        return batch;
    }

    /** A request for any answer, in any form. */
    private ChaosRequest request(boolean last) {
        ChaosAnswer answer = ChaosAnswer.random(random);
        Form form = Form.values()[random.nextInt(4)];
        boolean hasBody = form == Form.POST || form == Form.CHUNKED;
        int sent = hasBody ? 1 + random.nextInt(6 * KIB) : 0;
        // HTTP/1.0 knows no chunks
        Last told = form == Form.CHUNKED ? Last.CLOSE : lastForm();
        Last end = last ? told : Last.NO;
        return new ChaosRequest(nextId++, answer, size(), millis(answer), sent, form, end);
    }

    private ChaosRequest get(ChaosAnswer answer, int size, Last last) {
        return new ChaosRequest(nextId++, answer, size, random.nextInt(12), 0, Form.GET, last);
    }

    private int size() {
        return switch (random.nextInt(200) / 10) {
            case 0 -> random.nextInt(random.nextInt(10) == 0 ? ChaosRequest.MAX_SIZE : 100 * KIB);
            case 1 -> random.nextInt(100 * KIB);
            default -> random.nextInt(2 * KIB);
        };
    }

    private Last lastForm() {
        return random.nextInt(4) == 0 ? Last.HTTP_1_0 : Last.CLOSE;
    }

    private int millis(ChaosAnswer answer) {
        int limit = (int) life.limits.handling.toMillis();
        return answer == ChaosAnswer.EDGE ? limit - 20 + random.nextInt(40) : random.nextInt(25);
    }

    private static void pause(long millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }
}

package org.microhttp.simulation;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Flow;
import org.microhttp.Body;
import org.microhttp.Header;
import org.microhttp.Response;

/**
 * The publisher of a streamed body: what it signals, when, and on which thread follows from the seed. It
 * checks what the server promises to publishers, and knows what the client must get.
 */
final class StreamedBody implements Flow.Publisher<ByteBuffer>, Flow.Subscription {

    /** When it signals. */
    private enum When { AT_ONCE, LATER, NEVER }

    /** How it ends: as it should, with an error, or with a mistake. */
    private enum End { COMPLETE, ERROR, GIVE_UP, THROW, TOO_MUCH, NULL, TWICE, SECOND, SHORT, LONG }

    /** The longest body. */
    static final int LONGEST = 300_000;
    private static final int WINDOW = 8;
    private static final End[] MOSTLY = {End.COMPLETE, End.COMPLETE, End.COMPLETE, End.ERROR};
    private static final long MILLI = 1_000_000;

    private final HandledRequest asked;
    private final SimulatedConnection life;
    private final World world;
    private final Content content;
    private final SplittableRandom random;
    private final When when;
    private final End end;
    private final boolean headAtOnce;
    private final boolean http10, upgrade;

    /** Gets what the client sends, in another protocol; else null. */
    final UpgradeSubscriber incoming;
    private final long pace;

    /** The length that is stated before the body; -1 for none. */
    final long stated;

    /** What was signalled and must be sent; of that, what the loop's thread has surely taken. */
    private long signalled, taken;

    /** Whether it has given its subscription, has ended as it should, or not; whether that was taken. */
    private boolean subscribed, completed, failed, headTaken, endTaken;

    /** Whether the server has given it up for its silence; has, or may have, sent another answer instead. */
    private boolean givenUp, replaced, doubtful;

    private Flow.Subscriber<? super ByteBuffer> subscriber;
    private long requested, buffers, total;
    private int subscriptions, cancels, ends;
    private boolean planned, stopped;
    private final List<byte[]> lent = new ArrayList<>();
    private final List<ByteBuffer> lentDirect = new ArrayList<>();

    StreamedBody(HandledRequest asked, Content content) {
        this.asked = asked;
        this.content = content;
        life = asked.life;
        world = life.world;
        random = new SplittableRandom(life.plan.seed() * 31 + content.noise() + asked.index * 7919L);
        int dice = random.nextInt(12);
        when = dice == 0 ? When.NEVER : dice < 6 ? When.AT_ONCE : When.LATER;
        upgrade = content.form() == Content.Form.UPGRADE;
        incoming = upgrade ? new UpgradeSubscriber(asked, this) : null;
        http10 = life.plan.requests().get(asked.index).version().equals("HTTP/1.0");
        // at a Unix domain socket HTTP/1.0 gets no body without a length
        boolean known = !upgrade && random.nextInt(3) == 0 || http10 && world.conditions.door().unix();
        End[] all = random.nextInt(3) == 0 ? End.values() : MOSTLY;
        End drawn = Conditions.pick(random, all);
        end = !known && (drawn == End.SHORT || drawn == End.LONG) ? End.COMPLETE : drawn;
        headAtOnce = random.nextInt(4) == 0 || upgrade;
        long length = content.length();
        long said = end == End.SHORT ? length + 1 : end == End.LONG ? Math.max(0, length - 1) : length;
        stated = known ? said : -1;
        pace = Conditions.pick(random, MILLI, 20 * MILLI, 400 * MILLI);
    }

    /** The switch to the other protocol. */
    Response upgrade(List<Header> fields) {
        return Response.upgrade("echo", fields, this, incoming);
    }

    Body body() {
        if (upgrade) return upgrade(List.of()).body();
        Body body = stated < 0 ? Body.of(this) : Body.of(this, stated);
        return headAtOnce ? body.withHeadAtOnce() : body;
    }

    boolean isChunked() {
        return stated < 0 && !http10 && !upgrade;
    }

    /** Whether only the end of the connection ends the body. */
    boolean isUnframed() {
        return stated < 0 && (http10 || upgrade);
    }

    long signalled() {
        return signalled;
    }

    boolean isCompleted() {
        return completed;
    }

    /** How much of the body was signalled and taken by the loop, and whether its end was. */
    long taken() {
        return taken;
    }

    boolean isEndTaken() {
        return endTaken;
    }

    /** Whether some of the answer is to be sent: of the body, its end, or the head alone. */
    boolean isBegun() {
        return taken > 0 || endTaken || headTaken;
    }

    /** The loop has run its tasks, so whatever was signalled is taken. */
    void onTasksRun() {
        taken = signalled;
        endTaken = completed;
        // what comes behind the failure of a subscriber is not taken
        boolean late = upgrade && incoming.hasFailed();
        if (!late) headTaken = subscribed && headAtOnce;
    }

    /** So much is sent, so at least that is taken. */
    void onSent(long bytes) {
        taken = Math.max(taken, bytes);
    }

    /** Whether the server may end its answer before the body is complete. */
    boolean mayFail() {
        return isOver() || life.promises.deadlines.isSilent();
    }

    /** Whether it has failed, or was given up, so that nothing follows what was signalled. */
    boolean isOver() {
        return failed || givenUp || upgrade && incoming.hasFailed();
    }

    boolean isCutAtEnd() {
        return failed && !givenUp && !upgrade;
    }

    /** The server gives another answer instead. */
    void replace() {
        givenUp = true;
        replaced = true;
    }

    /** Whether what is being sent may be another answer. */
    boolean isDoubtful() {
        return doubtful;
    }

    boolean isReplaced() {
        return replaced;
    }

    /** Whether a failure shows in a 500, because nothing was sent. */
    boolean mayBeReplaced(boolean silent) {
        // the subscriber of an upgrade may fail before the loop knows of the subscription
        boolean headed = upgrade ? headTaken : headAtOnce && subscribed;
        return doubtful || (isOver() || silent) && isEmpty(headed);
    }

    private boolean isEmpty(boolean headed) {
        return signalled == 0 && !completed && !headed;
    }

    /** The first byte of its answer, or of another instead, is sent. */
    void onBegin(boolean silent) {
        // whether it was given up for its silence may be in doubt, but not that it has failed
        boolean ended = isOver() || silent && !doubtful;
        boolean known = ended && isEmpty(headAtOnce && subscribed);
        doubtful = mayBeReplaced(silent);
        if (known) replace();
    }

    /** The head of its answer, or of another instead, is sent. */
    void onHead(boolean own, boolean silent) {
        if (!own && mayBeReplaced(silent)) replace();
        if (own) doubtful = false;
    }

    private void check(boolean kept, String what) {
        if (kept || life.promises.everStruck) return;
        life.broken("the publisher of answer " + asked.index + " " + what + "; " + this);
    }

    private void checkThread() {
        boolean own = life.isOnItsThread() || !life.selector.isOpen();
        check(own, "is called on another thread");
    }

    /** It is called, or signals, which the server sees now or in its next turn. */
    private void note() {
        if (life.promises.stream() == this) {
            // it may have been given up before, and what comes of that is not done yet
            doubtful |= mayBeReplaced(life.promises.deadlines.isSilent());
            life.promises.deadlines.onSignal();
        }
        world.turns.touch(life);
        world.idleness.onProgress();
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> one) {
        checkThread();
        subscriptions++;
        check(subscriptions == 1, "is subscribed to again");
        check(asked.stream() == this, "is subscribed to, and its body is not sent");
        check(life.promises.isTurn(asked.index), "is subscribed to before its turn");
        world.tally.count("stream " + end + (when == When.NEVER ? ", silent" : ""));
        life.tell("publisher of " + asked.index + " is subscribed to");
        subscriber = one;
        note();
        if (when == When.AT_ONCE || when == When.NEVER && random.nextBoolean() || random.nextInt(3) == 0) {
            begin();
        } else if (when == When.LATER) {
            later(this::begin);
        }
    }

    private void later(Runnable action) {
        world.machine.later(random.nextLong(pace), () -> world.elsewhere(action));
    }

    private void begin() {
        note();
        subscribed = true;
        subscriber.onSubscribe(this);
    }

    @Override
    public void request(long count) {
        checkThread();
        life.tell("publisher of " + asked.index + " is asked for " + count);
        check(count > 0, "is asked for " + count);
        check(cancels == 0, "is asked after its cancel");
        check(life.promises.isSent(asked.index, signalled), "is asked, and not all is sent");
        requested += count;
        check(requested - buffers <= WINDOW, "is asked for " + (requested - buffers));
        note();
        wipe();
        if (end == End.THROW && ends == 0 && total >= content.length() / 2) {
            failed = true;
            stopped = true;
            throw new IllegalStateException("as planned, in request");
        }
        if (random.nextInt(30) == 0) world.handling.interrupt();
        if (when == When.AT_ONCE) signalAll();
        if (when == When.LATER) plan();
    }

    /** What is sent is its own again: it would be seen if the server still used it. */
    private void wipe() {
        lent.forEach(array -> Arrays.fill(array, (byte) 0));
        lent.clear();
        for (ByteBuffer memory : lentDirect) {
            memory.put(0, BodyTracking.NOTHING, 0, Math.min(memory.capacity(), BodyTracking.NOTHING.length));
            world.lending.takeBack(memory);
        }
        lentDirect.clear();
    }

    @Override
    public void cancel() {
        checkThread();
        life.tell("publisher of " + asked.index + " is cancelled");
        cancels++;
        check(cancels == 1, "is cancelled again");
        // its end may wait for its task
        boolean unseen = !endTaken && life.promises.hasTasks();
        check(ends == 0 || failed || unseen, "is cancelled after its end");
        world.idleness.onProgress();
        boolean other = life.closed || life.outputEnded || isOver() || isPast() || life.promises.failed
                || world.isEnding();
        check(other || life.promises.deadlines.isSilent(), "is cancelled without a reason");
        if (!other) givenUp = true;
    }

    /** Whether its answer was replaced before it gave its subscription. */
    private boolean isPast() {
        return replaced || life.promises.finished > asked.index;
    }

    private boolean maySignal() {
        return subscribed && cancels == 0 && ends == 0 && !stopped
                && (total == content.length() || buffers < requested);
    }

    private void plan() {
        if (planned || !maySignal()) return;
        planned = true;
        later(() -> {
            planned = false;
            int most = 1 + random.nextInt(4);
            for (int i = 0; i < most && maySignal(); i++) {
                signal();
            }
            plan();
        });
    }

    private void signalAll() {
        while (maySignal()) {
            signal();
        }
    }

    /** Signals what is next, or the end. */
    private void signal() {
        note();
        boolean wrong = switch (end) {
            case ERROR, GIVE_UP, TOO_MUCH, NULL, SECOND -> true;
            default -> false;
        };
        if (wrong && total >= content.length() / 2) {
            fail();
        } else if (total == content.length() && (buffers == requested || random.nextInt(4) > 0)) {
            complete();
        } else {
            next();
        }
        life.promises.givenMore();
    }

    private void complete() {
        ends++;
        completed = stated < 0 || total == stated;
        failed |= !completed;
        life.tell("publisher of " + asked.index + " completes after " + total);
        subscriber.onComplete();
        if (end != End.TWICE) return;
        subscriber.onComplete();
        subscriber.onNext(ByteBuffer.allocate(1));
    }

    private void next() {
        int kind = random.nextInt(20);
        int most = kind < 2 ? 0 : kind < 14 ? 60 : kind < 18 ? 9_000 : 100_000;
        int size = (int) Math.min(random.nextInt(most + 1), content.length() - total);
        ByteBuffer buffer = buffer(size);
        int position = buffer.position();
        int limit = buffer.limit();
        total += size;
        buffers++;
        failed |= stated >= 0 && total > stated;
        if (!failed) signalled += size;
        life.tell("publisher of " + asked.index + " signals " + size);
        subscriber.onNext(buffer);
        boolean same = buffer.position() == position && buffer.limit() == limit;
        check(same, "gets a buffer back that was moved");
    }

    /** Of any kind, with something around what is to be sent. */
    private ByteBuffer buffer(int size) {
        int offset = random.nextInt(3);
        int from = content.at(total);
        boolean direct = size < 8_000 && random.nextInt(3) == 0;
        if (direct) {
            ByteBuffer memory = world.lending.direct(size + offset);
            lentDirect.add(memory);
            memory.put(offset, Content.NOISE, from, size);
            return memory.duplicate().position(offset).limit(offset + size);
        }
        var array = new byte[size + offset + 2];
        System.arraycopy(Content.NOISE, from, array, offset, size);
        lent.add(array);
        ByteBuffer whole = ByteBuffer.wrap(array, offset, size);
        return random.nextInt(4) == 0 ? whole.asReadOnlyBuffer() : whole;
    }

    private void fail() {
        boolean asks = buffers < requested;
        failed = true;
        stopped = true;
        life.tell("publisher of " + asked.index + " ends by " + end + " after " + total);
        switch (end) {
            case ERROR, GIVE_UP -> {
                ends++;
                subscriber.onError(end == End.ERROR ? new IllegalStateException("as planned, in a publisher")
                        : new CancellationException("as planned"));
            }
            case TOO_MUCH -> {
                for (long i = buffers; i < requested + 3; i++) {
                    subscriber.onNext(ByteBuffer.allocate(0));
                }
            }
            case NULL -> {
                try {
                    subscriber.onNext(null);
                    check(false, "signals null, and nothing is thrown");
                } catch (NullPointerException e) {
                    life.tell("null is refused");
                }
            }
            default -> subscriber.onSubscribe(new Second());
        }
        // it does not know yet that it has made a mistake
        boolean more = ends == 0 && end != End.TOO_MUCH && asks;
        if (more) subscriber.onNext(ByteBuffer.wrap(new byte[] {'!'}));
    }

    /** A second subscription, which may be cancelled, and nothing else. */
    private final class Second implements Flow.Subscription {
        @Override
        public void request(long count) {
            check(false, "has a second subscription, and that is used");
        }

        @Override
        public void cancel() {
            checkThread();
        }
    }

    /** The loop sleeps, and the socket has taken whatever was signalled. */
    void checkRest() {
        if (upgrade) incoming.checkRest();
        check(subscriptions == 1, "is not subscribed to");
        check(!completed, "has completed, and the answer has not");
        check(!failed && !givenUp, "has failed, and the answer goes on");
        boolean waits = subscribed && buffers == requested;
        check(!waits, "waits to be asked");
    }

    /** Whether it is subscribed to. */
    boolean isAsked() {
        return subscriptions > 0;
    }

    boolean isUpgrade() {
        return upgrade;
    }

    void checkEnd() {
        if (upgrade) incoming.checkEnd();
        boolean once = ends > 0 || cancels == 1;
        check(!subscribed || once, "has " + cancels + " cancels and " + ends + " ends");
    }

    @Override
    public String toString() {
        return ("%s %s, stated %d, signalled %d, taken %d, subscribed %s, %d buffers of %d, completed %s,"
                + " failed %s, given up %s").formatted(when, end, stated, signalled, taken, subscribed,
                buffers, requested, completed, failed, givenUp);
    }
}

package org.microhttp.simulation;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Flow;

/**
 * The subscriber to what a client sends in another protocol: what it requests, and when, follows from the
 * seed. It checks what the server promises to subscribers.
 */
final class UpgradeSubscriber implements Flow.Subscriber<List<ByteBuffer>> {

    /** When it requests: all at first; one by one; when some time has passed; or never. */
    private enum When { ALL, ONE, LATER, NEVER }

    /** What it does at some time: nothing, or what ends it. */
    private enum BodyFault { NONE, CANCEL, CANCEL_LATER, THROW, REQUEST_NOTHING }

    /** How much the server reads at most that is not requested, to notice the end. */
    private static final int FIRST_BYTES = 16;
    private static final long MOST_DELAY = 400_000_000;

    private final HandledRequest asked;
    private final SimulatedConnection life;
    private final World world;
    private final StreamedBody publisher;
    private final SplittableRandom random;
    private final When when;
    private final BodyFault mishap;
    private final int mishapAt;
    private final int begin;
    private Flow.Subscription subscription;
    private long got, requested, lists;

    /** How much the server had read when it was signalled last. */
    private long readThen;
    private boolean inside, completed, failed, cancelled, threw, mistaken, planned;
    private final List<ByteBuffer> kept = new ArrayList<>();

    UpgradeSubscriber(HandledRequest asked, StreamedBody publisher) {
        this.asked = asked;
        this.publisher = publisher;
        life = asked.life;
        world = life.world;
        random = new SplittableRandom(life.plan.seed() * 31 + 77);
        when = Conditions.pick(random, When.ALL, When.ALL, When.ONE, When.ONE, When.LATER, When.LATER,
                When.NEVER);
        mishap = random.nextInt(3) > 0 ? BodyFault.NONE : Conditions.pick(random, BodyFault.values());
        mishapAt = random.nextInt(5) - 1;
        begin = life.plan.ends()[asked.index];
    }

    /** Whether it has had its last signal, or wants none. */
    boolean isOver() {
        return completed || failed || cancelled || hasFailed();
    }

    /** Whether it has failed, or broken a rule, which ends the connection. */
    boolean hasFailed() {
        return threw || mistaken;
    }

    /** Whether what the client sends is passed on, or dropped. */
    boolean takesInput() {
        return isOver() || lists < requested;
    }

    private void check(boolean kept, String what) {
        if (kept || life.promises.everStruck) return;
        life.broken("the subscriber to the client's input " + what + "; " + this);
    }

    private void begin(String signal) {
        life.tell("subscriber: " + signal);
        boolean own = life.isOnItsThread() || !life.selector.isOpen();
        check(own, "is called on another thread");
        check(!inside, "has two signals at once");
        check(!isOver() || mistaken && !failed, "is signalled after its end");
        check(subscription != null || signal.equals("subscribed"), "is signalled before it is subscribed");
        check(life.plan.upgrade() == Upgrade.ASKED, "is called, and nobody has asked for the protocol");
        inside = true;
        readThen = life.read;
        world.idleness.onProgress();
        world.turns.touch(life);
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        check(subscription == null, "is subscribed twice");
        begin("subscribed");
        check(!publisher.isAsked(), "is subscribed after the publisher");
        subscription = given;
        act(0);
        if (when == When.ALL) request(Long.MAX_VALUE);
        if (when == When.ONE) request(1);
        end();
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        begin("next");
        lists++;
        check(lists <= requested, "gets more than it has requested");
        check(!buffers.isEmpty(), "gets nothing");
        for (ByteBuffer buffer : buffers) {
            check(buffer.hasRemaining(), "gets an empty buffer");
            kept.add(buffer);
            for (int i = 0; i < buffer.remaining(); i++) {
                long at = begin + got;
                byte sent = life.plan.text()[(int) at];
                boolean same = at < life.read && buffer.get(buffer.position() + i) == sent;
                check(same, "gets another byte than was sent, at " + got);
                got++;
            }
        }
        act((int) lists);
        if (when == When.ONE) request(1);
        end();
    }

    @Override
    public void onError(Throwable cause) {
        begin("error " + cause);
        failed = true;
        boolean reason = life.closed || life.outputEnded || publisher.isCompleted() || publisher.isOver()
                || mistaken || life.promises.failed || world.isEnding() || life.promises.deadlines.isSilent();
        check(cause != null && reason, "has an error without a reason");
        end();
    }

    @Override
    public void onComplete() {
        begin("complete");
        completed = true;
        check(life.promises.endSeen, "is complete, and its client has not ended");
        check(begin + got == life.read, "is complete, and something is missing");
        act(-1);
        end();
    }

    private void end() {
        inside = false;
        if (random.nextInt(30) == 0 && life.isOnItsThread()) {
            world.handling.interrupts++;
            Thread.currentThread().interrupt();
        }
        plan();
    }

    private void act(int now) {
        if (now != mishapAt || mishap == BodyFault.NONE) return;
        switch (mishap) {
            case CANCEL -> cancel();
            case CANCEL_LATER -> later(this::cancel);
            case REQUEST_NOTHING -> {
                if (completed) return;
                mistaken = true;
                world.failures.expect();
                note();
                subscription.request(-random.nextInt(3));
            }
            default -> {
                inside = false;
                threw = true;
                throw world.failures.make(asked, new IllegalStateException("as planned, in a subscriber"));
            }
        }
    }

    private void cancel() {
        if (isOver()) return;
        cancelled = true;
        note();
        subscription.cancel();
    }

    private void request(long count) {
        if (isOver()) return;
        requested = count == Long.MAX_VALUE ? count : requested + count;
        note();
        subscription.request(count);
    }

    /** What it asks for is a task of the loop. */
    private void note() {
        life.promises.givenMore();
        world.turns.touch(life);
    }

    private void later(Runnable action) {
        world.machine.later(random.nextLong(MOST_DELAY), () -> world.elsewhere(action));
    }

    private void plan() {
        if (when != When.LATER || planned || isOver() || lists < requested) return;
        planned = true;
        later(() -> {
            planned = false;
            request(1 + random.nextInt(3));
        });
    }

    /** The loop sleeps, and the protocol is spoken. */
    void checkRest() {
        check(subscription != null, "is not subscribed");
        check(!hasFailed(), "has failed, and the connection goes on");
        if (isOver()) return;
        boolean wants = lists < requested;
        check(!wants || begin + got == life.read, "waits, and something is not passed on");
        boolean ended = life.promises.endSeen && begin + got == life.read;
        check(!ended, "is not told of its client's end");
        boolean ahead = life.read - Math.max(readThen, begin) > FIRST_BYTES;
        check(wants || !ahead || got == 0 && lists == 0, "has requested nothing, and more is read");
    }

    /** The connection has ended. */
    void checkEnd() {
        check(subscription == null || isOver(), "has no end");
        long at = begin;
        for (ByteBuffer buffer : kept) {
            ByteBuffer sent = ByteBuffer.wrap(life.plan.text(), (int) at, buffer.remaining());
            boolean same = buffer.equals(sent);
            check(same, "has a buffer that was changed later");
            at += buffer.remaining();
        }
    }

    @Override
    public String toString() {
        return "%s %s at %d, got %d in %d lists of %d, completed %s, failed %s, cancelled %s".formatted(when,
                mishap, mishapAt, got, lists, requested, completed, failed, cancelled);
    }
}

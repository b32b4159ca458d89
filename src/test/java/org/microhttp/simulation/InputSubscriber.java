package org.microhttp.simulation;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Flow;
import org.microhttp.Request;

/**
 * The subscriber to what a client sends, in a body or in another protocol: what it requests, and when,
 * follows from the seed. It checks what the server promises to subscribers.
 */
abstract class InputSubscriber implements Flow.Subscriber<List<ByteBuffer>> {

    /** When it requests: all at first; one by one; when some time has passed; or never. */
    private enum When { ALL, ONE, LATER, NEVER }

    /** What it does at some time: nothing, or what ends it. */
    private enum Mishap { NONE, CANCEL, CANCEL_LATER, THROW, REQUEST_NOTHING }

    /** How much the server reads at most that is not requested, to notice the end. */
    static final int FIRST_BYTES = 16;
    private static final long MILLI = 1_000_000;

    final Request request;
    final SimulatedConnection life;
    final World world;
    private final SplittableRandom random;
    private final When when;
    private final Mishap mishap;
    private final int mishapAt;
    private final long pace;
    private final boolean mayFail;
    private Flow.Subscription subscription;
    private long got, requested, lists;
    private boolean inside, completed, failed, cancelled, threw, mistaken, planned;
    private final List<ByteBuffer> kept = new ArrayList<>();

    /** Makes one; at times one that cancels or fails, if it may. */
    InputSubscriber(SimulatedConnection life, Request request, long number, boolean mayFail) {
        this.life = life;
        this.request = request;
        this.mayFail = mayFail;
        world = life.world;
        random = new SplittableRandom(life.plan.seed() * 31 + number);
        when = Conditions.pick(random, When.ALL, When.ALL, When.ONE, When.ONE, When.LATER, When.LATER,
                When.NEVER);
        boolean none = random.nextInt(3) > 0 || !mayFail;
        mishap = none ? Mishap.NONE : Conditions.pick(random, Mishap.values());
        mishapAt = random.nextInt(5) - 1;
        pace = Conditions.pick(random, 5 * MILLI, 400 * MILLI);
    }

    /** How much is read of what it is to get. */
    abstract long there();

    /** Where the byte at an offset is in all that its client sends. */
    abstract int place(long offset);

    /** Whether it may have an error now. */
    abstract boolean mayFail(Throwable cause);

    /** Whether all has come that it is to get. */
    abstract boolean isWhole();

    /** It is signalled something. */
    abstract void onSignal();

    /** It has requested, or may get no more than it got; or it has failed, which ends its request. */
    abstract void onDemand(boolean wants);

    abstract void onFailure();

    /** Whether it has its subscription. */
    boolean isSubscribed() {
        return subscription != null;
    }

    /** Whether it has had its last signal, or wants none. */
    boolean isOver() {
        return completed || failed || cancelled || hasFailed();
    }

    /** Whether it has failed, or broken a rule. */
    boolean hasFailed() {
        return threw || mistaken;
    }

    boolean isCompleted() {
        return completed;
    }

    boolean isCancelled() {
        return cancelled;
    }

    long got() {
        return got;
    }

    /** Whether it may get more than it got. */
    boolean wants() {
        return lists < requested;
    }

    boolean hasRequested() {
        return requested > 0;
    }

    /** Whether what the client sends is passed on, or dropped. */
    boolean takesInput() {
        return !failed && (isOver() || wants());
    }

    void check(boolean kept, String what) {
        if (kept || life.promises.everStruck || world.faults.clockEverStruck) return;
        life.broken("the subscriber to the client's input " + what + "; " + this);
    }

    private void begin(String signal) {
        life.tell("subscriber: " + signal);
        boolean own = life.isOnItsThread() || !life.selector.isOpen();
        check(own, "is called on another thread");
        check(!inside, "has two signals at once");
        check(!isOver() || mistaken && !failed, "is signalled after its end");
        check(isSubscribed() || signal.equals("subscribed"), "is signalled before it is subscribed");
        inside = true;
        onSignal();
        world.idleness.onProgress();
        world.turns.touch(life);
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        check(!isSubscribed(), "is subscribed twice");
        begin("subscribed");
        subscription = given;
        onDemand(false);
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
            check(got + buffer.remaining() <= there(), "gets more than was sent, after " + got);
            kept.add(buffer);
            checkSent(buffer, got);
            got += buffer.remaining();
        }
        if (!wants()) onDemand(false);
        act((int) lists);
        if (when == When.ONE) request(1);
        end();
    }

    private void checkSent(ByteBuffer buffer, long from) {
        if (world.isBroken()) return;
        for (int i = 0; i < buffer.remaining(); i++) {
            boolean same = buffer.get(buffer.position() + i) == life.plan.text()[place(from + i)];
            if (!same) check(false, "has another byte than was sent, at " + (from + i));
        }
    }

    @Override
    public void onError(Throwable cause) {
        begin("error " + cause);
        failed = true;
        check(cause != null && (mistaken || mayFail(cause)), "has an error without a reason");
        if (mistaken) onFailure();
        end();
    }

    @Override
    public void onComplete() {
        begin("complete");
        completed = true;
        check(isWhole() && got == there(), "is complete, and something is missing");
        act(-1);
        end();
    }

    private void end() {
        inside = false;
        if (random.nextInt(30) == 0 && life.isOnItsThread()) world.handling.interrupt();
        plan();
    }

    private void act(int now) {
        if (now != mishapAt || mishap == Mishap.NONE) return;
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
                fail();
            }
        }
    }

    /** Throws, which is a failure of the handler. */
    private void fail() {
        threw = true;
        onFailure();
        throw world.failures.make(life, new IllegalStateException("as planned, in a subscriber"),
                request.method(), request.target());
    }

    /** It is chosen by the handler, which may fail itself, or leave an interrupt behind. */
    void choose() {
        life.tell("subscriber: chosen");
        if (mayFail && random.nextInt(40) == 0) fail();
        if (random.nextInt(20) == 0) world.handling.interrupt();
    }

    private void cancel() {
        if (isOver()) return;
        cancelled = true;
        note();
        subscription.cancel();
        // rule 3.6: that is no mistake
        if (random.nextInt(3) == 0) subscription.request(0);
    }

    private void request(long count) {
        if (isOver()) return;
        boolean wanted = wants();
        requested = count == Long.MAX_VALUE ? count : requested + count;
        note();
        if (!wanted) onDemand(true);
        subscription.request(count);
    }

    /** What it asks for is a task of the loop. */
    private void note() {
        life.promises.givenMore();
        world.turns.touch(life);
    }

    private void later(Runnable action) {
        world.machine.later(random.nextLong(pace), () -> world.elsewhere(action));
    }

    private void plan() {
        if (when != When.LATER || planned || isOver() || wants()) return;
        planned = true;
        later(() -> {
            planned = false;
            request(1 + random.nextInt(3));
        });
    }

    /** The loop sleeps, and the input goes on. */
    void checkRest() {
        check(isSubscribed(), "is not subscribed");
        check(!hasFailed(), "has failed, and the connection goes on");
        if (isOver()) return;
        check(!wants() || got == there(), "waits, and something is not passed on");
        check(got != there() || !isWhole(), "is not told of the end");
    }

    /** The connection has ended. */
    void checkEnd() {
        check(!isSubscribed() || isOver(), "has no end");
        long at = 0;
        for (ByteBuffer buffer : kept) {
            checkSent(buffer, at);
            at += buffer.remaining();
        }
    }

    @Override
    public String toString() {
        return "%s %s at %d, got %d in %d lists of %d, completed %s, failed %s, cancelled %s".formatted(when,
                mishap, mishapAt, got, lists, requested, completed, failed, cancelled);
    }
}

package org.microhttp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.Flow;

/**
 * The subscriber to what one client of a {@link PlannedWorld} sends, in a body or another protocol: what it
 * requests, and when, follows from a seed. It holds the server to what it promises a subscriber.
 */
final class PlannedReceiver implements Flow.Subscriber<List<ByteBuffer>> {

    /** Whose bytes it gets: knows what each signal must mean. */
    interface Source {

        /** Some signal comes. */
        void onSignal(String signal);

        void onSubscribe();

        /** More is in its content. */
        void onNext();

        void onError(Throwable cause);

        void onComplete();
    }

    /** When it requests: all at once; one by one, at once or when its world says so; or nothing. */
    enum Style { ALL, ONE, LATER, NEVER }

    /** What it does at some time: nothing, cancel, throw, or request what is not allowed. */
    enum Mishap { NONE, CANCEL, CANCEL_LATER, THROW, NOTHING }

    private static final Mishap[] RARE = Mishap.values();

    private final PlannedWorld world;
    private final Source source;
    final Style style;
    private final Mishap mishap;

    /** After how many lists the mishap comes; -1 for at the end. */
    private final int when;

    final StringBuilder content = new StringBuilder();

    /** What it has got, which is its own. */
    private final Map<ByteBuffer, ByteBuffer> kept = new IdentityHashMap<>();
    private Flow.Subscription subscription;
    private int lists;
    private long requested;
    private boolean inside;

    /** When it was signalled something, or requested or cancelled something, for the last time. */
    private long last;

    /** For how long it has waited for something that it has requested, until when. */
    private long waited, waitedUntil;

    /** What has ended it; and whether it has made a mistake, or nothing more is requested after one. */
    boolean completed, failed, cancelled, threw, mistaken;

    PlannedReceiver(PlannedWorld world, Source source, Random random) {
        this.world = world;
        this.source = source;
        int drawn = random.nextInt(10);
        style = drawn < 3 ? Style.ALL : drawn < 6 ? Style.ONE : drawn < 9 ? Style.LATER : Style.NEVER;
        mishap = random.nextInt(3) > 0 ? Mishap.NONE : RARE[random.nextInt(RARE.length)];
        when = random.nextInt(5) - 1;
    }

    boolean isSubscribed() {
        return subscription != null;
    }

    /** Whether it has had its last signal, or wants none. */
    boolean isOver() {
        return completed || failed || cancelled || threw || mistaken;
    }

    /** How many lists it may get. */
    long demand() {
        return isOver() ? 0 : requested - lists;
    }

    private void begin(String signal) {
        world.onLoop();
        world.check(!inside, signal + " comes during another signal to " + source);
        world.check(!completed && !failed, signal + " comes after the end of " + source);
        world.check(!cancelled, signal + " comes after the cancel of " + source);
        world.check(!threw, signal + " comes after a failure of " + source);
        source.onSignal(signal);
        waited();
        inside = true;
        last = world.now();
    }

    /** A signal returns, perhaps with the interrupt flag set. */
    private void leave() {
        inside = false;
        world.interrupt();
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        world.check(subscription == null, "is subscribed again");
        begin("onSubscribe");
        source.onSubscribe();
        subscription = given;
        misbehave(0);
        if (style == Style.ALL) request(Long.MAX_VALUE);
        if (style == Style.ONE) request(1);
        leave();
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        begin("onNext");
        lists++;
        world.check(lists <= requested, "gets more than was requested: " + source);
        world.check(!buffers.isEmpty(), "gets no buffer");
        for (ByteBuffer buffer : buffers) {
            world.check(buffer.hasRemaining(), "gets an empty buffer");
            kept.put(buffer, ByteBuffer.allocate(buffer.remaining()).put(buffer.duplicate()).flip());
            content.append(StandardCharsets.ISO_8859_1.decode(buffer.duplicate()));
        }
        source.onNext();
        misbehave(lists);
        if (style == Style.ONE) request(1);
        leave();
    }

    @Override
    public void onError(Throwable cause) {
        begin("onError");
        failed = true;
        world.check(cause != null, "fails without a cause");
        source.onError(cause);
        leave();
    }

    @Override
    public void onComplete() {
        begin("onComplete");
        completed = true;
        source.onComplete();
        misbehave(-1);
        leave();
    }

    private void misbehave(int now) {
        if (now != when || mishap == Mishap.NONE) return;
        switch (mishap) {
            case CANCEL -> cancel();
            case CANCEL_LATER -> world.later.add(this::cancel);
            case NOTHING -> {
                mistaken = !completed;
                subscription.request(-world.random.nextInt(3));
            }
            default -> {
                inside = false;
                threw = true;
                throw new IllegalStateException("wanted");
            }
        }
    }

    private void cancel() {
        cancelled |= !completed && !failed && !mistaken && !threw;
        last = world.now();
        subscription.cancel();
        // rule 3.6: nobody hears that
        if (world.random.nextInt(3) == 0) subscription.request(0);
    }

    private void request(long count) {
        if (isOver()) return;
        waited();
        requested = count == Long.MAX_VALUE ? count : requested + count;
        last = world.now();
        subscription.request(count);
    }

    /** Whether it has requested anything. */
    boolean hasRequested() {
        return requested > 0;
    }

    int lists() {
        return lists;
    }

    long last() {
        return last;
    }

    /** For how long it has waited for its client, in all. */
    long waited() {
        if (demand() > 0) waited += world.now() - waitedUntil;
        waitedUntil = world.now();
        return waited;
    }

    /** How long nothing is requested. */
    long silence() {
        return !isSubscribed() || isOver() || demand() > 0 ? 0 : world.now() - last;
    }

    /** Whether it may request something now, as its world says. */
    boolean mayGoOn() {
        return isSubscribed() && style == Style.LATER && demand() == 0 && !isOver();
    }

    void goOn() {
        request(1 + world.random.nextInt(3));
    }

    /** Nobody else has changed what it got. */
    private void checkKept() {
        kept.forEach((buffer, copy) -> world.check(buffer.equals(copy), "a buffer changes later: " + source));
    }

    /** Its connection has ended: it has had one end. */
    void checkEnd() {
        boolean over = completed || failed || cancelled || threw;
        world.check(!isSubscribed() || over, "never ends: " + source);
        checkKept();
    }
}

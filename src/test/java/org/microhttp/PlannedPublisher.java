package org.microhttp;

import java.nio.ByteBuffer;
import java.util.*;
import java.util.concurrent.Flow;

/**
 * The publisher of one response in a {@link PlannedWorld}: what it signals, and when, follows from a seed. It
 * holds the server to what it promises a publisher, and knows what the client must get.
 */
final class PlannedPublisher implements Flow.Publisher<ByteBuffer>, Flow.Subscription {

    /** Whose response it signals: knows how much of it the client has. */
    interface Target {

        /** Whether all responses before it are sent. */
        boolean isFirst();

        /** Whether the socket has taken that as the body, and nothing else waits. */
        boolean hasAll(CharSequence content);

        /** Whether it is logged as failed. */
        boolean isBlamed();

        /** Whether the server may wait no longer. */
        boolean isSilent();
    }

    /** When it signals: as soon as it is asked; when its world says so; or never anything. */
    enum Style { INLINE, LATER, NEVER }

    /** How it ends: as it should, with an error, or with a mistake. */
    enum End { COMPLETE, ERROR, THROW, TOO_MUCH, NULL, TWICE, AGAIN, SHORT, LONG }

    private static final End[] MOSTLY = {End.COMPLETE, End.COMPLETE, End.COMPLETE, End.ERROR};

    private final PlannedWorld world;
    private final Target target;
    final Style style;
    final End end;
    final boolean known, headAtOnce;
    private final List<ByteBuffer> buffers = new ArrayList<>();
    private final long length;

    /** What it has signalled that is to be sent. */
    final StringBuilder signalled = new StringBuilder();

    private Flow.Subscriber<? super ByteBuffer> subscriber;

    /** Whether it has given its subscription, and the server had given up before. */
    private boolean subscribed, late;
    private int next;
    private long requested, total;

    /** Whether it has ended as it should; or not; and whether it waits for its cancel after a mistake. */
    boolean completed, failed;
    private boolean silent;

    /** How often it was subscribed to, was cancelled, and has ended by itself. */
    int subscriptions, cancels, ends;

    /** When it was asked, or signalled, for the last time. */
    private long last;

    PlannedPublisher(PlannedWorld world, Target target, boolean counted, Random random) {
        this.world = world;
        this.target = target;
        style = random.nextInt(12) == 0 ? Style.NEVER : random.nextBoolean() ? Style.INLINE : Style.LATER;
        End[] ends = random.nextInt(3) == 0 ? End.values() : MOSTLY;
        known = counted && random.nextInt(3) == 0;
        End drawn = ends[random.nextInt(ends.length)];
        end = !known && (drawn == End.SHORT || drawn == End.LONG) ? End.COMPLETE : drawn;
        headAtOnce = random.nextInt(4) == 0;
        int count = random.nextInt(random.nextInt(4) == 0 ? 40 : 6);
        long sum = 0;
        for (int i = 0; i < count; i++) {
            ByteBuffer buffer = buffer(i, random);
            buffers.add(buffer);
            sum += buffer.remaining();
        }
        length = end == End.SHORT ? sum + 1 : end == End.LONG ? Math.max(0, sum - 1) : sum;
    }

    private static ByteBuffer buffer(int number, Random random) {
        int kind = random.nextInt(20);
        int size = kind < 3 ? 0 : kind < 17 ? random.nextInt(60) : random.nextInt(kind < 19 ? 9000 : 100_000);
        int offset = random.nextInt(3);
        var whole = random.nextBoolean() ? ByteBuffer.allocateDirect(size + offset + 2)
                : ByteBuffer.allocate(size + offset + 2);
        for (int i = 0; i < size; i++) {
            whole.put(offset + i, (byte) ('a' + (number + i) % 26));
        }
        return whole.position(offset).limit(offset + size);
    }

    Body body() {
        Body body = known ? Body.of(this, length) : Body.of(this);
        return headAtOnce ? body.withHeadAtOnce() : body;
    }

    /** How many bytes it says that it has; -1 if it does not. */
    long length() {
        return known ? length : -1;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> one) {
        world.onLoop();
        subscriptions++;
        world.check(subscriptions == 1, "is subscribed to again");
        world.check(target.isFirst(), "is subscribed to before it is its turn");
        subscriber = one;
        last = world.now();
        if (style == Style.LATER && world.random.nextBoolean()) {
            world.later.add(this::begin);
        } else {
            begin();
        }
    }

    private void begin() {
        late = target.isBlamed();
        subscribed = true;
        last = world.now();
        subscriber.onSubscribe(this);
    }

    @Override
    public void request(long count) {
        world.onLoop();
        world.check(count > 0, "requests " + count);
        // it may not have been heard yet
        world.check(cancels == 0, "is asked after its cancel");
        world.check(target.hasAll(signalled), "is asked, and not all is sent");
        requested += count;
        last = world.now();
        world.check(requested - next <= 8, "is asked for " + (requested - next));
        if (end == End.THROW && ends == 0 && next >= buffers.size() / 2) {
            failed = true;
            silent = true;
            throw new IllegalStateException("wanted");
        }
        if (style == Style.INLINE) {
            while (ends == 0 && !silent && mayNext()) {
                signal();
            }
        }
    }

    @Override
    public void cancel() {
        world.onLoop();
        cancels++;
        world.check(cancels == 1, "is cancelled again");
        boolean cut = !late && !failed && ends == 0 && target.isBlamed();
        world.check(!cut || world.isShort || target.isSilent(), "is taken for a silent one");
    }

    private boolean mayNext() {
        return next == buffers.size() || next < requested;
    }

    /** Whether it has something to signal, and may. */
    boolean mayGoOn() {
        return subscribed && style == Style.LATER && cancels == 0 && ends == 0 && !silent && mayNext();
    }

    /** Signals what is next, also the end. */
    void signal() {
        last = world.now();
        boolean mistaken = end == End.ERROR || end == End.TOO_MUCH || end == End.NULL || end == End.AGAIN
                || end == End.TWICE;
        if (mistaken && next >= buffers.size() / 2) {
            fail();
        } else if (next == buffers.size()) {
            complete();
        } else {
            next();
        }
    }

    private void complete() {
        ends++;
        completed = !failed && (!known || total == length);
        failed |= !completed;
        subscriber.onComplete();
    }

    private void next() {
        ByteBuffer buffer = buffers.get(next);
        next++;
        total += buffer.remaining();
        failed |= known && total > length;
        for (int i = buffer.position(); i < buffer.limit() && !failed; i++) {
            signalled.append((char) buffer.get(i));
        }
        int position = buffer.position();
        int limit = buffer.limit();
        subscriber.onNext(buffer);
        world.check(buffer.position() == position && buffer.limit() == limit, "a buffer is moved");
    }

    private void fail() {
        int asked = next;
        if (end == End.TWICE) {
            complete();
            subscriber.onComplete();
            subscriber.onNext(ByteBuffer.allocate(1));
            return;
        }
        failed = true;
        switch (end) {
            case ERROR -> {
                ends++;
                subscriber.onError(new IllegalStateException("wanted"));
            }
            case TOO_MUCH -> {
                for (long i = next; i < requested + 3; i++) {
                    subscriber.onNext(ByteBuffer.allocate(0));
                }
                next = buffers.size();
            }
            case NULL -> {
                next = buffers.size();
                try {
                    subscriber.onNext(null);
                    world.check(false, "null is taken");
                } catch (NullPointerException e) {
                    // as it must be
                }
            }
            default -> {
                next = buffers.size();
                subscriber.onSubscribe(new Second());
            }
        }
        silent = ends == 0;
        // it does not know yet that it has made a mistake
        boolean more = silent && end != End.TOO_MUCH && asked < requested;
        if (more) subscriber.onNext(ScriptedPublisher.buffer("late"));
    }

    /** A second subscription, which may be cancelled, and nothing else. */
    private final class Second implements Flow.Subscription {

        @Override
        public void request(long count) {
            world.check(false, "a second subscription is used");
        }

        @Override
        public void cancel() {
            world.onLoop();
        }
    }

    /** Its buffers are its own again: what the server still sends of them would be wrong. */
    void overwrite() {
        for (ByteBuffer buffer : buffers) {
            for (int i = 0; i < buffer.limit(); i++) {
                buffer.put(i, (byte) '!');
            }
        }
    }

    /** Whether the server waits for it, and for how long it has. */
    long silence() {
        return subscriptions == 0 || cancels > 0 || ends > 0 ? 0 : world.now() - last;
    }

    /** When it was asked, or signalled, for the last time. */
    long last() {
        return last;
    }

    void checkEnd() {
        boolean ended = ends > 0 || cancels == 1;
        if (subscribed) world.check(ended, "has " + cancels + " cancels, " + ends + " ends");
    }
}

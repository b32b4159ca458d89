package org.microhttp;

import java.io.IOException;
import java.time.Duration;
import java.util.*;
import java.util.stream.Stream;

/**
 * A loop without sockets, its clients, and the programs that it calls: what each does, when and on which
 * thread, and what time it is, follow from a seed. Each step is held to what is promised to all of them.
 */
abstract class PlannedWorld implements AutoCloseable {

    static final long SECOND = 1_000_000_000L;

    /** How late a loop may be: a tick, and the time of a step. */
    static final long SLACK = SECOND / 4;
    private static final int STEPS = 120;

    final Random random;
    Options options =
            Inside.withClock(new Options().withResolution(Duration.ofMillis(100)), () -> 0, () -> 0);
    ScriptedLoop loop;

    /** What programs do at any time. */
    final List<Runnable> later = new ArrayList<>();

    /** Whether memory was short once, so that anything may be refused, or cut. */
    boolean isShort;

    /** Whether the loop ends before all is done. */
    private boolean stops;
    private long passed;
    private final StringBuilder story = new StringBuilder();
    private AssertionError broken;

    PlannedWorld(long seed) {
        random = new Random(seed * 0x9E3779B97F4A7C15L);
    }

    /** Makes the loop, and its clients. */
    abstract void begin() throws IOException;

    /** Somebody does something. */
    abstract void step();

    /** Has the server read what is here, as far as it wants to. */
    abstract void readOn();

    /** What programs may do now besides what is to be done later. */
    abstract Stream<Runnable> ready();

    /** Looks at what must be so after each step. */
    abstract void look();

    /** All clients send some of what they have, and take what is sent to them. */
    abstract void hurry();

    /** Whether every client has all that it wants, or no connection. */
    abstract boolean isOver();

    /** The loop ends. */
    abstract void endLoop();

    /** Looks at what must be so when everything has ended. */
    abstract void lookBack();

    /** Lives it to its end. */
    final void live() throws IOException {
        begin();
        for (int i = random.nextInt(STEPS); i > 0; i--) {
            step();
            checkAll();
        }
        stops = random.nextInt(4) == 0;
        for (int i = 0; i < 3000 && !stops && !isDone(); i++) {
            hurry();
            act();
            tasks(100);
            if (i > 300) pass(SECOND);
            checkAll();
        }
        tell("end");
        check(stops || isDone(), "something is never done");
        end();
    }

    private boolean isDone() {
        return later.isEmpty() && isOver();
    }

    private void end() {
        loop.context.end.stopped = stops;
        endLoop();
        tasks(Integer.MAX_VALUE);
        while (!later.isEmpty()) {
            act();
        }
        tasks(Integer.MAX_VALUE);
        pass(30 * SECOND);
        lookBack();
        check(Inside.used(loop.context.group.requests) == 0, "places are taken at the end");
        check(Inside.used(loop.context.limits.parser.bytes()) == 0, "bytes are charged at the end");
        checkInterrupts();
        if (broken != null) throw broken;
    }

    final boolean stops() {
        return stops;
    }

    final Duration seconds() {
        return Duration.ofSeconds(1 + random.nextInt(20));
    }

    final long now() {
        return passed;
    }

    final void check(boolean kept, String promise) {
        if (kept) return;
        // a program's exception would be taken for its mistake
        if (broken == null) broken = new AssertionError(promise + "; after: " + story);
        throw broken;
    }

    final void onLoop() {
        check(loop.context.tasks.isLoopThread(), "a program is called by another thread");
    }

    /** A program sometimes leaves the interrupt flag set, which is nobody's business. */
    final void interrupt() {
        if (random.nextInt(30) == 0) Thread.currentThread().interrupt();
    }

    private void checkInterrupts() {
        boolean kept = !Thread.interrupted() && !loop.context.end.interrupted;
        check(kept, "an interrupt of a program stays, or ends the loop");
    }

    final void tell(String what) {
        if (story.length() < 3000) story.append(what).append(", ");
    }

    final void tasks(int most) {
        tell("tasks " + most);
        loop.context.clock.endTurn();
        readOn();
        loop.context.tasks.run(most);
        readOn();
    }

    /** A loop runs its tasks before it looks at deadlines; not all that come in a long turn. */
    final void pass(long nanos) {
        tasks(10_000);
        tell("passes " + nanos / 1_000_000);
        passed += nanos;
        loop.blockFor(Duration.ofNanos(nanos));
        loop.context.clock.endTurn();
        if (random.nextInt(4) == 0) act();
        loop.context.tasks.run(random.nextInt(3));
        loop.context.scheduler.advance(loop.context.clock.now());
        tasks(10_000);
    }

    /** Some program does something, on the loop's thread or, as the loop sees it, on another. */
    final void act() {
        var ready = new ArrayList<Runnable>(later);
        ready().forEach(ready::add);
        if (ready.isEmpty()) return;
        Runnable one = ready.get(random.nextInt(ready.size()));
        later.remove(one);
        tell("acts");
        boolean elsewhere = random.nextBoolean();
        if (elsewhere) loop.context.tasks.thread = null;
        one.run();
        loop.context.tasks.thread = Thread.currentThread();
    }

    final void checkAll() {
        checkInterrupts();
        if (broken != null) throw broken;
        look();
        if (broken != null) throw broken;
    }

    @Override
    public void close() throws IOException {
        if (loop != null) loop.close();
    }
}

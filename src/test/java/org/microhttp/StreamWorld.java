package org.microhttp;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.time.Duration;
import java.util.*;

/**
 * A loop without sockets whose clients ask for streamed bodies: what they send and take, what publishers
 * signal, when and from which thread, and what time it is, follow from a seed. Each step is held to what is
 * promised to clients and publishers.
 */
final class StreamWorld implements AutoCloseable {

    /** A promise that was not kept. */
    static final class Broken extends RuntimeException {

        private static final long serialVersionUID = 1;

        Broken(String what) {
            super(what);
        }
    }

    private static final int STEPS = 120;
    private static final long SECOND = 1_000_000_000L;

    /** One request, what its client must get, and what it has. */
    final class Visit {

        final Visitor visitor;
        final int index;
        final boolean toHead, http10, closing;
        final PlannedPublisher publisher;
        int released;

        Visit(Visitor visitor, int index, Random random) {
            this.visitor = visitor;
            this.index = index;
            toHead = random.nextInt(10) == 0;
            http10 = random.nextInt(4) == 0;
            closing = random.nextInt(6) == 0;
            publisher = random.nextInt(4) == 0 ? null : new PlannedPublisher(StreamWorld.this, this, random);
        }

        String request() {
            String line = (toHead ? "HEAD /" : "GET /") + visitor.number + "/" + index + (http10
                    ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n");
            return line + "Host: x\r\nConnection: " + (closing ? "close" : "keep-alive") + "\r\n\r\n";
        }

        /** Whether all responses before it are sent. */
        boolean isFirst() {
            visitor.look();
            if (visitor.reader.isCounted() && visitor.reader.at.index + 1 == index) visitor.reader.next();
            return visitor.reader.at == this;
        }

        /** Whether the socket has taken that as the body, and nothing else waits. */
        boolean hasAll(CharSequence content) {
            if (!isFirst() || !visitor.reader.isBetween()) return false;
            return visitor.reader.content.toString().contentEquals(content);
        }

        boolean isUnframed() {
            return http10 && publisher != null && !publisher.known && !toHead;
        }
    }

    /** One client. */
    final class Visitor {

        final int number;
        final ScriptedLoop.Client client;
        final List<Visit> visits = new ArrayList<>();
        final StreamReader reader;
        private int sent;
        boolean gone, reset;

        /** When it ended its side, or its connection. */
        private long goneAt;

        Visitor(int number) throws IOException {
            this.number = number;
            client = loop.connect();
            client.channel.room = random.nextInt(3) == 0 ? Integer.MAX_VALUE : 0;
            for (int i = random.nextInt(4); i >= 0; i--) {
                visits.add(new Visit(this, visits.size(), random));
            }
            reader = new StreamReader(StreamWorld.this, this);
        }

        void look() {
            reader.take(client.channel.takeReceived());
        }

        /** Has the server read what is here, the end too, as far as it wants to. */
        void readOn() {
            for (int i = 0; i < 5 && gone && !client.isClosed(); i++) {
                if ((client.interest() & SelectionKey.OP_READ) != 0) client.turn();
            }
        }

        void send() {
            var text = new StringBuilder();
            for (int i = 1 + random.nextInt(3); i > 0 && sent < visits.size(); i--) {
                text.append(visits.get(sent).request());
                sent++;
            }
            if (!text.isEmpty() && !gone) client.turn(text.toString());
        }
    }

    final Random random;
    final ScriptedLoop loop;
    private final Options options = new Options().withResolution(Duration.ofMillis(100));
    private final List<Visitor> visitors = new ArrayList<>();

    /** What publishers do at any time. */
    final List<Runnable> later = new ArrayList<>();
    private long passed;
    private final StringBuilder story = new StringBuilder();
    private Broken broken;

    StreamWorld(long seed) throws IOException {
        random = new Random(seed * 0x9E3779B97F4A7C15L);
        Inside.withClock(options, () -> 0, () -> 0);
        options.withStreamTimeout(Duration.ofSeconds(1 + random.nextInt(20)));
        options.withSocketTimeout(Duration.ofSeconds(1 + random.nextInt(20)));
        loop = new ScriptedLoop(options, (request, callback) -> {
            String[] path = request.uri().substring(1).split("/");
            Visit visit = visitors.get(Integer.parseInt(path[0])).visits.get(Integer.parseInt(path[1]));
            PlannedPublisher publisher = visit.publisher;
            Response response = publisher == null ? Response.text(200, "small") : publisher.response();
            if (random.nextInt(4) > 0) {
                callback.accept(response);
            } else {
                later.add(() -> callback.accept(response));
            }
        });
        for (int i = random.nextInt(3); i >= 0; i--) {
            visitors.add(new Visitor(visitors.size()));
        }
    }

    /** The time. */
    long now() {
        return passed;
    }

    void check(boolean kept, String promise) {
        if (kept) return;
        // a publisher's exception would be taken for its mistake
        if (broken == null) broken = new Broken(promise + "; after: " + story);
        throw broken;
    }

    void onLoop() {
        check(loop.context.tasks.isLoopThread(), "a publisher is called by another thread");
    }

    /** Lives it to its end. */
    void live() throws IOException {
        for (int i = random.nextInt(STEPS); i > 0; i--) {
            step();
            checkAll();
        }
        end();
    }

    private Visitor anyone() {
        return visitors.get(random.nextInt(visitors.size()));
    }

    private void step() {
        Visitor visitor = anyone();
        switch (random.nextInt(12)) {
            case 0, 1 -> visitor.send();
            case 2, 3, 4 -> signal();
            case 5, 6 -> take(visitor, random.nextInt(random.nextBoolean() ? 20 : 100_000));
            case 7 -> pass(random.nextInt(10) == 0 ? 5 * SECOND : SECOND / 10);
            case 8 -> {
                if (random.nextInt(8) == 0) leave(visitor);
            }
            default -> tasks(1 + random.nextInt(6));
        }
    }

    private void tell(String what) {
        if (story.length() < 3000) story.append(what).append(", ");
    }

    private void tasks(int most) {
        tell("tasks " + most);
        loop.context.endTurn();
        for (Visitor visitor : visitors) {
            visitor.readOn();
        }
        loop.context.tasks.run(most);
    }

    private void take(Visitor visitor, int count) {
        if (visitor.gone) return;
        tell("c" + visitor.number + " takes " + count);
        visitor.client.channel.room = count;
        if (visitor.client.isWriting()) visitor.client.turn();
    }

    /** A loop runs its tasks before it looks at deadlines. */
    private void pass(long nanos) {
        tasks(10_000);
        tell("passes " + nanos / 1_000_000);
        passed += nanos;
        loop.passTime(Duration.ofNanos(nanos));
    }

    /** Some publisher signals something, on the loop's thread or, as the loop sees it, on another. */
    private void signal() {
        var ready = new ArrayList<Runnable>(later);
        for (Visitor visitor : visitors) {
            for (Visit visit : visitor.visits) {
                if (visit.publisher != null && visit.publisher.mayGoOn()) ready.add(visit.publisher::signal);
            }
        }
        if (ready.isEmpty()) return;
        Runnable one = ready.get(random.nextInt(ready.size()));
        later.remove(one);
        tell("signal");
        boolean elsewhere = random.nextBoolean();
        if (elsewhere) loop.context.tasks.thread = null;
        one.run();
        loop.context.tasks.thread = Thread.currentThread();
    }

    private void leave(Visitor visitor) {
        if (visitor.gone) return;
        visitor.gone = true;
        visitor.goneAt = now();
        visitor.reset = random.nextBoolean();
        tell("c" + visitor.number + (visitor.reset ? " resets" : " ends its side"));
        visitor.look();
        if (visitor.reset) {
            visitor.client.channel.reset();
        } else {
            visitor.client.channel.end();
        }
    }

    private void checkAll() {
        if (broken != null) throw broken;
        for (Visitor visitor : visitors) {
            visitor.look();
            Visit at = visitor.reader.at;
            boolean waits = at != null && at.publisher != null && !visitor.client.isClosed()
                    && !visitor.reader.isCounted() && !visitor.client.channel.outputEnded;
            waits &= !visitor.gone || now() - visitor.goneAt > SECOND / 5;
            boolean silent = waits && loop.context.tasks.isEmpty()
                    && at.publisher.silence() > longest(visitor) && !visitor.client.isWriting();
            check(!silent, "a publisher is silent for too long");
        }
    }

    /** How long a publisher may be silent, and the loop late. */
    private long longest(Visitor visitor) {
        long most = visitor.gone ? loop.context.socketTimeout : loop.context.streamTimeout;
        return Math.min(most, loop.context.streamTimeout) + SECOND / 5;
    }

    /** All publishers signal what they have, and all clients take it; or the server ends. */
    private void end() throws IOException {
        boolean stops = random.nextInt(4) == 0;
        for (int i = 0; i < 3000 && !stops && !isOver(); i++) {
            for (Visitor visitor : visitors) {
                visitor.send();
                take(visitor, 200_000);
            }
            signal();
            tasks(100);
            if (i > 300) pass(SECOND);
        }
        tell("end");
        check(stops || isOver(), "something is never sent");
        checkAll();
        visitors.forEach(visitor -> visitor.reader.finish(!stops && !visitor.gone));
        for (Visitor visitor : visitors) {
            visitor.client.connection.free();
        }
        tasks(Integer.MAX_VALUE);
        while (!later.isEmpty()) {
            signal();
        }
        tasks(Integer.MAX_VALUE);
        for (Visitor visitor : visitors) {
            visitor.look();
            visitor.reader.checkClosed();
            visitor.reader.checkLogged();
            visitor.visits.stream().filter(visit -> visit.publisher != null).forEach(visit -> {
                visit.publisher.checkEnd();
                check(visit.released <= 1, "is released " + visit.released + " times");
            });
        }
        if (broken != null) throw broken;
    }

    /** Whether every client has all it asked for, or no connection. */
    private boolean isOver() {
        return later.isEmpty() && visitors.stream().allMatch(visitor -> {
            StreamReader reader = visitor.reader;
            int last = visitor.visits.size() - 1;
            boolean all = reader.at == null || reader.isCounted() && reader.at.index == last;
            return all || visitor.gone || visitor.client.isClosed();
        });
    }

    @Override
    public void close() throws IOException {
        loop.close();
    }
}

package org.microhttp;

import java.io.IOException;
import java.nio.channels.SelectionKey;

/** One client of an {@link UpgradeWorld}: speaks another protocol after some requests, or at once. */
final class UpgradeVisitor extends Visitor {

    /** The last request; if it does not ask for the protocol, another follows. */
    UpgradeVisit upgrade;

    /** How much the server reads at most that is not requested, to notice the end. */
    private static final int FIRST_BYTES = 16;

    /** All that it sends: requests, and after them words of the protocol; where these begin. */
    private final String wire;
    private final int begin;
    private int sent;

    /** When it has sent something for the last time. */
    long lastSent;

    /** When the server has read something for the last time, the end too; how much that was in all. */
    long lastRead;
    private long read;
    private boolean endRead;

    /** Whether the end of its connection is judged. */
    private boolean judged;

    UpgradeVisitor(UpgradeWorld world, int number) throws IOException {
        super(world, number);
        var all = new StringBuilder();
        visits.forEach(visit -> all.append(visit.request()));
        begin = all.length();
        int count = world.random.nextInt(world.random.nextInt(4) == 0 ? 3_000 : 100);
        for (int i = 0; i < count && upgrade.asks; i++) {
            all.append((char) ('a' + (i + i / 26) % 26));
        }
        wire = all.toString();
    }

    @Override
    void addVisits() {
        for (int i = world.random.nextInt(3); i > 0; i--) {
            visits.add(new Visit(world, this, false));
        }
        upgrade = new UpgradeVisit((UpgradeWorld) world, this);
        visits.add(upgrade);
        if (!upgrade.asks) visits.add(new Visit(world, this, false));
    }

    /** Whether it says that in the protocol, from an offset on. */
    boolean says(int from, String words) {
        return wire.startsWith(words, begin + from);
    }

    /** How much it has sent in the protocol; and below, how much of that the server has read. */
    int wordsSent() {
        return Math.max(0, sent - begin);
    }

    long spoken() {
        return Math.max(0, client.channel.read - begin);
    }

    @Override
    void send() {
        if (sent == wire.length() && world.random.nextInt(4) == 0 && world.random.nextBoolean()) {
            leave();
        } else {
            send(1 + world.random.nextInt(600));
        }
    }

    void send(int most) {
        // all requests come at once, and perhaps some of what follows
        int count = Math.min(Math.max(0, begin - sent) + most, wire.length() - sent);
        if (count == 0 || gone) return;
        world.tell("c" + number + " sends " + count);
        client.channel.send(wire.substring(sent, sent + count));
        sent += count;
        lastSent = world.now();
        readOn();
    }

    @Override
    void readOn() {
        super.readOn();
        noteRead();
    }

    private void noteRead() {
        boolean noticed = client.connection.socket.endOfStream && !endRead;
        if (client.channel.read > read || noticed) lastRead = world.now();
        read = client.channel.read;
        endRead |= noticed;
    }

    @Override
    void leave() {
        super.leave();
        readOn();
    }

    @Override
    boolean isOver() {
        return reader.at == null || client.isClosed() || client.channel.outputEnded || !upgrade.asks
                && super.isOver();
    }

    /** Of its end the server knows only when it has read that. */
    @Override
    long longest() {
        boolean known = !gone || !reset && upgrade.receiver.completed;
        return known ? super.longest() : world.loop.context.limits.streamTimeout + PlannedWorld.SLACK;
    }

    @Override
    void check() {
        noteRead();
        super.check();
        if (!world.loop.context.tasks.isEmpty() || reader.at != upgrade || judged) return;
        if (upgrade.answered == 0) return;
        if (client.isClosed()) {
            judged = true;
            world.check(reset || mayEnd(upgrade), "is closed without a reason");
        } else if (client.connection.state == ConnectionState.UPGRADED) {
            checkSpeaking(upgrade.receiver);
        } else if (client.channel.outputEnded && upgrade.receiver.isSubscribed()) {
            world.check(upgrade.receiver.isOver(), "has no end, and its publisher has");
        }
    }

    /** Whether the connection may end, though it was not reset. */
    boolean mayEnd(UpgradeVisit visit) {
        PlannedPublisher publisher = visit.publisher;
        boolean ended = publisher.completed || publisher.failed || visit.hasFailed();
        boolean silent = visit.isSilent();
        boolean deaf = client.channel.room == 0 && reader.isLogged("socket_timeout");
        return ended || reader.isFailed() || world.isShort || silent || deaf;
    }

    private void checkSpeaking(PlannedReceiver receiver) {
        world.check(receiver.isSubscribed(), "is not subscribed");
        world.check(!upgrade.hasFailed() || client.isWriting(), "goes on after its subscriber has failed");
        boolean takes = receiver.demand() > 0 || receiver.isOver();
        boolean watches = takes || !client.connection.parser.hasBody();
        boolean reads = (client.interest() & SelectionKey.OP_READ) != 0;
        boolean ended = gone && !reset && !client.channel.isUnread();
        world.check(reads == (watches && !receiver.completed && !ended), "reads, or does not: " + takes);
        world.check(!watches || !reset, "a reset is not noticed");
        world.check(!takes || !client.channel.isUnread(), "something is not read");
        boolean kept = takes && client.connection.parser.hasBody();
        world.check(!kept, "something is kept that is passed on or dropped");
        if (receiver.isOver()) return;
        world.check(!ended || !takes, "the client's end is not noticed");
        if (takes) {
            world.check(receiver.content.length() == spoken(), "something is not passed on");
        }
        world.check(takes || read - upgrade.readThen <= FIRST_BYTES,
                "something is read, and nothing is requested");
    }

    @Override
    void checkEnd() {
        super.checkEnd();
        var ends = reader.logged("exchange");
        if (reader.at != null || !upgrade.asks || reader.isFailed()) return;
        var last = ends.get(ends.size() - 1);
        boolean complete = last.value("code") == null && last.value("status").equals("101")
                && last.value("bytes").equals("" + upgrade.publisher.signalled.length());
        world.check(complete, "is complete, and logged as " + last);
    }
}

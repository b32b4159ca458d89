package org.microhttp;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** One client of a {@link StreamWorld}. */
class Visitor {

    final PlannedWorld world;
    final int number;
    final ScriptedLoop.Client client;
    final List<Visit> visits = new ArrayList<>();
    final StreamReader reader;

    /** How many requests it has sent. */
    private int sent;
    boolean gone, reset;

    /** When it ended its side, or its connection. */
    long goneAt;

    /** When it last took something. */
    private long lastTook;

    Visitor(PlannedWorld world, int number) throws IOException {
        this.world = world;
        this.number = number;
        client = world.loop.connect();
        client.channel.room = world.random.nextInt(3) == 0 ? Integer.MAX_VALUE : 0;
        addVisits();
        reader = new StreamReader(world, this);
    }

    void addVisits() {
        for (int i = world.random.nextInt(4); i >= 0; i--) {
            visits.add(new Visit(world, this));
        }
    }

    final void look() {
        String received = client.channel.takeReceived();
        if (!received.isEmpty()) lastTook = world.now();
        reader.take(received);
    }

    /** Has the server read what is here, the end too, as far as it wants to. */
    void readOn() {
        for (int i = 0; i < 200 && client.turnToRead(); i++) {
            // until nothing is here, or nothing is wanted
        }
    }

    void send() {
        var text = new StringBuilder();
        for (int i = 1 + world.random.nextInt(3); i > 0 && sent < visits.size(); i--) {
            text.append(visits.get(sent).request());
            sent++;
        }
        if (!text.isEmpty() && !gone) client.turn(text.toString());
    }

    final void take(int count) {
        if (reset) return;
        world.tell("c" + number + " takes " + count);
        client.channel.room = count;
        if (client.isWriting()) client.turn();
    }

    void leave() {
        if (gone) return;
        gone = true;
        goneAt = world.now();
        reset = world.random.nextBoolean();
        world.tell("c" + number + (reset ? " resets" : " ends its side"));
        look();
        if (reset) {
            client.channel.reset();
        } else {
            client.channel.end();
        }
    }

    /** What must be so after each step. */
    void check() {
        look();
        Visit at = reader.at;
        boolean waits = at != null && at.publisher != null && !client.isClosed() && !reader.isCounted()
                && !client.channel.outputEnded && (!gone || world.now() - goneAt > PlannedWorld.SLACK);
        boolean rests = !gone || world.now() - Math.max(goneAt, lastTook) > longest();
        boolean silent = waits && world.loop.context.tasks.isEmpty() && at.silence() > longest()
                && !client.isWriting();
        long most = world.loop.context.limits.streamTimeout + PlannedWorld.SLACK;
        silent &= rests || silent && at.silence() > most;
        world.check(!silent, "a publisher is silent for too long");
    }

    /** How long a publisher may be silent, and the loop late; and below, how long at least. */
    long longest() {
        return shortest() + PlannedWorld.SLACK;
    }

    final long shortest() {
        ConnectionLimits limits = world.loop.context.limits;
        return gone ? Math.min(limits.socketTimeout, limits.streamTimeout) : limits.streamTimeout;
    }

    /** Whether it has all it asked for, or no connection. */
    boolean isOver() {
        boolean all = reader.at == null || reader.isCounted() && reader.at.index == visits.size() - 1;
        return all || gone || client.isClosed();
    }

    /** The loop ends. */
    final void end() {
        check();
        reader.finish(!world.stops() && !gone);
        if (world.stops()) client.connection.countDropped();
        client.connection.free();
    }

    /** Everything has ended. */
    void checkEnd() {
        look();
        reader.checkClosed();
        reader.checkLogged();
        visits.forEach(Visit::checkEnd);
    }
}

package org.microhttp.simulation;

import java.nio.ByteBuffer;
import java.util.*;
import java.util.concurrent.atomic.AtomicInteger;
import org.microhttp.Header;
import org.microhttp.Response;

/**
 * The answers of a world, and what their bodies are made of: each that was given to a callback must be
 * released, once, when it was sent or is not going to be.
 */
final class Lending {

    static final byte[] NOTHING = new byte[Content.MAX_LENGTH + 100];

    /** Buffers that are not in the heap, which take long to make: for all worlds of a thread. */
    private static final ThreadLocal<Queue<ByteBuffer>> SMALL = ThreadLocal.withInitial(ArrayDeque::new);
    private static final int SMALL_SIZE = 8 * 1024;

    private final World world;
    private final Queue<ByteBuffer> small = SMALL.get();

    /** What was given to a callback, and not released when the loops slept for the last time. */
    private final List<Lent> out = new ArrayList<>();

    /** Whether somebody acts who is none of the server's threads. */
    private boolean elsewhere;

    /** How often what is run at a release threw. */
    private final AtomicInteger thrown = new AtomicInteger();

    Lending(World world) {
        this.world = world;
    }

    int thrown() {
        return thrown.get();
    }

    void setElsewhere(boolean now) {
        elsewhere = now;
    }

    /** The answer that was planned. */
    Response response(Asked asked) {
        Reply reply = asked.reply;
        List<Header> fields = new ArrayList<>(3);
        fields.add(new Header("X-Id", reply.id()));
        if (reply.closing()) fields.add(new Header("Connection", "close"));
        Content content = reply.content();
        if (content.form() == Content.Form.ARRAY) {
            return new Response(reply.status(), "As Planned", fields, content.octets());
        }
        lend(asked, "As Planned", fields);
        return asked.lent.response;
    }

    /** An answer that is not the first: another one, so that it is seen if it is sent; at times the same. */
    Response another(Asked asked) {
        Content content = asked.reply.content();
        if (content.form() == Content.Form.ARRAY) {
            return new Response(asked.reply.status(), "Again", List.of(), new byte[3]);
        }
        boolean same = asked.lent != null && content.noise() % 2 == 0;
        if (!same) lend(asked, "Again", List.of());
        return asked.lent.response;
    }

    private void lend(Asked asked, String reason, List<Header> fields) {
        asked.lent = new Lent(this, asked, asked.reply.content());
        asked.lent.response = new Response(asked.reply.status(), reason, fields, asked.lent.body);
    }

    ByteBuffer direct(int length) {
        ByteBuffer known = length > SMALL_SIZE ? null : small.poll();
        return known == null ? ByteBuffer.allocateDirect(Math.max(length, SMALL_SIZE)) : known;
    }

    /** Nobody uses it any more. */
    void takeBack(ByteBuffer memory) {
        boolean again = memory.isDirect() && memory.capacity() == SMALL_SIZE;
        if (again) small.add(memory);
    }

    /** An answer is about to be given to a callback. */
    void onGiven(Asked asked) {
        if (asked.lent == null) return;
        asked.lent.onGiven();
        out.add(asked.lent);
        world.tally.count("body " + asked.lent.content.form());
    }

    /** One was released: on the loop's thread, unless that has ended. Says whether it has not. */
    boolean onRelease(Lent lent) {
        Life life = lent.asked.life;
        // where it has, this may be any thread, while the world goes on
        if (!life.selector.isOpen()) return false;
        if (elsewhere) life.broken("is released on another thread: " + lent);
        world.idleness.onProgress();
        life.tell("release of " + lent);
        return true;
    }

    void fail(Lent lent) {
        thrown.incrementAndGet();
        if (lent.content.noise() % 2 == 0) throw new IllegalStateException("as planned, at a release");
        throw new LinkageError("as planned, at a release");
    }

    /** All loops sleep: what is not released is going to be sent. */
    void checkRest() {
        out.removeIf(lent -> lent.owed() == 0);
        if (world.turns.ended) return;
        for (Lent lent : out) {
            int wanted = isWanted(lent) ? 1 : 0;
            if (lent.owed() > wanted) lent.asked.life.broken("is not released: " + lent);
        }
    }

    /** Whether it is the answer that the client is to get, and has not got whole. */
    private static boolean isWanted(Lent lent) {
        Life life = lent.asked.life;
        return !life.closed && !life.outputEnded && life.promises.finished <= lent.asked.index;
    }

    /** The server has ended, and with it all that was to be sent. */
    void checkEnd() {
        for (Lent lent : out) {
            if (lent.owed() > 0) lent.asked.life.broken("is not released at the end: " + lent);
        }
    }
}

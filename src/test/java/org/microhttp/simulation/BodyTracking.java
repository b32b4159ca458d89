package org.microhttp.simulation;

import java.nio.ByteBuffer;
import java.util.*;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.microhttp.Handler;
import org.microhttp.Header;
import org.microhttp.Response;

/**
 * The answers of a world, and what their bodies are made of: each that was given to a callback must be
 * released, once, when it was sent or is not going to be.
 */
final class BodyTracking {

    static final byte[] NOTHING = new byte[Content.MAX_LENGTH + 100];

    /** Buffers that are not in the heap, which take long to make: for all worlds of a thread. */
    private static final ThreadLocal<Queue<ByteBuffer>> SMALL = ThreadLocal.withInitial(ArrayDeque::new);
    private static final int SMALL_SIZE = 8 * 1024;

    private final World world;
    private final Queue<ByteBuffer> small = SMALL.get();

    /** What was given to a callback, and not released when the loops slept for the last time. */
    private final List<TrackedBody> out = new ArrayList<>();
    /** All that are streamed. */
    private final List<StreamedBody> streamed = new ArrayList<>();

    /** Whether somebody acts who is none of the server's threads. */
    private boolean elsewhere;

    BodyTracking(World world) {
        this.world = world;
    }

    void setElsewhere(boolean now) {
        elsewhere = now;
    }

    boolean isElsewhere() {
        return elsewhere;
    }

    /** The answer that was planned. */
    Response response(HandledRequest asked) {
        WrapperBehaviour wrapping = asked.reply.wrapping();
        List<Header> fields = wrapping.inside(asked.reply);
        if (wrapping == WrapperBehaviour.RELEASES) release(asked);
        if (wrapping == WrapperBehaviour.GIVES_ANOTHER) return instead(asked, () -> planned(asked, fields));
        Response inside = planned(asked, fields);
        return wrapping.copies() ? wrap(asked, inside) : inside;
    }

    private Response planned(HandledRequest asked, List<Header> fields) {
        HandlerPlan reply = asked.reply;
        if (reply.content().form() == Content.Form.ARRAY) {
            return new Response(reply.status(), "As Planned", fields, reply.content().bytes());
        }
        lend(asked, "As Planned", fields);
        asked.streamed = asked.lent.stream;
        return asked.lent.response;
    }

    private Response wrap(HandledRequest asked, Response inside) {
        var wrapped = new WrappedResponse(asked, inside);
        if (asked.lent != null) asked.lent.inHand = true;
        wrapped.look();
        if (asked.lent != null) asked.lent.inHand = false;
        world.tally.count("wrapped " + asked.reply.wrapping());
        if (asked.reply.content().noise() % 2 == 0) return wrapped.copy();
        return around(asked, inside, wrapped::copy);
    }

    /** What a handler responds with around one that gives this. */
    private static Response around(HandledRequest asked, Response inside, Supplier<Response> change) {
        var given = new Response[1];
        Handler inner = (request, callback) -> callback.accept(inside);
        Handler outer = inner.andThen((request, response) -> change.get());
        outer.handle(asked.request, response -> given[0] = response);
        return given[0];
    }

    /** Makes a response that is given to no callback, and another one instead, with which it is released. */
    private Response instead(HandledRequest asked, Supplier<Response> other) {
        TrackedBody kept = keep(asked);
        Response given = around(asked, kept.response, other);
        kept.inHand = false;
        asked.life.brokenIf(kept.owed() != 1, "is released before what is given instead: " + kept);
        asked.replaced = kept;
        return given;
    }

    /** Releases a response by hand that is not given to a callback. */
    private void release(HandledRequest asked) {
        TrackedBody kept = keep(asked);
        kept.response.release();
        kept.inHand = false;
        asked.life.brokenIf(kept.owed() != 0, "is kept back, and not released: " + kept);
    }

    /** The copy of a response that is to be released once though it is given to no callback. */
    private TrackedBody keep(HandledRequest asked) {
        var kept = new TrackedBody(this, asked, asked.reply.content().withoutMishap());
        kept.inHand = true;
        kept.onGiven();
        var inside = new Response(asked.reply.status(), "Kept Back", List.of(), kept.body);
        kept.response = inside.withHeader("X-Copy", "yes");
        world.tally.count("wrapped " + asked.reply.wrapping());
        return kept;
    }

    /** A response that says that the handler has failed. */
    Response failed(HandledRequest asked) {
        asked.lent = null;
        WrapperBehaviour wrapping = asked.reply.wrapping();
        var cause = world.failures.make(asked, new IllegalStateException("as planned, later"));
        boolean stage = asked.reply.content().noise() % 5 == 0;
        Response failed = Response.failed(stage ? new CompletionException(cause) : cause);
        asked.life.brokenIf(failed.failure() != cause, "another cause than the one that was given");
        if (wrapping == WrapperBehaviour.GIVES_ANOTHER) {
            return instead(asked, () -> {
                throw cause;
            });
        }
        return wrapping.copies() ? new WrappedResponse(asked, failed).copy() : failed;
    }

    /** An answer that is not the first: another one, so that it is seen if it is sent; at times the same. */
    Response another(HandledRequest asked) {
        Content content = asked.reply.content();
        if (content.noise() % 3 == 0) return failed(asked);
        if (content.form() == Content.Form.ARRAY) {
            return new Response(asked.reply.status(), "Again", List.of(), new byte[3]);
        }
        boolean same = asked.lent != null && content.noise() % 2 == 0;
        if (!same) lend(asked, "Again", List.of());
        return asked.lent.response;
    }

    private void lend(HandledRequest asked, String reason, List<Header> fields) {
        asked.lent = new TrackedBody(this, asked, asked.reply.content());
        if (asked.lent.stream != null) streamed.add(asked.lent.stream);
        boolean upgrades = asked.reply.content().form() == Content.Form.UPGRADE;
        asked.lent.response = upgrades ? asked.lent.stream.upgrade(fields).withBody(asked.lent.body)
                : new Response(asked.reply.status(), reason, fields, asked.lent.body);
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
    void onGiven(HandledRequest asked) {
        if (asked.replaced != null) out.add(asked.replaced);
        asked.replaced = null;
        if (asked.lent == null) return;
        asked.lent.onGiven();
        out.add(asked.lent);
        world.tally.count("body " + asked.lent.content.form());
    }

    /** One was released: on the loop's thread, unless that has ended. Says whether it has not. */
    boolean onRelease(TrackedBody lent) {
        SimulatedConnection life = lent.asked.life;
        // where it has, this may be any thread, while the world goes on
        if (!life.selector.isOpen()) return false;
        if (lent.inHand) return true;
        if (elsewhere) life.broken("is released on another thread: " + lent);
        world.idleness.onProgress();
        life.tell("release of " + lent);
        return true;
    }

    void fail(TrackedBody lent) {
        HandledRequest asked = lent.asked;
        boolean error = lent.content.noise() % 2 == 0;
        if (error) throw world.failures.make(asked, new LinkageError("as planned, at a release"));
        throw world.failures.make(asked, new IllegalStateException("as planned, at a release"));
    }

    /** All loops sleep: what is not released is going to be sent. */
    void checkRest() {
        out.removeIf(lent -> lent.owed() == 0);
        if (world.turns.ended) return;
        for (TrackedBody lent : out) {
            int wanted = isWanted(lent) ? 1 : 0;
            if (lent.owed() > wanted) lent.asked.life.broken("is not released: " + lent);
        }
    }

    /** Whether it is the answer that the client is to get, and has not got whole. */
    private static boolean isWanted(TrackedBody lent) {
        SimulatedConnection life = lent.asked.life;
        return !life.closed && !life.outputEnded && life.promises.finished <= lent.asked.index;
    }

    /** How many streamed bodies have failed, or were given up. */
    long failedStreams() {
        return streamed.stream().filter(StreamedBody::isOver).count();
    }

    /** The server has ended, and with it all that was to be sent. */
    void checkEnd() {
        streamed.forEach(StreamedBody::checkEnd);
        for (TrackedBody lent : out) {
            if (lent.owed() > 0) lent.asked.life.broken("is not released at the end: " + lent);
        }
    }
}

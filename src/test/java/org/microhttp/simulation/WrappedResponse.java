package org.microhttp.simulation;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.microhttp.Body;
import org.microhttp.Response;

/** A response that a handler has got from one inside it: what it can see of it, and what it makes of it. */
final class WrappedResponse {

    /** How many bytes of a body it reads. */
    private static final int PIECE = 64;

    private final HandledRequest asked;
    private final SimulatedConnection life;
    private final Response inside;

    WrappedResponse(HandledRequest asked, Response inside) {
        this.asked = asked;
        life = asked.life;
        this.inside = inside;
    }

    /** The copy to give. It shares the body, and the response inside stays as it is. */
    Response copy() {
        var fields = inside.headers();
        Response copy = asked.reply.wrapping().around(inside, asked.reply);
        boolean same = copy.body() == inside.body() && copy.status() == inside.status()
                && copy.reason().equals(inside.reason()) && copy.failure() == inside.failure();
        life.brokenIf(!same, "a copy differs in more than its fields");
        life.brokenIf(!inside.headers().equals(fields), "a response has changed when it was copied");
        return copy;
    }

    /** Reads some of the body, from somewhere on. */
    void look() {
        Body body = inside.body();
        Content content = asked.reply.content();
        if (content.form().isStreamed()) return;
        life.brokenIf(body.length() != content.length(), "a body of another length: " + body.length());
        // an interrupt would close the file
        if (Thread.currentThread().isInterrupted()) return;
        long from = content.length() - Math.min(content.length(), content.noise());
        ByteBuffer piece = ByteBuffer.allocate(PIECE);
        try {
            check(body.read(from, piece), from, piece.flip());
        } catch (IOException | Error e) {
            life.tell("a body cannot be read: " + e);
        }
    }

    private void check(int count, long from, ByteBuffer piece) {
        Content content = asked.reply.content();
        long most = Math.min(PIECE, content.length() - from);
        boolean right = count == piece.remaining() && count <= most && (count > 0 || most == 0)
                && piece.mismatch(ByteBuffer.wrap(Content.NOISE, content.at(from), count)) < 0;
        life.brokenIf(!right, "reads " + count + " other bytes of a body from " + from);
    }
}

package org.microhttp.simulation;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.microhttp.Body;
import org.microhttp.Response;

/**
 * The body of an answer, and what it is made of, which is the server's from when it is given to a callback
 * until it is released as often. It is wiped then, or closed, so that it is seen if it is still in use.
 */
final class TrackedBody {

    /** What is around the bytes of a buffer. */
    private static final int MARGIN = 10;

    final HandledRequest asked;
    final Content content;
    final Body body;

    /** Made with it; null before that. */
    Response response;

    /** Whether the handler uses it, or releases it, before it gives it to a callback. */
    boolean inHand;

    /** Whether nobody was to use it any more, once. */
    private boolean wiped;
    private final ByteBuffer memory;
    private final SimulatedFile file;
    /** Signals it, if it is streamed; else null. */
    final StreamedBody stream;
    private final BodyTracking lending;

    /** How often it was given to a callback, and released; by whatever thread. */
    private final AtomicInteger given = new AtomicInteger(), released = new AtomicInteger();

    TrackedBody(BodyTracking lending, HandledRequest asked, Content content) {
        this.lending = lending;
        this.asked = asked;
        this.content = content;
        boolean inFile = content.form() == Content.Form.FILE;
        stream = content.form().isStreamed() ? new StreamedBody(asked, content) : null;
        memory = inFile || stream != null ? null : memory();
        file = inFile ? new SimulatedFile(this) : null;
        Body whole = stream != null ? stream.body()
                : inFile ? Body.of(file, content.position(), content.length()) : Body.of(view());
        body = whole.onReleased(this::release);
    }

    private ByteBuffer memory() {
        int length = (int) content.length() + 2 * MARGIN;
        ByteBuffer buffer = content.form() == Content.Form.DIRECT ? lending.direct(length)
                : ByteBuffer.allocate(length);
        return buffer.put(MARGIN, Content.NOISE, content.noise(), (int) content.length());
    }

    private ByteBuffer view() {
        ByteBuffer view = memory.duplicate().position(MARGIN).limit(MARGIN + (int) content.length());
        return content.form() == Content.Form.READ_ONLY ? view.asReadOnlyBuffer() : view;
    }

    /** It is about to be given to a callback. */
    void onGiven() {
        given.incrementAndGet();
    }

    /** Whether nobody may use it. */
    boolean isOut() {
        return owed() == 0 && !inHand;
    }

    /** How often it is still to be released. */
    int owed() {
        return given.get() - released.get();
    }

    private void release() {
        int times = released.incrementAndGet();
        if (times > given.get()) {
            asked.life.broken("what was given " + given + " times is released " + times + " times");
            return;
        }
        boolean serving = lending.onRelease(this);
        if (serving && times == given.get()) wipe();
        if (content.mishap().is(BodyFault.Kind.RELEASE_FAILS)) lending.fail(this);
    }

    private void wipe() {
        // given again behind that, it is not used
        if (wiped) return;
        wiped = true;
        if (stream != null) return;
        if (file == null) {
            memory.put(0, BodyTracking.NOTHING, 0, (int) content.length() + 2 * MARGIN);
            lending.takeBack(memory);
            return;
        }
        try {
            file.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String toString() {
        return "the body of " + asked.reply.id() + ", " + content;
    }
}

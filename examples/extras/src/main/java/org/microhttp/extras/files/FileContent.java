package org.microhttp.extras.files;

import java.nio.ByteBuffer;
import org.microhttp.Body;
import org.microhttp.Response;
import org.microhttp.extras.representation.Outcome;
import org.microhttp.extras.representation.Outcome.Kind;
import org.microhttp.extras.representation.Resource;
import org.microhttp.extras.representation.Variant;

/**
 * The content of one variant of a file: kept in memory, or in a file, which is opened when it is first asked
 * for. For any thread.
 */
final class FileContent {

    /** What is kept besides the bytes of a variant: heads, fields, objects. */
    static final int OVERHEAD = 1_000;

    /** Above this a buffer that the heap does not have is sent with one copy less. */
    private static final int ARRAY = 16 << 10;

    private final Resource resource;
    private final Variant variant;
    private final ByteBuffer memory;

    /** All of it from memory. */
    private final Response whole;

    /** Null while it is closed, and of what is in memory. */
    private volatile OpenFile open;

    /** @param memory what is in it; null if that is to stay in its file */
    FileContent(Resource resource, Variant variant, ByteBuffer memory) {
        this.resource = resource;
        this.variant = variant;
        this.memory = memory;
        whole = memory == null ? null : response(Body.of(memory));
    }

    /** {@return a buffer for so much content} */
    static ByteBuffer buffer(int length) {
        return length > ARRAY ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
    }

    Variant variant() {
        return variant;
    }

    /** Made each time: where it was kept it would be most of what small files take. */
    Response notModified(Outcome outcome) {
        return new Response(outcome.status(), outcome.reason(), outcome.fields(resource), new byte[0]);
    }

    /** {@return the response of all of it, with such a body} */
    Response response(Body body) {
        return response(new Outcome(Kind.WHOLE, variant, 0, variant.length()), body);
    }

    private Response response(Outcome outcome, Body body) {
        return new Response(outcome.status(), outcome.reason(), outcome.fields(resource), body);
    }

    /** {@return what can be sent at once; null if a file has to be opened, or read, first} */
    Response ready(Outcome outcome, long now) {
        if (memory != null) {
            return outcome.kind() == Kind.WHOLE ? whole : response(outcome, memoryBody(outcome));
        }
        OpenFile file = open;
        boolean ready = outcome.kind() == Kind.WHOLE && file != null && file.isOpen() && file.isWarm(now)
                && file.take();
        return ready ? file.whole : null;
    }

    /** {@return what can be sent of an open file, which is taken} */
    Response ready(Outcome outcome, OpenFile file) {
        if (outcome.kind() == Kind.WHOLE) {
            return file.whole;
        }
        return response(outcome, file.body(outcome.first(), outcome.length()));
    }

    private Body memoryBody(Outcome outcome) {
        return Body.of(memory.slice((int) outcome.first(), (int) outcome.length()));
    }

    /** {@return all of it from memory; null if it is not there} */
    Body memoryBody() {
        return memory == null ? null : Body.of(memory);
    }

    /** {@return how much memory it takes; 0 for what is in a file} */
    long kept() {
        return memory == null ? 0 : memory.capacity() + OVERHEAD;
    }

    /** {@return null while it is closed} */
    OpenFile open() {
        return open;
    }

    /** Changed by {@link FileCache} alone. */
    void open(OpenFile file) {
        open = file;
    }
}

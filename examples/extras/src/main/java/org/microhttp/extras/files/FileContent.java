package org.microhttp.extras.files;

import java.nio.ByteBuffer;
import org.microhttp.Body;
import org.microhttp.Response;
import org.microhttp.extras.representation.Outcome;
import org.microhttp.extras.representation.Outcome.Kind;
import org.microhttp.extras.representation.Resource;
import org.microhttp.extras.representation.Variant;

/**
 * The content of one variant of a file, in memory or in its file, which is opened at the first request. For
 * any thread.
 */
final class FileContent {

    /** Bytes of memory besides the content of a variant: heads, fields, objects. */
    static final int OVERHEAD = 1_000;

    /** Above this length a direct buffer is used, which saves a copy when it is sent. */
    private static final int ARRAY = 16 << 10;

    private final Resource resource;
    private final Variant variant;
    private final ByteBuffer memory;

    /** The response with the whole content; null if that is not in memory. */
    private final Response whole;

    /** Null while the file is closed, and for content in memory. */
    private volatile OpenFile open;

    /** @param memory the content; null if it stays in its file */
    FileContent(Resource resource, Variant variant, ByteBuffer memory) {
        this.resource = resource;
        this.variant = variant;
        this.memory = memory;
        whole = memory == null ? null : response(Body.of(memory));
    }

    /** {@return an empty buffer for content of this length} */
    static ByteBuffer buffer(int length) {
        return length > ARRAY ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
    }

    Variant variant() {
        return variant;
    }

    /** Made each time: a kept response would be most of the memory of a small file. */
    Response notModified(Outcome outcome) {
        return new Response(outcome.status(), outcome.reason(), outcome.fields(resource), new byte[0]);
    }

    /** {@return a 200 with this body, which is the whole content} */
    Response response(Body body) {
        return response(new Outcome(Kind.WHOLE, variant, 0, variant.length()), body);
    }

    private Response response(Outcome outcome, Body body) {
        return new Response(outcome.status(), outcome.reason(), outcome.fields(resource), body);
    }

    /** {@return a response that can be sent at once; null if a file must be opened or read first} */
    Response ready(Outcome outcome, long now) {
        if (memory != null) {
            return outcome.kind() == Kind.WHOLE ? whole : response(outcome, memoryBody(outcome));
        }
        OpenFile file = open;
        boolean ready = outcome.kind() == Kind.WHOLE && file != null && file.isOpen() && file.isWarm(now)
                && file.take();
        return ready ? file.whole : null;
    }

    /** {@return the response from an open file, which the caller has {@linkplain OpenFile#take taken}} */
    Response ready(Outcome outcome, OpenFile file) {
        if (outcome.kind() == Kind.WHOLE) {
            return file.whole;
        }
        return response(outcome, file.body(outcome.first(), outcome.length()));
    }

    private Body memoryBody(Outcome outcome) {
        return Body.of(memory.slice((int) outcome.first(), (int) outcome.length()));
    }

    /** {@return the whole content from memory; null if it is in a file} */
    Body memoryBody() {
        return memory == null ? null : Body.of(memory);
    }

    /** {@return bytes of memory; 0 for content in a file} */
    long kept() {
        return memory == null ? 0 : memory.capacity() + OVERHEAD;
    }

    /** {@return null while the file is closed} */
    OpenFile open() {
        return open;
    }

    /** Only {@link FileCache} calls this. */
    void open(OpenFile file) {
        open = file;
    }
}

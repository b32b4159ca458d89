package org.microhttp;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Flow;

/**
 * What an exchange, its queue and its connection know of a body that comes while it is sent. As a body it has
 * the bytes that are here and not sent. When these are sent, the exchange waits like one without a response.
 * Only the loop's thread uses it.
 */
abstract class Outgoing extends Body {

    Outgoing(List<Release> releases) { super(0, releases); }

    /** Says whether the length of the whole body is known. */
    abstract boolean hasLength();

    /** Says whether the head of the response is sent. */
    abstract boolean hasBegun();

    /** Says whether there is something to send: bytes, the end, or the head. */
    abstract boolean isReady();

    /** Says whether nothing follows the bytes that are here. */
    abstract boolean isComplete();

    /** Removes the bytes that are here, because they and the head are sent. */
    abstract void removeSent();

    /**
     * Returns how many of the program's bytes are sent once {@code here} of the present bytes are; -1 if the
     * head is not sent. Chunk framing does not count.
     */
    abstract long sent(long here);

    /** Asks for more, because all is sent; not if the loop is stopped. */
    abstract void ask(LoopContext context);

    /**
     * Fails: what is here is sent, then the response is cut; a response of which nothing is sent is replaced.
     */
    abstract void fail();

    /** Fails, because what is here cannot be read; nothing of the response is sent yet. */
    abstract void failUnsent(Throwable cause);

    /** Ends, and releases what is here. */
    abstract void drop();

    /** Returns until when more has to come. */
    abstract long deadline(ClientSocket client);

    /** Ends if nothing has come before the deadline, which has passed. */
    abstract void giveUp(ClientSocket client);

    /** Returns the subscriber for the client's input in another protocol; null if there is none. */
    abstract Flow.Subscriber<? super List<ByteBuffer>> incoming();
}

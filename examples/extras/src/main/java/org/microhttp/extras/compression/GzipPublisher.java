package org.microhttp.extras.compression;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.microhttp.Body;

/**
 * Compresses a body anew for each subscriber. Its response holds a place: one of the permits for deflaters.
 * The first deflater frees this place when it ends; if no deflater was made, the release of the response
 * does.
 */
final class GzipPublisher implements Flow.Publisher<ByteBuffer> {

    final int level;
    final Executor threads;
    private final Semaphore places;

    /** Whether a deflater holds the place, or it is free again. */
    private final AtomicBoolean placed = new AtomicBoolean();

    /** What is compressed: a body that can be read, or else what a publisher signals. */
    private Body body;
    private Flow.Publisher<? extends ByteBuffer> source;

    GzipPublisher(int level, Executor threads, Semaphore places) {
        this.level = level;
        this.threads = threads;
        this.places = places;
    }

    GzipPublisher of(Body whole) {
        body = whole;
        return this;
    }

    GzipPublisher of(Flow.Publisher<? extends ByteBuffer> whole) {
        source = whole;
        return this;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        var stream = new GzipStream(this, Objects.requireNonNull(subscriber, "subscriber"), body);
        if (body != null) {
            subscriber.onSubscribe(stream);
        } else {
            source.subscribe(stream);
        }
    }

    /** True for the first caller, which must free the place. */
    boolean takePlace() {
        return placed.compareAndSet(false, true);
    }

    void freePlace() {
        places.release();
    }

    /** Called when the response is done; a deflater that was made frees the place itself. */
    void release() {
        if (takePlace()) {
            freePlace();
        }
    }
}

package org.microhttp.extras.compression;

import static org.junit.jupiter.api.Assertions.*;

import java.io.*;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.concurrent.*;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.microhttp.Body;
import org.microhttp.testing.TestServer;
import org.microhttp.testing.Tier;
import org.microhttp.wire.model.RandomCases;

/**
 * A compressed stream by the rules of Reactive Streams, step by step: the test runs its tasks. Whatever
 * happens, the place is free in the end.
 */
@Tier.Gate
final class GzipStreamTest {

    private final List<Runnable> tasks = new ArrayList<>();
    private Semaphore places;
    private GzipPublisher publisher;
    private boolean rejecting;

    /** What the stream has signalled. */
    private final class Subscriber implements Flow.Subscriber<ByteBuffer> {

        private final ByteArrayOutputStream received = new ByteArrayOutputStream();
        private Flow.Subscription subscription;
        private long demand;
        private int buffers;
        private boolean completed;
        private Throwable failure;

        @Override
        public void onSubscribe(Flow.Subscription given) {
            assertNull(subscription);
            subscription = given;
        }

        @Override
        public void onNext(ByteBuffer buffer) {
            assertTrue(!completed && failure == null);
            assertTrue(--demand >= 0, "more than was requested");
            assertTrue(buffer.hasRemaining());
            buffers++;
            received.writeBytes(buffer.array());
        }

        @Override
        public void onError(Throwable cause) {
            assertTrue(!completed && failure == null);
            failure = cause;
        }

        @Override
        public void onComplete() {
            assertTrue(!completed && failure == null);
            completed = true;
        }

        void request(long count) {
            demand = Math.min(demand, Long.MAX_VALUE - count) + count;
            subscription.request(count);
        }

        /** What a client can decompress of that, which may be cut. */
        byte[] decompressed() throws IOException {
            var plain = new ByteArrayOutputStream();
            try (var in = new GZIPInputStream(new ByteArrayInputStream(received.toByteArray()))) {
                in.transferTo(plain);
            } catch (EOFException e) {
                assertFalse(completed);
            }
            return plain.toByteArray();
        }
    }

    /** Signals buffers: in the request, or when the test runs the task of it. */
    private final class Source implements Flow.Publisher<ByteBuffer>, Flow.Subscription {

        private final List<ByteBuffer> buffers = new ArrayList<>();
        private final Throwable failure;
        private final boolean later;
        private Flow.Subscriber<? super ByteBuffer> subscriber;
        private long requested;
        private int cancels;
        private boolean ended;

        Source(Throwable failure, boolean later) {
            this.failure = failure;
            this.later = later;
        }

        @Override
        public void subscribe(Flow.Subscriber<? super ByteBuffer> given) {
            subscriber = given;
            subscriber.onSubscribe(this);
            signal(0);
        }

        @Override
        public void request(long count) {
            assertEquals(0, cancels);
            requested += count;
            Runnable signal = () -> signal(1);
            if (later) {
                tasks.add(signal);
            } else {
                signal.run();
            }
        }

        private void signal(int count) {
            for (int i = 0; i < count && cancels == 0; i++) {
                subscriber.onNext(buffers.remove(0));
            }
            if (buffers.isEmpty() && !ended && cancels == 0) {
                ended = true;
                if (failure == null) {
                    subscriber.onComplete();
                } else {
                    subscriber.onError(failure);
                }
            }
        }

        @Override
        public void cancel() {
            assertEquals(1, ++cancels);
        }
    }

    @BeforeEach
    void start() {
        tasks.clear();
        places = new Semaphore(1);
        assertTrue(places.tryAcquire());
        publisher = new GzipPublisher(6, task -> {
            if (rejecting) {
                throw new RejectedExecutionException("on purpose");
            }
            tasks.add(task);
        }, places);
    }

    private Subscriber subscribe() {
        var subscriber = new Subscriber();
        publisher.subscribe(subscriber);
        return subscriber;
    }

    private void runTasks() {
        while (!tasks.isEmpty()) {
            tasks.remove(0).run();
        }
    }

    private static byte[] bytes(SplittableRandom random, int length) {
        byte[] bytes = new byte[length];
        int letters = random.nextInt(1, 256);
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) random.nextInt(letters);
        }
        return bytes;
    }

    /** Bodies and publishers of all sizes, tasks in any order of both sides, and a cancel at any time. */
    @Test
    void randomRequestsAndCancelsKeepTheRules() throws Exception {
        RandomCases.forEach(1000, random -> {
            start();
            byte[] content = bytes(random, random.nextInt(1 << random.nextInt(1, 19)));
            Throwable failure = random.nextInt(8) == 0 ? new IOException("on purpose") : null;
            Source source = null;
            if (random.nextBoolean()) {
                publisher.of(Body.of(ByteBuffer.wrap(content)));
                failure = null;
            } else {
                source = new Source(failure, random.nextBoolean());
                for (int at = 0; at < content.length; ) {
                    int length = random.nextInt(1 + Math.min(content.length - at, 40_000));
                    var part = ByteBuffer.wrap(content, at, length);
                    boolean direct = random.nextInt(50) == 0;
                    source.buffers.add(direct ? ByteBuffer.allocateDirect(length).put(part).flip() : part);
                    at += length;
                }
                publisher.of(source);
            }
            Subscriber subscriber = subscribe();
            boolean cancelled = false;
            for (int cancelAt = random.nextInt(400), i = 0; !cancelled && !isOver(subscriber); i++) {
                if (i == cancelAt) {
                    subscriber.subscription.cancel();
                    cancelled = true;
                } else if (tasks.isEmpty() || random.nextInt(4) == 0) {
                    subscriber.request(random.nextInt(10) == 0 ? Long.MAX_VALUE >> 1 : random.nextInt(1, 9));
                } else {
                    tasks.remove(random.nextInt(tasks.size())).run();
                }
            }
            int buffers = subscriber.buffers;
            runTasks();
            publisher.release();
            assertEquals(1, places.availablePermits());
            assertEquals(buffers, subscriber.buffers);
            assertEquals(cancelled ? null : failure, subscriber.failure);
            assertTrue(source == null || source.ended || source.cancels == 1);
            if (subscriber.completed) {
                assertArrayEquals(content, subscriber.decompressed());
            }
        });
    }

    private static boolean isOver(Subscriber subscriber) {
        return subscriber.completed || subscriber.failure != null;
    }

    /** What a publisher signals is flushed before it is asked in vain. */
    @Test
    void nothingWaitsInTheDeflater() throws IOException {
        var source = new Source(null, true);
        for (int i = 0; i < 5; i++) {
            source.buffers.add(ByteBuffer.wrap(new byte[] {(byte) i, 1}));
        }
        publisher.of(source);
        Subscriber subscriber = subscribe();
        subscriber.request(100);
        for (int i = 0; i < 5; i++) {
            // the stream's task, which requests; then the source's
            tasks.remove(0).run();
            assertEquals(2 * i, subscriber.decompressed().length);
            assertEquals(i + 1, source.requested);
            tasks.remove(0).run();
        }
        runTasks();
        assertEquals(10, subscriber.decompressed().length);
        assertTrue(subscriber.completed);
    }

    @Test
    void nothingIsAskedBeforeTheFirstDemand() {
        var source = new Source(null, false);
        source.buffers.add(ByteBuffer.allocate(1));
        publisher.of(source);
        subscribe();
        runTasks();
        assertEquals(0, source.requested);
        assertEquals(0, places.availablePermits());
        publisher.release();
        assertEquals(1, places.availablePermits());
    }

    /** Rule 3.9, a source that breaks 1.1, and one that gives two subscriptions (2.5). */
    @Test
    void brokenRuleFailsTheStream() {
        var source = new Source(null, true);
        source.buffers.addAll(List.of(ByteBuffer.allocate(1), ByteBuffer.allocate(1)));
        publisher.of(source);
        Subscriber subscriber = subscribe();
        var second = new Source(null, false);
        second.buffers.add(ByteBuffer.allocate(1));
        source.subscriber.onSubscribe(second);
        assertEquals(1, second.cancels);
        source.signal(1);
        runTasks();
        assertInstanceOf(IllegalStateException.class, subscriber.failure);
        assertEquals(1, source.cancels);
        publisher.of(second);
        second.cancels = 0;
        Subscriber other = subscribe();
        other.subscription.request(0);
        runTasks();
        assertInstanceOf(IllegalArgumentException.class, other.failure);
        assertThrows(NullPointerException.class, () -> source.subscriber.onNext(null));
        assertThrows(NullPointerException.class, () -> publisher.subscribe(null));
    }

    /** Rules 2.7 and 3.5: the source is not asked and cancelled at once, and not asked after a cancel. */
    @Test
    void cancelWaitsForARunningRequest() throws Exception {
        var asked = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        List<String> calls = Collections.synchronizedList(new ArrayList<>());
        publisher.of(signals -> signals.onSubscribe(new Flow.Subscription() {

            @Override
            public void request(long count) {
                asked.countDown();
                TestServer.await(goOn);
                calls.add("request");
            }

            @Override
            public void cancel() {
                calls.add("cancel");
            }
        }));
        Subscriber subscriber = subscribe();
        subscriber.request(1);
        var worker = new Thread(tasks.remove(0));
        worker.start();
        TestServer.await(asked);
        var canceller = new Thread(subscriber.subscription::cancel);
        canceller.start();
        while (canceller.getState() != Thread.State.BLOCKED && canceller.isAlive()) {
            Thread.onSpinWait();
        }
        goOn.countDown();
        TestServer.join(worker);
        TestServer.join(canceller);
        runTasks();
        assertEquals(List.of("request", "cancel"), calls);
        assertEquals(1, places.availablePermits());
    }

    /** There is no memory for a thread, at the first task or at a later one. */
    @Test
    void withoutAThreadTheStreamFails() {
        for (int steps : new int[] {0, 1}) {
            start();
            publisher.of(Body.of(ByteBuffer.wrap(bytes(new SplittableRandom(1), 1 << 20))));
            Subscriber subscriber = subscribe();
            rejecting = steps == 0;
            subscriber.request(100);
            rejecting = true;
            tasks.forEach(Runnable::run);
            assertInstanceOf(RejectedExecutionException.class, subscriber.failure);
            publisher.release();
            assertEquals(1, places.availablePermits());
            rejecting = false;
        }
    }
}

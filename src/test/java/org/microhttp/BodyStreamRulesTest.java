package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The rules of Reactive Streams (reactive-streams-jvm 1.0.4, the rules of {@link Flow}) for a subscriber, §2,
 * and for how one uses its subscription, §3; each test has the number of a rule. The rules that are not here
 * bind the publisher: 3.2 to 3.17 say what {@code request} and {@code cancel} do.
 */
class BodyStreamRulesTest extends ConnectionFixture {

    private final ScriptedPublisher publisher = new ScriptedPublisher();

    @BeforeEach
    void start() throws IOException {
        start(new Options(), (request, callback) -> callback.accept(request.target().equals("/small")
                ? Response.text(200, "small") : new Response(200, List.of(), Body.of(publisher))));
    }

    /** Fails if the subscription is used in the call. */
    private void without(Runnable signal) {
        int requests = publisher.requested.size();
        int cancels = publisher.cancels;
        signal.run();
        assertEquals(requests, publisher.requested.size());
        assertEquals(cancels, publisher.cancels);
    }

    private void open() {
        client.turn(get("/"));
        loop.runTasks();
        assertEquals(1, publisher.subscribers.size());
    }

    private void assertCut(String cause) {
        loop.runTasks();
        assertFalse(client.received().contains("0\r\n\r\n"), client.received());
        assertTrue(client.isClosed() || client.channel.outputEnded);
        assertLogged(1, "publisher_error");
        assertLogged(0, "body_error");
        assertTrue(loop.log.await("publisher_error").cause().getMessage().contains(cause));
    }

    @Test
    void rule201DemandIsSignalledByRequest() {
        open();
        assertTrue(publisher.demand() > 0);
        publisher.requested.forEach(count -> assertTrue(count > 0));
    }

    /** What a signal does is done by the loop, not in the signal. */
    @Test
    void rule202NothingIsDoneInASignal() {
        open();
        without(() -> publisher.next("ab"));
        client.expect("");
    }

    @Test
    void rule203TheEndCallsNothing() {
        open();
        without(publisher::complete);
        loop.runTasks();
        assertEquals(0, publisher.cancels);
    }

    @Test
    void rule203AnErrorCallsNothing() {
        open();
        without(() -> publisher.fail("wanted"));
        loop.runTasks();
        assertEquals(0, publisher.cancels);
    }

    @Test
    void rule204TheSubscriptionIsOverAfterTheEnd() {
        open();
        publisher.next("ab");
        publisher.complete();
        without(loop::runTasks);
        without(() -> client.turn(get("/small")));
        without(client.connection::free);
    }

    @Test
    void rule205ASecondSubscriptionIsCancelled() {
        open();
        var second = new ScriptedPublisher();
        publisher.next("ab");
        publisher.subscriber().onSubscribe(second);
        loop.runTasks();
        assertEquals(1, second.cancels);
        assertEquals(List.of(), second.requested);
        assertCut("second subscription");
        assertEquals(1, publisher.cancels);
    }

    @Test
    void rule206TheSubscriptionIsCancelledWhenItIsNotNeeded() {
        open();
        client.connection.free();
        assertEquals(1, publisher.cancels);
    }

    @Test
    void rule206ASubscriptionThatComesTooLateIsCancelled() {
        publisher.answering = false;
        open();
        client.connection.free();
        publisher.subscriber().onSubscribe(publisher);
        loop.runTasks();
        assertEquals(1, publisher.cancels);
        assertEquals(List.of(), publisher.requested);
    }

    @Test
    void rule206ASubscriptionThatComesAfterTheLoopIsCancelled() throws IOException {
        publisher.answering = false;
        open();
        client.connection.free();
        loop.context.tasks.close();
        elsewhere(() -> publisher.subscriber().onSubscribe(publisher));
        assertEquals(1, publisher.cancels);
    }

    /** Also where signals come from another thread: all calls are the loop's. */
    @Test
    void rule207TheSubscriptionIsUsedByOneThread() {
        var threads = new HashSet<Thread>();
        publisher.onRequest = count -> threads.add(Thread.currentThread());
        publisher.onCancel = () -> threads.add(Thread.currentThread());
        open();
        for (int i = 0; i < 3; i++) {
            elsewhere(() -> publisher.next("ab"));
            loop.runTasks();
        }
        client.connection.free();
        assertEquals(Set.of(Thread.currentThread()), threads);
        assertTrue(publisher.requested.size() > 2);
    }

    @Test
    void rule208BuffersMayComeAfterTheCancel() {
        open();
        publisher.next("ab");
        loop.runTasks();
        String before = client.received();
        client.connection.free();
        publisher.next("late");
        loop.runTasks();
        client.expect(before);
        assertLogged(0, "publisher_error");
    }

    @Test
    void rule209TheEndMayComeWithoutARequest() {
        publisher.answering = false;
        open();
        publisher.subscriber().onSubscribe(publisher);
        publisher.complete();
        loop.runTasks();
        assertTrue(client.received().endsWith("\r\n\r\n0\r\n\r\n"), client.received());
    }

    @Test
    void rule210AnErrorMayComeWithoutARequest() {
        publisher.answering = false;
        open();
        publisher.subscriber().onSubscribe(publisher);
        publisher.fail("wanted");
        loop.runTasks();
        assertTrue(client.received().startsWith("HTTP/1.1 500 "));
    }

    /** Each signal is taken before its processing begins, and in its order, whichever threads signal. */
    @Test
    void rule211SignalsAreProcessedInTheirOrder() {
        open();
        var expected = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            String text = "" + i;
            elsewhere(() -> publisher.next(text));
            expected.append("1\r\n").append(i).append("\r\n");
        }
        elsewhere(publisher::complete);
        loop.runTasks();
        assertTrue(client.received().endsWith("\r\n\r\n" + expected + "0\r\n\r\n"));
    }

    @Test
    void rule212EachSubscriberIsSubscribedOnce() {
        for (int i = 0; i < 3; i++) {
            open();
            publisher.complete();
            loop.runTasks();
            assertEquals(1, publisher.subscribers.size());
            publisher.subscribers.clear();
        }
    }

    @Test
    void rule213SignalsReturnNormally() {
        open();
        publisher.next("ab");
        publisher.complete();
        publisher.complete();
        publisher.fail("again");
        publisher.next("after the end");
        client.connection.free();
        publisher.complete();
        publisher.fail("again");
        publisher.next("after the end");
        loop.runTasks();
    }

    @Test
    void rule213NullIsRefused() {
        for (Runnable signal : List.<Runnable>of(() -> publisher.subscriber().onSubscribe(null),
                () -> publisher.subscriber().onNext(null), () -> publisher.subscriber().onError(null))) {
            client = connect();
            open();
            assertThrows(NullPointerException.class, signal::run);
            loop.runTasks();
            assertTrue(client.received().startsWith("HTTP/1.1 500 "));
            assertEquals(1, publisher.cancels);
            publisher.cancels = 0;
            publisher.subscribers.clear();
        }
        assertLogged(3, "publisher_error");
    }

    private ScriptedLoop.Client connect() {
        try {
            return loop.connect();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A request is never made in a request. */
    @Test
    void rule301TheSubscriptionIsUsedInItsContext() {
        var inside = new AtomicBoolean();
        var rest = new AtomicInteger(100_000);
        publisher.onRequest = count -> {
            assertFalse(inside.getAndSet(true), "a request in a request");
            for (long i = 0; i < count && rest.decrementAndGet() > 0; i++) {
                publisher.next("x");
            }
            inside.set(false);
        };
        open();
        for (int i = 0; i < 100_000 && rest.get() > 0; i++) {
            client.turn();
            loop.runTasks();
        }
        assertTrue(rest.get() <= 0);
        assertLogged(0, "publisher_error");
    }

    @Test
    void rule303ASynchronousPublisherDoesNotRecurse() {
        var deepest = new AtomicInteger();
        publisher.onRequest = count -> {
            deepest.accumulateAndGet(Thread.currentThread().getStackTrace().length, Math::max);
            for (long i = 0; i < count; i++) {
                publisher.next("x".repeat(100));
            }
        };
        client.turn(get("/"));
        loop.context.tasks.run(100);
        int first = deepest.get();
        loop.context.tasks.run(10_000);
        assertEquals(first, deepest.get());
    }

    @Test
    void rule309RequestsArePositive() {
        open();
        for (int i = 0; i < 20; i++) {
            publisher.next(i % 3 == 0 ? "" : "ab");
            loop.runTasks();
        }
        publisher.requested.forEach(count -> assertTrue(count > 0));
    }

    // what a publisher must not do, and does

    @Test
    void oneBufferTooManyEndsTheStream() {
        open();
        for (int i = 0; i < 9; i++) {
            publisher.next("ab");
        }
        assertCut("more than was requested");
        assertEquals(1, publisher.cancels);
    }

    @Test
    void whatComesAfterTheEndIsLogged() {
        open();
        publisher.next("ab");
        publisher.complete();
        publisher.complete();
        loop.runTasks();
        assertTrue(client.received().endsWith("2\r\nab\r\n0\r\n\r\n"));
        assertLogged(1, "publisher_error");
        publisher.next("late");
        loop.runTasks();
        assertLogged(2, "publisher_error");
        client.turn(get("/small"));
        assertTrue(client.received().endsWith("small"));
    }

    @Test
    void aPublisherThatThrowsFails() {
        publisher.onRequest = count -> {
            throw new AssertionError("wanted");
        };
        client.turn(get("/"));
        loop.runTasks();
        assertTrue(client.received().startsWith("HTTP/1.1 500 "));
        assertEquals("wanted", loop.log.await("publisher_error").cause().getMessage());
        assertEquals(1, publisher.cancels);
    }

    @Test
    void aCancelThatThrowsIsLogged() {
        publisher.onCancel = () -> {
            throw new AssertionError("wanted");
        };
        open();
        client.connection.free();
        assertEquals("wanted", loop.log.await("publisher_error").cause().getMessage());
        assertLogged(1, "close");
    }

    @Test
    void aPublisherThatCannotBeSubscribedToFails() throws IOException {
        Flow.Publisher<ByteBuffer> failing = subscriber -> {
            throw new AssertionError("wanted");
        };
        start((request, callback) -> callback.accept(new Response(200, List.of(), Body.of(failing))));
        client.turn(get("/"));
        loop.runTasks();
        assertTrue(client.received().startsWith("HTTP/1.1 500 "));
        assertLogged(1, "publisher_error");
    }

    @Test
    void endlessEmptyBuffersLetOthersHaveTheirTurn() throws IOException {
        publisher.onRequest = count -> {
            for (long i = 0; i < count; i++) {
                publisher.next("");
            }
        };
        client.turn(get("/"));
        loop.context.tasks.run(1000);
        long before = publisher.demand();
        var other = connect();
        other.turn(get("/small"));
        assertTrue(other.received().endsWith("small"));
        loop.context.tasks.run(1000);
        assertTrue(publisher.demand() > before, "it is asked again");
        client.expect("");
    }

    /** Position and limit are what they were, of a buffer of any kind, when its bytes are sent. */
    @Test
    void buffersAreNotMoved() {
        ByteBuffer heap = ScriptedPublisher.buffer("[heap]").position(1).limit(5);
        ByteBuffer direct = ByteBuffer.allocateDirect(20_000).position(3).limit(19_000);
        ByteBuffer part = ScriptedPublisher.buffer("[read]").position(1).limit(5).slice();
        ByteBuffer readOnly = part.asReadOnlyBuffer();
        client.channel.room = 7;
        open();
        for (ByteBuffer buffer : List.of(heap, direct, readOnly)) {
            publisher.subscriber().onNext(buffer);
        }
        publisher.complete();
        loop.runTasks();
        client.drain();
        assertTrue(client.received().contains("4\r\nheap\r\n"));
        assertTrue(client.received().endsWith("4\r\nread\r\n0\r\n\r\n"));
        assertEquals(List.of(1, 5), List.of(heap.position(), heap.limit()));
        assertEquals(List.of(3, 19_000), List.of(direct.position(), direct.limit()));
        assertEquals(List.of(0, 4), List.of(readOnly.position(), readOnly.limit()));
    }

    /** There is no thread of the loop any more, and what the stream has is not the publisher's thread's. */
    @Test
    void behindTheEndOfTheLoopASubscriptionIsCancelledAndNothingElseHappens() {
        open();
        var subscriber = publisher.subscribers.get(0);
        client.connection.free();
        loop.context.tasks.close();
        var cancels = new AtomicInteger();
        elsewhere(() -> {
            subscriber.onSubscribe(new Flow.Subscription() {

                @Override
                public void request(long count) {
                    throw new IllegalStateException("requested");
                }

                @Override
                public void cancel() {
                    cancels.incrementAndGet();
                }
            });
            subscriber.onNext(ByteBuffer.allocate(1));
            subscriber.onComplete();
            // the loop would report this
            subscriber.onComplete();
        });
        assertEquals(1, cancels.get());
        assertLogged(0, "publisher_error");
        assertLogged(0, "body_error");
    }
}

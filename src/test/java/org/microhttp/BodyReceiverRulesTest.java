package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.protocol.RefusalException;
import org.microhttp.testing.ObjectGraph;

/**
 * The rules of Reactive Streams (reactive-streams-jvm 1.0.4, the rules of {@link Flow}) for the publisher of
 * a body that a program receives, §1, and for its subscription, §3; each test has the number of a rule. These
 * rules have no test: 1.10 and 3.1 bind the program, which returns a subscriber for each request and uses the
 * subscription; 3.10 and 3.11 permit signals in a call of {@code request}, of which 1.3 shows there are none;
 * 3.14 permits a publisher to end when its last subscriber cancels, and a body has only one.
 */
class BodyReceiverRulesTest extends BodyReceiverFixture {

    @Test
    void rule101NoMoreListsComeThanAreRequested() {
        receiver = new ScriptedReceiver();
        sendTen(COUNTED);
        int sum = 0;
        for (int count : List.of(1, 2, 3)) {
            receiver.subscription.request(count);
            sum += count;
            turns(20);
            assertEquals(sum, receiver.lists);
        }
        // a list that is requested has the first bytes, which were read before, and what has come since
        expectSignals("(abcdefgh");
    }

    @Test
    void rule102FewerListsMayComeThanAreRequested() {
        receiver = ScriptedReceiver.requesting(5);
        client.turn(COUNTED + "abc");
        client.turn("defghij");
        expectSignals("(abcdefghij)");
        assertEquals(2, receiver.lists);
    }

    /** Also where more is requested in each signal, by it and by another thread. */
    @Test
    void rule103SignalsAreSerial() {
        var inside = new ArrayList<Thread>();
        var wrong = new ArrayList<String>();
        Consumer<Flow.Subscription> signal = given -> {
            inside.add(Thread.currentThread());
            if (inside.size() > 1) wrong.add("a signal in a signal: " + inside);
            given.request(1);
            apart(() -> given.request(1));
            inside.clear();
        };
        receiver.onSubscribe = receiver.onNext = receiver.onEnd = signal;
        sendTen(COUNTED);
        turns(20);
        expectSignals("(abcdefghij)");
        receiver.signals.setLength(0);
        client.turn(COUNTED + "abcdefghij");
        expectSignals("(abcdefghij)");
        assertEquals(List.of(), wrong);
    }

    @Test
    void rule103ARequestElsewhereIsServedByTheLoop() {
        receiver = new ScriptedReceiver();
        client.turn(COUNTED + "abc");
        var threads = new ArrayList<Thread>();
        receiver.onNext = given -> threads.add(Thread.currentThread());
        apart(() -> receiver.subscription.request(1));
        expectSignals("(");
        loop.runTasks();
        expectSignals("(abc");
        assertEquals(List.of(Thread.currentThread()), threads);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "COMPLETE")
    void rule104AFailureIsAnError(End end) {
        begin();
        happen(end);
        expectSignals("(abc!");
        assertEquals(0, loop.later.size(), "the handler is not called");
        Class<?> type = switch (end) {
            case RESET -> IOException.class;
            case REQUESTED_ZERO -> IllegalArgumentException.class;
            default -> RefusalException.class;
        };
        assertInstanceOf(type, receiver.error);
    }

    @Test
    void rule105TheEndIsSignalledThoughNothingMoreIsRequested() {
        receiver = ScriptedReceiver.requesting(1);
        client.turn(COUNTED + "abcdefghij");
        expectSignals("(abcdefghij)");
    }

    /** The last chunk is read though no buffers are requested, only later. */
    @Test
    void rule105TheEndOfABodyInChunksIsLookedFor() {
        receiver = ScriptedReceiver.requesting(1);
        client.turn(CHUNKED + "3\r\nabc\r\n");
        expectSignals("(abc");
        client.turn("0\r\n\r\n");
        expectSignals("(abc)");
    }

    @ParameterizedTest
    @EnumSource
    void rule106TheSubscriptionIsOverAfterTheEnd(End end) {
        begin();
        happen(end);
        String signals = "" + receiver.signals;
        String received = client.received();
        receiver.subscription.request(1);
        loop.runTasks();
        receiver.subscription.cancel();
        receiver.subscription.request(0);
        loop.runTasks();
        expectSignals(signals);
        client.expect(received);
        if (end != End.COMPLETE) return;
        answer(0, "answered");
        client.turn(get("/"));
        assertTrue(client.received().contains("answered") && client.received().endsWith("kept 0"));
    }

    /** Whatever else happens. */
    @ParameterizedTest
    @EnumSource
    void rule107NothingIsSignalledAfterTheEnd(End first) {
        for (End second : End.values()) {
            client = connect();
            receiver = ScriptedReceiver.requesting(Long.MAX_VALUE);
            begin();
            happen(first);
            expectSignals("(abc" + (first == End.COMPLETE ? ")" : "!"));
            String signals = "" + receiver.signals;
            happen(second);
            client.timeOut();
            client.connection.free();
            expectSignals(signals);
        }
    }

    /** However the connection ends, and before the loop has seen the cancel. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REQUESTED_ZERO")
    void rule108ACancelledSubscriberGetsNoSignal(End end) {
        begin();
        apart(receiver.subscription::cancel);
        if (end == End.RESET) reset(client);
        happen(end);
        client.connection.free();
        expectSignals("(abc");
    }

    @Test
    void rule108ASubscriberMayCancelBeforeTheBody() {
        receiver.onSubscribe = given -> {
            given.request(1);
            given.cancel();
        };
        client.turn(COUNTED + "abcdefghij");
        loop.runTasks();
        expectSignals("(");
        assertEquals(1, handled);
    }

    @Test
    void rule109TheSubscriptionComesFirstAndOnce() {
        client.turn(COUNTED);
        expectSignals("(");
        var first = receiver.subscription;
        assertNotNull(first);
        client.turn("abcdefghij");
        expectSignals("(abcdefghij)");
        receiver = ScriptedReceiver.requesting(1);
        client.turn(CHUNKED + "x\r\n");
        expectSignals("(!");
        assertNotSame(first, receiver.subscription);
    }

    @Test
    void rule111EachBodyHasASubscriberOfItsOwn() {
        var one = receiver;
        client.turn(COUNTED + "abc");
        receiver = ScriptedReceiver.requesting(Long.MAX_VALUE);
        var other = connect();
        other.turn(COUNTED + "01234");
        client.turn("defghij");
        other.turn("56789");
        expectSignals("(0123456789)");
        assertEquals("(abcdefghij)", "" + one.signals);
    }

    @Test
    void rule302RequestsMayBeMadeInSignals() {
        receiver = ScriptedReceiver.requesting(1);
        receiver.onNext = given -> given.request(1);
        sendTen(COUNTED);
        turns(20);
        expectSignals("(abcdefghij)");
    }

    /** A megabyte in pieces of 16 bytes, all of which are there, and each is requested in the one before. */
    @Test
    void rule303RequestsInSignalsDoNotRecurse() {
        var depths = new LongSummaryStatistics();
        receiver = new ScriptedReceiver();
        receiver.onSubscribe = given -> {
            for (int i = 0; i < 10_000; i++) {
                given.request(1);
            }
            expectSignals("(");
        };
        receiver.onNext = given -> {
            long depth = StackWalker.getInstance().walk(Stream::count);
            depths.accept(depth);
            given.request(1);
        };
        int pieces = 1 << 13;
        client.turn(HEAD + "Content-Length: " + (pieces << 4) + "\r\n\r\n");
        for (int i = 0; i < pieces; i++) {
            client.channel.send("0123456789abcdef");
        }
        turns(pieces);
        assertEquals(pieces, receiver.lists);
        assertTrue(("" + receiver.signals).endsWith("f)"));
        assertTrue(depths.getMax() - depths.getMin() < 10, "frames of calls: " + depths);
    }

    /** Another thread does not wait for the loop, which is in a signal here. */
    @Test
    void rule304ARequestReturnsAtOnce() {
        receiver = ScriptedReceiver.requesting(1);
        receiver.onNext = given -> apart(() -> given.request(1));
        sendTen(COUNTED);
        turns(20);
        expectSignals("(abcdefghij)");
    }

    @Test
    void rule305ACancelReturnsAtOnce() {
        receiver.onNext = given -> apart(given::cancel);
        sendTen(COUNTED);
        turns(20);
        expectSignals("(a");
        assertEquals(1, handled);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, Long.MAX_VALUE, 0, -1})
    void rule306RequestsAfterTheCancelDoNothing(long count) {
        begin();
        receiver.subscription.cancel();
        receiver.subscription.request(count);
        loop.runTasks();
        receiver.subscription.request(count);
        client.turn("3\r\ndef\r\n");
        loop.runTasks();
        client.expect("");
        expectSignals("(abc");
        answer(0, "answered");
        client.expect(lastOk("answered"));
        assertLogged(0, "handler_error");
    }

    @Test
    void rule307ASecondCancelDoesNothing() {
        begin();
        for (int i = 0; i < 3; i++) {
            receiver.subscription.cancel();
            loop.runTasks();
            apart(receiver.subscription::cancel);
            loop.runTasks();
        }
        assertEquals(1, loop.later.size(), "the handler is called once");
        client.expect("");
        answer(0, "answered");
        receiver.subscription.cancel();
        loop.runTasks();
        client.expect(lastOk("answered"));
    }

    @Test
    void rule308RequestsAreAdded() {
        receiver = ScriptedReceiver.requesting(1);
        sendTen(COUNTED);
        receiver.subscription.request(2);
        apart(() -> receiver.subscription.request(3));
        turns(20);
        assertEquals(1 + 2 + 3, receiver.lists);
        receiver.subscription.request(4);
        turns(20);
        expectSignals("(abcdefghij)");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void rule309ARequestForNothingIsAnError(long count) {
        receiver = ScriptedReceiver.requesting(count);
        client.turn(COUNTED + "abc");
        loop.runTasks();
        expectSignals("(!");
        assertInstanceOf(IllegalArgumentException.class, receiver.error);
        assertTrue(receiver.error.getMessage().contains("" + count));
        expectRefusal(500, "handler_error");
    }

    @Test
    void rule309ARequestForNothingElsewhereIsAnError() {
        client.turn(COUNTED + "abc");
        apart(() -> receiver.subscription.request(-1));
        expectSignals("(abc");
        loop.runTasks();
        client.turn("defghij");
        expectSignals("(abc!");
        assertInstanceOf(IllegalArgumentException.class, receiver.error);
    }

    /** Though it has requested more, which has come. */
    @Test
    void rule312ACancelElsewhereEndsTheSignals() {
        sendTen(COUNTED);
        turns(3);
        expectSignals("(abcd");
        apart(receiver.subscription::cancel);
        client.turn();
        loop.runTasks();
        turns(20);
        expectSignals("(abcd");
    }

    @ParameterizedTest
    @EnumSource
    void rule313ASubscriptionThatIsOverKeepsNothing(End end) {
        begin();
        happen(end);
        loop.later.forEach(callback -> callback.accept(Response.text(200, "answered")));
        loop.runTasks();
        client.connection.free();
        assertNull(ObjectGraph.path(receiver.subscription, object -> !(object instanceof Logger),
                object -> object == receiver || object instanceof Connection));
    }

    /** Rules 3.15 and 3.16: at any time, on any thread. */
    @Test
    void rule315And316RequestAndCancelReturnNormally() {
        Runnable use = () -> {
            List.of(1L, Long.MAX_VALUE, 0L, Long.MIN_VALUE).forEach(receiver.subscription::request);
            receiver.subscription.cancel();
        };
        for (End end : End.values()) {
            client = connect();
            receiver = ScriptedReceiver.requesting(1);
            begin();
            if (end.ordinal() % 2 == 0) apart(use);
            happen(end);
            use.run();
            apart(use);
            loop.runTasks();
            client.connection.free();
            use.run();
            apart(use);
        }
        loop.context.tasks.close();
        use.run();
        apart(use);
        assertTrue(loop.context.tasks.isEmpty(), "an ended loop keeps tasks");
        assertLogged(0, "turn_error");
    }

    @Test
    void rule317RequestsMayAddUpToMoreThanANumberHolds() {
        receiver.onNext = given -> {
            given.request(Long.MAX_VALUE - 1);
            apart(() -> given.request(Long.MAX_VALUE));
        };
        sendTen(COUNTED);
        turns(20);
        expectSignals("(abcdefghij)");
        expectStatus(200);
    }
}

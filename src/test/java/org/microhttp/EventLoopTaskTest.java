package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.microhttp.tools.HoldingHandler;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.TestServer;

/**
 * A task of the loop that fails, with whatever, is logged; the loop, and the tasks behind it, go on. When it
 * is stopped it runs those that are here, and those that come of them, while its connections are open.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class EventLoopTaskTest {

    /** None of an exception's own: what is thrown may be anything. */
    private static final class Unusual extends Throwable {

        private static final long serialVersionUID = 1;

        private static <T extends Throwable> void raise() throws T {
            @SuppressWarnings("unchecked")
            T unchecked = (T) new Unusual();
            throw unchecked;
        }
    }

    @Test
    void theLoopServesOn() throws Exception {
        var error = new Error("wanted");
        var exception = new IllegalStateException("wanted");
        try (var server = new TestServer(TestServer::echoTarget)) {
            RawClient client = server.connect().get("/1").expectOk("/1");
            LoopContext loop = Inside.of(server.loop, LoopContext.class);
            loop.tasks.add(() -> {
                throw error;
            });
            loop.tasks.add(() -> {
                throw exception;
            });
            loop.tasks.add(Unusual::raise);
            client.get("/2").expectOk("/2");
            server.assertServes();
            assertSame(error, server.awaitEvent("turn_error").cause());
            assertSame(exception, server.awaitEvent("turn_error", 2).cause());
            assertSame(Unusual.class, server.awaitEvent("turn_error", 3).cause().getClass());
        }
    }

    @Test
    void whatIsBehindItIsDoneInTheSameTurn() throws Exception {
        try (var scripted = new ScriptedLoop(TestServer::echoTarget)) {
            ScriptedLoop.Client client = scripted.connect().turn(ScriptedLoop.get("/later"));
            scripted.context.tasks.add(() -> {
                throw new Error("wanted");
            });
            ScriptedLoop.elsewhere(() -> scripted.later.get(0).accept(TestServer.ok("late")));
            scripted.runTasks();
            assertEquals(ScriptedLoop.ok("late"), client.received());
            assertEquals(1, scripted.log.count("turn_error"));
        }
    }

    /** Of the first comes an answer that is behind all others when the loop is stopped. */
    @Test
    void theLoopEndsBehindAllThatAreHereAndAllThatComeOfThem() throws Exception {
        var handler = new HoldingHandler();
        try (var server = new TestServer(handler)) {
            LoopContext loop = Inside.of(server.loop, LoopContext.class);
            RawClient client = server.connect().get("/later");
            Consumer<Response> answer = handler.pending.take();
            server.connect().get("/block");
            handler.blocks.await();
            loop.tasks.add(() -> {
                addMany(loop);
                answer.accept(TestServer.ok("late"));
            });
            addMany(loop);
            server.loop.stop();
            handler.released.countDown();
            client.expectOk("late").expectEnd();
        }
    }

    /** More than three turns run. */
    private static void addMany(LoopContext loop) {
        for (int i = 0; i < 4_000; i++) {
            loop.tasks.add(() -> { });
        }
    }
}

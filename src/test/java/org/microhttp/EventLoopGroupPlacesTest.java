package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.microhttp.tools.HoldingHandler;
import org.microhttp.tools.LoopOrGroup;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.TestServer;

/**
 * What a handler has of a loop that has ended counts among the pending requests of its group for as long as
 * another loop could hand over more, and no longer.
 */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class EventLoopGroupPlacesTest {

    private static final Duration LONG = Duration.ofSeconds(40);

    private final HoldingHandler handler = new HoldingHandler();
    private final BlockingQueue<Consumer<Response>> pending = handler.pending;

    @Test
    void aPlaceOfALoopThatHasEndedStaysTaken() throws Exception {
        var options = TestServer.options().withMaxPendingRequests(1);
        try (var server = new TestServer(LoopOrGroup.Kind.HANDING_OVER, options, handler, 2)) {
            var totals = new Totals(Inside.context(server.group, 0), Inside.context(server.group, 1));
            RawClient gone = server.connect();
            RawClient begun = server.connect().send("GET /2 HTTP/1.1\r\n");
            server.log.await("read_bytes");
            gone.get("/later");
            Consumer<Response> callback = pending.take();
            gone.reset();
            server.log.await("close");
            var stopping = server.leave(LONG);
            awaitEnd(server.group, 0);
            assertEquals(503, begun.send("Host: x\r\n\r\n").response().status());
            begun.close();
            assertEquals(0, stopping.dropped());
            server.join();
            totals.assertNothingIsHeld();
            callback.accept(TestServer.ok("late"));
            totals.assertNothingIsHeld();
        }
    }

    private static void awaitEnd(EventLoopGroup group, int loop) throws Exception {
        Object ending = Inside.of(group, List.class).get(loop);
        Inside.of(ending, CountDownLatch.class).await();
    }
}

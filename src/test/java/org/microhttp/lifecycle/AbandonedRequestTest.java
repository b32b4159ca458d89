package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.microhttp.Handler;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.TestServer;

/** A handler that works for long can learn that nobody waits any more. */
class AbandonedRequestTest {

    private record Asked(Request request, Consumer<Response> callback) { }

    private final BlockingQueue<Asked> asked = new ArrayBlockingQueue<>(10);
    private final Handler handler = (request, callback) -> {
        if (request.uri().equals("/alive")) {
            callback.accept(TestServer.ok("alive"));
        } else {
            asked.add(new Asked(request, callback));
        }
    };

    @Test
    void isOneWhoseClientIsGone() throws Exception {
        try (var server = new TestServer(handler)) {
            RawClient client = server.connect().get("/");
            Request request = asked.take().request();
            server.assertServes();
            assertFalse(request.isAbandoned());
            client.reset();
            server.awaitEvent("exchange", 2);
            assertTrue(request.isAbandoned());
            server.assertServes();
        }
    }

    @Test
    void isNotOneWhoseClientHasOnlyEndedItsSide() throws Exception {
        try (var server = new TestServer(handler)) {
            RawClient client = server.connect().get("/").halfClose();
            Asked pending = asked.take();
            server.awaitEvent("read_close");
            server.assertServes();
            assertFalse(pending.request().isAbandoned());
            pending.callback().accept(TestServer.ok("in time"));
            client.expectOk("in time");
            server.awaitEvent("close");
            assertFalse(pending.request().isAbandoned());
        }
    }

    @Test
    void isOneWhoseTimeIsOver() throws Exception {
        var options = TestServer.options().withHandlerTimeout(Duration.ofMillis(50));
        try (var server = new TestServer(options, handler)) {
            RawClient client = server.connect().get("/");
            client.expectRefusal(503, "handler_timeout");
            assertTrue(asked.take().request().isAbandoned());
        }
    }

    @Test
    void isOneThatTheServerHasLeft() throws Exception {
        try (var server = new TestServer(handler)) {
            server.connect().get("/");
            Request request = asked.take().request();
            server.loop.stop();
            server.join();
            assertTrue(request.isAbandoned());
        }
    }
}

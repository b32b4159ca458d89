package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.microhttp.Options;
import org.microhttp.testing.*;

/** A handler that works for long can learn that nobody waits any more. */
class AbandonedRequestTest {

    private final HoldingHandler handler = new HoldingHandler();
    private TestServer server;

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    /** A client whose request a handler has by now. */
    private RawClient serve(Options options) throws IOException {
        server = new TestServer(options, handler);
        RawClient client = server.connect().get("/later");
        server.awaitEvent("read_request");
        server.assertServes();
        return client;
    }

    private void assertAbandoned(boolean expected) {
        assertEquals(expected, handler.requests.element().isAbandoned());
    }

    @Test
    void isOneWhoseClientIsGone() throws Exception {
        RawClient client = serve(TestServer.options());
        assertAbandoned(false);
        client.reset();
        server.awaitEvent("close", 2);
        assertAbandoned(true);
        server.assertServes();
    }

    @Test
    void isNotOneWhoseClientHasOnlyEndedItsSide() throws Exception {
        RawClient client = serve(TestServer.options()).halfClose();
        server.awaitEvent("read_close");
        server.assertServes();
        assertAbandoned(false);
        handler.pending.take().accept(TestServer.ok("in time"));
        client.expectOk("in time").expectEnd();
        server.assertServes();
        assertAbandoned(false);
    }

    @Test
    void isOneWhoseTimeIsOver() throws Exception {
        var options = TestServer.options().withHandlerTimeout(Duration.ofMillis(50));
        serve(options).expectRefusal(503, "handler_timeout");
        assertAbandoned(true);
    }

    @Test
    void isOneThatTheServerHasLeft() throws Exception {
        serve(TestServer.options());
        server.loop.stop();
        server.join();
        assertAbandoned(true);
    }
}

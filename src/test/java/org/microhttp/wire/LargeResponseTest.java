package org.microhttp.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.TestServer;

/** A response that does not fit the socket leaves in parts, whole, and without holding up others. */
class LargeResponseTest {

    private static final byte[] LARGE = new byte[8 << 20];

    static {
        var random = new SplittableRandom(8);
        for (int i = 0; i < LARGE.length; i++) {
            LARGE[i] = (byte) random.nextInt();
        }
    }

    private static void handle(Request request, java.util.function.Consumer<Response> callback) {
        byte[] body = request.uri().equals("/large") ? LARGE : "small".getBytes();
        callback.accept(new Response(200, "OK", List.of(), body));
    }

    @Test
    void servesOthersWhileASlowReaderTakesItsTime() throws Exception {
        try (var server = new TestServer(LargeResponseTest::handle)) {
            RawClient slow = server.connect(4096).get("/large");
            server.awaitEvent("write");
            for (int i = 0; i < 20; i++) {
                long began = System.nanoTime();
                server.connect().get("/small").expectOk("small");
                long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
                assertTrue(millis < 10_000, "waited " + millis + " ms");
            }
            assertEquals(20, server.log.count("write_response"), "the large one is still on its way");
            assertArrayEquals(LARGE, slow.response().body());
            slow.get("/small").expectOk("small");
        }
    }

    @Test
    void servesManyLargeResponsesOnOneConnection() throws Exception {
        try (var server = new TestServer(LargeResponseTest::handle)) {
            RawClient client = server.connect().get("/large").get("/small").get("/large").get("/large");
            assertArrayEquals(LARGE, client.response().body());
            client.expectOk("small");
            assertArrayEquals(LARGE, client.response().body());
            assertArrayEquals(LARGE, client.response().body());
        }
    }

    @Test
    void lastsUntilTheEndWhenTheClientHasEndedItsSide() throws Exception {
        try (var server = new TestServer(TestServer.options().withSendBufferSize(4096),
                LargeResponseTest::handle)) {
            RawClient client = server.connect(4096).get("/large").halfClose();
            assertArrayEquals(LARGE, client.response().body());
            client.expectEnd();
        }
    }

    @Test
    void doesNotHoldTheLoopForAFastReader() throws Exception {
        try (var server = new TestServer(LargeResponseTest::handle)) {
            RawClient client = server.connect().get("/large");
            assertArrayEquals(LARGE, client.response().body());
            long most = server.log.events().stream().filter(e -> e.name().equals("write"))
                    .mapToLong(e -> Long.parseLong(e.value("num_bytes"))).max().orElseThrow();
            assertTrue(most <= 64 * 1024, "one write of " + most + " bytes");
        }
    }
}

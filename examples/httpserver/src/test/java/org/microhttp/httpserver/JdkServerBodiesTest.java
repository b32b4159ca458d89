package org.microhttp.httpserver;

import static org.junit.jupiter.api.Assertions.*;
import static org.microhttp.httpserver.JdkServer.*;

import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.testing.*;

/** Bodies on their way from and to a handler of the JDK's API that the library serves. */
@Tier.Gate
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class JdkServerBodiesTest {

    @Test
    void aLengthOfZeroMeansChunks() throws Exception {
        try (var server = JdkServer.start(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(bytes("hello"));
            exchange.close();
        })) {
            RawClient client = server.client();
            for (int i = 0; i < 2; i++) {
                String response = client.get("/").readUntil("0\r\n\r\n");
                assertTrue(response.endsWith("\r\n\r\n5\r\nhello\r\n0\r\n\r\n"), response);
                assertTrue(response.contains("Transfer-Encoding: chunked"), response);
            }
            // HTTP/1.0 has no chunks, so the end of the connection is the end of the body (RFC 9112 §6.3)
            String old = server.client().send("GET / HTTP/1.0\r\n\r\n").readToEnd();
            assertTrue(old.endsWith("\r\n\r\nhello"), old);
        }
    }

    @Test
    void aFlushSendsTheHeadAndEachPartAtOnce() throws Exception {
        var next = new Semaphore(0);
        try (var server = JdkServer.start(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().flush();
            for (int i = 0; i < 3; i++) {
                next.acquireUninterruptibly();
                exchange.getResponseBody().write(bytes("part" + i));
                exchange.getResponseBody().flush();
            }
            exchange.close();
        })) {
            RawClient client = server.client().get("/");
            assertTrue(client.readUntil("\r\n\r\n").contains("Transfer-Encoding: chunked"));
            for (int i = 0; i < 3; i++) {
                next.release();
                client.readUntil("5\r\npart" + i + "\r\n");
            }
            client.readUntil("0\r\n\r\n");
        }
    }

    /** The handler is as slow as its client: what it has written and is not taken is bounded. */
    @Test
    void aLargeResponseHoldsItsHandlerAndNotTheLoop() throws Exception {
        var written = new AtomicLong();
        int total = 64 << 20;
        try (var server = JdkServer.start(exchange -> {
            if (exchange.getRequestURI().getPath().equals("/large")) {
                exchange.sendResponseHeaders(200, total);
                var piece = new byte[10_000_000];
                for (long left = total; left > 0; left -= piece.length) {
                    exchange.getResponseBody().write(piece, 0, (int) Math.min(left, piece.length));
                    written.addAndGet(piece.length);
                }
                exchange.close();
            } else {
                respond(exchange, "small");
            }
        })) {
            RawClient slow = server.client(4096).get("/large");
            slow.readUntil("\r\n\r\n");
            RawClient other = server.client();
            for (int i = 0; i < 100; i++) {
                assertEquals("small", other.get("/").response().text());
            }
            assertTrue(written.get() < total / 2, written.get() + " bytes were written");
            assertEquals(total, slow.read(total));
        }
    }

    @ParameterizedTest
    @CsvSource({"10", "70000", "3000000"})
    void bodiesComeBackAsTheyWereSentCountedAndInChunks(int size) throws Exception {
        var random = new Random(size);
        byte[] body = random.ints(size, 'a', 'z').collect(StringBuilder::new, StringBuilder::appendCodePoint,
                StringBuilder::append).toString().getBytes();
        try (var server = JdkServer.start(JdkServer::echo)) {
            RawClient client = server.client();
            var sender = new Thread(() -> assertDoesNotThrow(() -> {
                client.send(post(size)).send(body);
                client.send(chunked()).send(Integer.toHexString(size) + "\r\n").send(body)
                        .send("\r\n0\r\n\r\n");
            }));
            sender.start();
            assertArrayEquals(body, client.response().body());
            assertArrayEquals(body, client.response().body());
            sender.join();
        }
    }

    /** The library takes a response after the body, so up to a MiB of it waits. */
    @Test
    void aHandlerMayRespondWhileItReads() throws Exception {
        int size = 600_000;
        try (var server = JdkServer.start(exchange -> {
            exchange.sendResponseHeaders(200, size);
            exchange.getRequestBody().transferTo(exchange.getResponseBody());
            exchange.close();
        })) {
            RawClient client = server.client().send(post(size)).send("x".repeat(size));
            assertEquals("x".repeat(size), client.response().text());
            assertEquals(size, client.send(post(size)).send("x".repeat(size)).response().body().length);
        }
    }

    /** Without an executor of the program each holds a thread, which reads. */
    @Test
    void aThousandSlowClientsHoldUpNobody() throws Exception {
        int count = 1_000;
        var reading = new Semaphore(0);
        try (var server = JdkServer.start(exchange -> {
            if (exchange.getRequestMethod().equals("POST")) {
                exchange.getRequestBody().read();
                reading.release();
            }
            echo(exchange);
        })) {
            var slow = new ArrayList<RawClient>();
            for (int i = 0; i < count; i++) {
                slow.add(server.client().send(chunked()).send("5\r\nhel"));
            }
            reading.acquire(count);
            assertEquals(200, server.client().get("/").response().status());
            for (RawClient client : slow) {
                client.send("lo\r\n0\r\n\r\n");
            }
            for (RawClient client : slow) {
                assertEquals("ello", client.response().text());
            }
        }
    }

    /** A client that waits for a 100 gets it when a handler looks, as when it reads. */
    @Test
    void aBodyThatIsLookedForIsRequested() throws Exception {
        try (var server = JdkServer.start(exchange -> {
            while (exchange.getRequestBody().available() == 0) {
                Thread.onSpinWait();
            }
            echo(exchange);
        })) {
            RawClient client = server.client().send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n"
                    + "Expect: 100-continue\r\n\r\n");
            assertEquals(100, client.response().status());
            assertEquals(100_000, client.send("x".repeat(100_000)).response().body().length);
        }
    }

    @Test
    void aBodyIsNotAskedForBeforeItIsRead() throws Exception {
        try (var server = JdkServer.start(exchange -> {
            if (exchange.getRequestURI().getPath().equals("/read")) {
                echo(exchange);
            } else {
                exchange.sendResponseHeaders(403, -1);
            }
        })) {
            String fields = " HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\nExpect: 100-continue\r\n\r\n";
            RawClient refused = server.client().send("POST /" + fields);
            RawResponse response = refused.response();
            assertEquals(403, response.status());
            assertTrue(response.closes());
            // each time, also for chunks
            String chunked = fields.replace("Content-Length: 100000", "Transfer-Encoding: chunked");
            RawClient read = server.client();
            for (String waiting : new String[] {fields, chunked, fields}) {
                assertEquals(100, read.send("POST /read" + waiting).response().status());
                read.send(waiting.equals(chunked) ? "5\r\nhello\r\n0\r\n\r\n" : "x".repeat(100_000));
                assertEquals(waiting.equals(chunked) ? 5 : 100_000, read.response().body().length);
            }
        }
    }
}

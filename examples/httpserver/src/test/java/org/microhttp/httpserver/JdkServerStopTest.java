package org.microhttp.httpserver;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.microhttp.httpserver.JdkServer.chunked;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.microhttp.testing.*;

/** Ends of a server of the JDK's API: nothing of open exchanges and slow uploads is left behind. */
@Tier.Gate
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class JdkServerStopTest {

    /** More than is kept in memory before a response is streamed. */
    private static final int LARGE = 100_000;

    /** Each has a thread as long as it lasts, or waits for one. */
    @Test
    void hundredsOfSlowUploadsEndAndLeaveNothing() throws Exception {
        long descriptors = descriptors();
        try (var server = JdkServer.start(JdkServer::echo)) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                clients.add(server.client().send(chunked()).send("1\r\n"));
            }
            for (String part : List.of("a", "\r\n1\r\nb", "\r\n1\r\nc\r\n0\r\n\r\n")) {
                for (RawClient client : clients) {
                    client.send(part);
                }
            }
            for (RawClient client : clients) {
                assertEquals("abc", client.response().text());
            }
        }
        assertEquals(descriptors, descriptors());
        assertFalse(JdkServer.hasThread("HTTP-Dispatcher"));
    }

    /** How many descriptors this process has; 0 where nobody says. */
    private static long descriptors() {
        String[] names = new File("/proc/self/fd").list();
        return names == null ? 0 : names.length;
    }

    @Test
    void stopWaitsForAnOpenExchange() throws Exception {
        var entered = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        try (var server = JdkServer.start(exchange -> {
            entered.countDown();
            TestServer.await(go);
            JdkServer.respond(exchange, "hello");
        })) {
            RawClient client = server.client().get("/");
            assertTrue(entered.await(30, TimeUnit.SECONDS));
            var stopping = new Thread(() -> server.server.stop(30));
            stopping.start();
            assertTrue(stopping.isAlive());
            go.countDown();
            assertEquals("hello", client.response().text());
            stopping.join();
        }
    }

    /** The thread is the program's: it goes on, and hears that it is too late. */
    @Test
    void stopCutsOpenExchangesAfterItsDelay() throws Exception {
        var entered = new Semaphore(0);
        var go = new CountDownLatch(1);
        var failures = new AtomicInteger();
        var threads = (ThreadPoolExecutor) Executors.newCachedThreadPool();
        long descriptors = descriptors();
        try (var server = JdkServer.unstarted()) {
            server.server.setExecutor(threads);
            server.server.createContext("/", exchange -> {
                entered.release();
                try {
                    if (exchange.getRequestURI().getPath().equals("/read")) {
                        exchange.getRequestBody().readAllBytes();
                    } else if (exchange.getRequestURI().getPath().equals("/write")) {
                        exchange.sendResponseHeaders(200, 0);
                        while (true) {
                            exchange.getResponseBody().write(new byte[LARGE]);
                        }
                    } else {
                        TestServer.await(go);
                        exchange.sendResponseHeaders(200, -1);
                    }
                } catch (IOException e) {
                    failures.incrementAndGet();
                    throw e;
                }
            });
            server.server.start();
            RawClient reading = server.client().send(chunked().replace("/ ", "/read ")).send("1\r\na\r\n");
            RawClient writing = server.client(4096).get("/write");
            RawClient waiting = server.client().get("/wait");
            entered.acquire(3);
            server.server.stop(0);
            for (RawClient client : List.of(reading, writing, waiting)) {
                client.countToEnd();
            }
            go.countDown();
            threads.shutdown();
            assertTrue(threads.awaitTermination(30, TimeUnit.SECONDS), "a handler is still blocked");
            assertEquals(2, failures.get());
            assertThrows(IOException.class, () -> server.client());
        }
        assumeTrue(descriptors > 0, "no /proc");
        assertEquals(descriptors, descriptors());
    }
}

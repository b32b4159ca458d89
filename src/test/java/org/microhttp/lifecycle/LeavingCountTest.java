package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.TestServer;

/** The number that {@code stop(grace)} returns: each request that is here and not answered whole is one. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LeavingCountTest {

    private static final Duration SHORT = Duration.ofMillis(20);
    private static final String CLOSING = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

    private final CountDownLatch called = new CountDownLatch(1);

    /** Of a server that never answers, when a client has sent this on one connection. */
    private int dropped(String sent) throws Exception {
        try (var server = new TestServer((request, callback) -> called.countDown())) {
            server.connect().send(sent);
            called.await();
            return server.loop.stop(SHORT);
        }
    }

    @Test
    void countsWhatIsSentAheadOneByOne() throws Exception {
        assertEquals(10, dropped(RawClient.GET.repeat(10)));
    }

    @Test
    void countsOneThatHasBegunAsOne() throws Exception {
        assertEquals(11, dropped(RawClient.GET.repeat(10) + "GET / HT"));
    }

    @Test
    void countsOneWhoseBodyIsNotWholeAsOne() throws Exception {
        String begun = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n" + RawClient.GET;
        assertEquals(3, dropped(RawClient.GET.repeat(2) + begun));
    }

    @Test
    void countsEachConnection() throws Exception {
        try (var server = new TestServer((request, callback) -> called.countDown())) {
            server.connect().send(RawClient.GET.repeat(3));
            server.connect().send(RawClient.GET.repeat(4));
            server.connect();
            server.awaitEvent("read_request", 2);
            server.awaitEvent("accept", 3);
            assertEquals(7, server.loop.stop(SHORT));
        }
    }

    /** They are no requests to anybody (RFC 9112 §9.6). */
    @Test
    void doesNotCountWhatComesBehindTheLast() throws Exception {
        assertEquals(1, dropped(CLOSING + RawClient.GET.repeat(3)));
    }

    /** Of those that wait behind another, too. */
    @Test
    void doesNotCountWhatComesBehindALastThatWaits() throws Exception {
        assertEquals(2, dropped(RawClient.GET + CLOSING + RawClient.GET.repeat(3)));
    }
}

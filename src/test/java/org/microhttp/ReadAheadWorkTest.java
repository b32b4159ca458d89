package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.channels.SelectionKey;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.testing.TestServer;

/**
 * What waits behind a request is moved no more often than it is worth: a client that always has more to send,
 * and is answered one request at a time, costs for each as much as one that sends nothing ahead, however
 * large the read buffer is beside the largest request.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ReadAheadWorkTest {

    private static final String REQUEST = "GET /later HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final int REQUESTS = 5_000;

    /** A request and its answer, and what there is to a turn. */
    private static final long MOST_BYTES_PER_REQUEST = 8 * 1024;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @ParameterizedTest
    @CsvSource({"64, 1024", "64, 64", "64, 32", "32, 64", "1024, 64"})
    void workIsInProportionToTheInput(int readBufferKiB, int maxRequestKiB) throws Exception {
        Options options = new Options().withReadBufferSize(readBufferKiB << 10)
                .withMaxRequestSize(maxRequestKiB << 10);
        try (var scripted = new ScriptedLoop(options, TestServer::echoTarget)) {
            ScriptedLoop.Client client = scripted.connect();
            client.channel.send(REQUEST.repeat(2 * REQUESTS));
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < REQUESTS; i++) {
                while ((client.interest() & SelectionKey.OP_READ) != 0) {
                    client.turn();
                }
                assertTrue(scripted.later.size() > i, "request " + i + " was not taken");
                scripted.later.get(i).accept(TestServer.ok("x"));
                scripted.runTasks();
            }
            long each = (threads.getCurrentThreadAllocatedBytes() - before) / REQUESTS;
            assertTrue(each < MOST_BYTES_PER_REQUEST, each + " bytes for each request");
            assertEquals(REQUESTS + 1, scripted.later.size());
        }
    }
}

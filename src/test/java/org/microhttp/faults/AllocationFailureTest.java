package org.microhttp.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.faults.tools.FaultServer;
import org.microhttp.faults.tools.ServerCounts;
import org.microhttp.testing.RawClient;
import org.microhttp.testing.ServerProcess;

/** A request may be so large, but there is no memory for it: its connection is lost, and nothing else. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class AllocationFailureTest {

    private static final String POST = "POST / HTTP/1.1\r\nHost: x\r\n";
    private static final int MEGABYTE = 1 << 20;

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 41943040\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n2800000\r\n"})
    void leavesNothingCharged(String framing) throws Exception {
        ServerProcess.assumePossible();
        try (var server = new ServerProcess("true", FaultServer.MAIN, "-Xmx32m", "-XX:+UseSerialGC",
                "-Dlog=true", "-DmaxRequestSize=" + 64 * MEGABYTE,
                "-DmaxBufferedBytes=" + 64 * MEGABYTE)) {
            try (var client = new RawClient(server.port)) {
                send(client, POST + framing);
                assertEquals("OutOfMemoryError", server.ask("await connection_error"));
            }
            assertEquals("none", server.ask("await close"));
            assertEquals(0, ServerCounts.of(server).buffered());
            try (var client = new RawClient(server.port)) {
                client.send(POST + "Content-Length: 5\r\n\r\nhello").expectOk("hello");
            }
        }
    }

    /** As much as the server takes, which is not all. */
    private static void send(RawClient client, String head) {
        try {
            client.send(head);
            for (int i = 0; i < 40; i++) {
                client.send(new byte[MEGABYTE]);
            }
        } catch (IOException e) {
            // it has ended the connection
        }
    }
}

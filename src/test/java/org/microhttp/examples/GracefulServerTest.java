package org.microhttp.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.microhttp.tools.ExampleProcess;
import org.microhttp.tools.RawClient;

/** Ends the example {@code GracefulServer} by SIGTERM while it answers. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class GracefulServerTest {

    private static final String TEXT = "hello world\n";
    private ExampleProcess server;

    private RawClient serve(String... flags) throws IOException {
        server = ExampleProcess.start("GracefulServer", flags).listening();
        assumeTrue(server.process.supportsNormalTermination(), "no SIGTERM");
        return new RawClient(server.port);
    }

    @AfterEach
    void endProcess() throws InterruptedException {
        if (server != null) {
            server.process.destroyForcibly().waitFor();
        }
    }

    @Test
    void answersWhatIsInFlightBeforeItEnds() throws Exception {
        try (var slow = serve("--host", "127.0.0.1", "--port", "0"); var other = new RawClient(server.port)) {
            slow.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n" + RawClient.GET);
            // the loop takes one connection after the other, so the slow one's requests are here by then
            assertEquals(TEXT, other.get("/").response().text());
            server.terminate();
            assertEquals(TEXT, slow.response().text());
            assertEquals("close", slow.response().header("Connection"));
            assertEquals("stopped, 0 requests dropped", server.output());
            // 128 and the number of SIGTERM
            assertEquals(143, server.process.waitFor());
            assertEquals("", server.errors());
        }
    }

    @Test
    void saysWhatItsTimeDidNotSufficeFor() throws Exception {
        try (var slow = serve("--host", "127.0.0.1", "--port", "0", "--grace", "0");
                var other = new RawClient(server.port)) {
            slow.get("/slow");
            assertEquals(TEXT, other.get("/").response().text());
            server.terminate();
            assertEquals("stopped, 1 requests dropped", server.output());
            assertEquals("", slow.readToEnd());
        }
    }
}

package org.microhttp.services;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.testing.*;

/** Ends the example {@code GracefulServer} by SIGTERM while it answers. */
@Tier.Program
final class GracefulServerTest {

    private static final String TEXT = "hello world\n";
    private ServerProcess server;

    @TempDir
    private Path folder;

    /** Starts it, by class or source, with one loop: that takes one connection after the other. */
    private RawClient serve(String program) throws IOException {
        server = ServerProcess.start("-XX:ActiveProcessorCount=1", program, "0").listening();
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
    void pendingRequestsAreAnsweredBeforeTheEnd() throws Exception {
        try (var slow = serve("GracefulServer"); var other = new RawClient(server.port)) {
            slow.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n" + RawClient.GET);
            // the slow one's requests are here by then
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
    void runsALoopForEachProcessor() throws Exception {
        server = ServerProcess.start("-XX:ActiveProcessorCount=3", "GracefulServer", "0").listening();
        server.awaitLoops("microhttp-1", "microhttp-2");
    }

    @Test
    void droppedRequestsAreCounted() throws Exception {
        String source =
                Readme.read(Readme.ROOT.resolve("examples/services/src/main/java/GracefulServer.java"));
        String hasty = source.replace("GracefulServer", "HastyServer").replace("ofSeconds(20)", "ZERO");
        Path file = Files.writeString(folder.resolve("HastyServer.java"), hasty);
        try (var slow = serve(file.toString()); var other = new RawClient(server.port)) {
            slow.get("/slow");
            assertEquals(TEXT, other.get("/").response().text());
            server.terminate();
            assertEquals("stopped, 1 requests dropped", server.output());
            assertEquals("", slow.readToEnd());
        }
    }
}

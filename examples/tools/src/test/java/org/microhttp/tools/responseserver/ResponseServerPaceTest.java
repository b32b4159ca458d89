package org.microhttp.tools.responseserver;

import static org.junit.jupiter.api.Assertions.*;

import java.net.SocketException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.microhttp.testing.*;
import org.microhttp.tools.testing.ToolProcesses;

/** Bodies of {@code ResponseServer} that come late, slowly, not to their end, or never. */
@Tier.Program
final class ResponseServerPaceTest {

    private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n";

    @RegisterExtension
    final ToolProcesses servers = new ToolProcesses();

    private static long millisSince(long begin) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    }

    @Test
    void theBodyComesLaterThanItsHead() throws Exception {
        servers.serve("--body", "abcdef", "--body-delay", "500ms");
        try (var client = servers.connect()) {
            long begin = System.nanoTime();
            assertEquals(HEAD, RawResponse.undated(client.get("/").readUntil("\r\n\r\n")));
            assertEquals("abcdef", client.readUntil("f"));
            assertTrue(millisSince(begin) >= 500, "too early");
            client.get("/").expectOk("abcdef");
            client.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals("6", client.response(true).header("Content-Length"));
        }
    }

    @Test
    void theBodyComesInPieces() throws Exception {
        servers.serve("--body", "abcdef", "--drip", "2/200ms", "--route", "GET /other=404:xyz");
        try (var client = servers.connect()) {
            long begin = System.nanoTime();
            client.get("/").expectOk("abcdef");
            // the first piece does not wait
            assertTrue(millisSince(begin) >= 400, "too early");
            client.get("/other");
            assertEquals("xyz", client.response().text());
        }
    }

    @Test
    void theBodyIsCut() throws Exception {
        servers.serve("--body", "abcdef", "--cut-after", "3", "--route", "GET /short=200:abc");
        for (int i = 0; i < 3; i++) {
            try (var client = servers.connect()) {
                assertEquals(HEAD + "abc", RawResponse.undated(client.get("/").readToEnd()));
            }
        }
        try (var client = servers.connect()) {
            client.get("/short").expectOk("abc").get("/short").expectOk("abc");
        }
    }

    @Test
    void theConnectionIsReset() throws Exception {
        servers.serve("--body", "abcdef", "--reset-after", "3", "--drip", "3/2s");
        try (var client = servers.connect()) {
            assertEquals(HEAD + "abc", RawResponse.undated(client.get("/").readUntil("abc")));
            assertThrows(SocketException.class, client::readToEnd);
        }
    }

    @Test
    void aConnectionWithLessIsNotReset() throws Exception {
        servers.serve("--body", "abcdef", "--reset-after", "1000");
        try (var client = servers.connect()) {
            client.get("/").expectOk("abcdef").get("/").expectOk("abcdef");
            assertEquals("", client.halfClose().readToEnd());
        }
    }

    @Test
    void theConnectionIsResetAfterAHead() throws Exception {
        servers.serve("--body", "abcdef", "--reset-after", "0", "--body-delay", "2s");
        try (var client = servers.connect()) {
            assertEquals(HEAD, RawResponse.undated(client.get("/").readUntil("\r\n\r\n")));
            assertThrows(SocketException.class, client::readToEnd);
        }
    }

    @Test
    void bodyIsCutBeforeItsFirstByte() throws Exception {
        servers.serve("--body", "abcdef", "--cut-after", "0", "--body-delay", "10ms");
        try (var client = servers.connect()) {
            assertEquals(HEAD, RawResponse.undated(client.get("/").readToEnd()));
        }
    }

    @Test
    void nothingIsAnswered() throws Exception {
        servers.serve("--never");
        try (RawClient client = servers.connect()) {
            assertEquals("", client.get("/").readWithin(500));
            assertEquals("", client.get("/").readWithin(100));
        }
    }
}

package edge;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.Options;
import org.microhttp.testing.*;
import org.microhttp.tools.testing.*;

/** The example {@code EdgeServer} as a balancer sees it. */
@Tier.Program
final class EdgeServerTest {

    private static final String PAGE = Readme.read(Readme.ROOT.resolve("examples/services/edge/README.md"));
    private static final String CLOSING = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

    @RegisterExtension
    final ToolProcesses servers = new ToolProcesses("edge.EdgeServer");

    @TempDir
    private Path folder;

    private static String server(String name, ServerProcess process) {
        return "server: " + name + ", process " + process.process.pid() + "\n";
    }

    @Test
    void answerNamesTheServerAndTheClient() throws Exception {
        ServerProcess process = servers.serve("--name", "a-1");
        try (var client = servers.connect()) {
            String text = client.send("GET / HTTP/1.1\r\nHost: x\r\nX-forwarded-for: 192.0.2.1, ::1\r\n"
                    + "Forwarded: for=\"[::1]\"\r\n\r\n").response().text();
            String[] lines = text.split("(?<=\n)");
            assertEquals(server("a-1", process), lines[0]);
            assertTrue(lines[1].matches("client: 127\\.0\\.0\\.1:[0-9]+\n"), text);
            assertEquals("X-forwarded-for: 192.0.2.1, ::1\nForwarded: for=\"[::1]\"\n", lines[2] + lines[3]);
            assertEquals(404, client.get("/other").response().status());
        }
    }

    @Test
    void worksOnAnotherThreadForAsLongAsItIsAsked() throws Exception {
        ServerProcess process = servers.serve();
        try (var client = servers.connect()) {
            assertEquals(server("edge", process) + "worked: 20 ms\n",
                    client.get("/work?millis=20").response().text());
        }
    }

    @Test
    void streamsForAsLongAsItIsAsked() throws Exception {
        ServerProcess process = servers.serve();
        try (var client = servers.connect()) {
            String chunks = client.get("/stream?millis=200").readUntil("\r\n0\r\n\r\n");
            String lines = chunks.replaceFirst("(?s).*?\r\n\r\n", "").replaceAll("[0-9a-f]+\r\n|\r\n", "");
            assertEquals(server("edge", process) + "left: 100 ms\nleft: 0 ms\n", lines);
        }
    }

    /** A stream that is open when the server is told to end goes on to its own end. */
    @Test
    void endsItsStreamsBeforeItself() throws Exception {
        ServerProcess process = servers.serve("--grace", "30s");
        assumeTrue(process.process.supportsNormalTermination(), "no SIGTERM");
        try (var client = servers.connect()) {
            client.get("/stream?millis=1000");
            String begin = client.readUntil("left: 900 ms\n");
            process.terminate();
            assertTrue(begin.contains("200 OK"), begin);
            assertTrue(client.readToEnd().endsWith("left: 0 ms\n\r\n0\r\n\r\n"));
        }
        assertEquals("stopped, requests dropped: 0", process.output());
    }

    @Test
    void wrongTimeGets400() throws Exception {
        servers.serve();
        try (var client = servers.connect()) {
            for (String row : List.of(
                    "/work              | millis is not given; allowed: 0 to 60000",
                    "/work?millis=      | millis is \"\"; allowed: 0 to 60000",
                    "/work?millis=-1    | millis is \"-1\"; allowed: 0 to 60000",
                    "/work?millis=60001 | millis is \"60001\"; allowed: 0 to 60000",
                    "/stream            | millis is not given; allowed: 0 to 60000",
                    "/work?millis=%     | millis is \"%\"; allowed: 0 to 60000")) {
                String[] parts = row.split(" +[|] ");
                RawResponse refused = client.get(parts[0]).response();
                assertEquals(400, refused.status());
                assertEquals(parts[1] + "\n", refused.text());
            }
        }
    }

    @Test
    void countsForPrometheus() throws Exception {
        servers.serve();
        try (var bad = servers.connect(); var client = servers.connect()) {
            bad.send("GET / HTTP/1.1\n").readToEnd();
            String text = client.get("/metrics").response().text();
            assertTrue(text.contains("\nmicrohttp_refusals_total{code=\"bare_lf\"} 1\n"), text);
        }
    }

    /** Told to end it says that it is not ready, serves on, then answers what it has, and ends with 0. */
    @Test
    void leavesInThreeSteps() throws Exception {
        ServerProcess process = servers.serve("--drain", "500ms", "--grace", "30s", "--threads", "1");
        assumeTrue(process.process.supportsNormalTermination(), "no SIGTERM");
        try (var slow = servers.connect(); var balancer = servers.connect()) {
            slow.get("/work?millis=2000");
            assertEquals("ready\n", balancer.get("/ready").response().text());
            process.terminate();
            RawResponse health = balancer.get("/ready").response();
            while (health.status() == 200) {
                health = balancer.get("/ready").response();
            }
            assertEquals(503, health.status());
            try (var late = servers.connect()) {
                assertEquals(200, late.get("/").response().status());
            }
            assertTrue(slow.response().text().endsWith("worked: 2000 ms\n"));
        }
        assertEquals("stopped, requests dropped: 0", process.output());
        assertEquals(0, process.process.waitFor());
        assertEquals("", process.errors());
    }

    @Test
    void itsLastLineIsJsonToo() throws Exception {
        ServerProcess process = servers.start("-a", "127.0.0.1", "-p", "0", "--log-format", "json");
        assumeTrue(process.process.supportsNormalTermination(), "no SIGTERM");
        String first = process.nextLine();
        assertTrue(first.contains("\"event\":\"listening\""), first);
        process.terminate();
        String last = process.output();
        assertTrue(last.endsWith(",\"event\":\"stopped\",\"dropped\":0}"), last);
        assertTrue(last.startsWith("{\"time\":"), last);
    }

    @Test
    void droppedRequestsMakeTheExitCode1() throws Exception {
        ServerProcess process = servers.serve("--grace", "0s", "--threads", "1");
        assumeTrue(process.process.supportsNormalTermination(), "no SIGTERM");
        try (var slow = servers.connect(); var other = servers.connect()) {
            slow.get("/work?millis=60000");
            other.get("/").response();
            process.terminate();
            assertEquals("stopped, requests dropped: 1", process.output());
            assertEquals(1, process.process.waitFor());
        }
    }

    @Test
    void takesTheClientFromTheProxyProtocol() throws Exception {
        servers.serve("--proxy-protocol");
        try (var client = servers.connect(); var stranger = servers.connect()) {
            client.send("PROXY TCP4 192.0.2.1 127.0.0.1 5000 443\r\n" + RawClient.GET);
            assertTrue(client.response().text().endsWith("\nclient: 192.0.2.1:5000\n"));
            client.get("/");
            assertTrue(client.response().text().endsWith("\nclient: 192.0.2.1:5000\n"));
            assertEquals("", stranger.send(RawClient.GET).readUntilItFails());
        }
    }

    @Test
    void closesAConnectionAfterItsLastRequest() throws Exception {
        servers.serve("--max-requests", "2");
        try (var client = servers.connect()) {
            assertEquals(null, client.get("/").response().header("Connection"));
            assertEquals("close", client.get("/").response().header("Connection"));
            client.expectEnd();
        }
    }

    @Test
    void listensAtAUnixSocket() throws Exception {
        Path socket = folder.resolve("edge.sock");
        ServerProcess process = servers.start("--unix-socket", socket.toString());
        assertEquals("listening on " + socket, process.nextLine());
        try (var client = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            client.write(ByteBuffer.wrap(CLOSING.getBytes(US_ASCII)));
            String answer = new String(Channels.newInputStream(client).readAllBytes(), US_ASCII);
            assertTrue(answer.endsWith(server("edge", process) + "client: without address\n"), answer);
        }
        process.terminate();
        process.output();
        assertFalse(Files.exists(socket));
    }

    @Test
    void answersAsThePageShows() throws Exception {
        servers.serve("--name", "a", "--drain", "2s", "--max-requests", "10000");
        String shown = Readme.blocks(PAGE, "console").get(0);
        try (var client = servers.connect()) {
            client.send("GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n");
            String known = client.response().text().replaceAll("(?m):[0-9]+$", ":50000");
            String worked = client.get("/work?millis=250").response().text();
            for (String text : List.of(known, worked)) {
                assertTrue(shown.contains("\n" + text.replaceFirst("process [0-9]+", "process 4711")), text);
            }
        }
    }

    /** Who sends is to close first. */
    @Test
    void nginxClosesIdleConnectionsBeforeTheServerDoes() {
        long seconds = new Options().socketTimeout().toSeconds();
        String nginx = Readme.read(Readme.ROOT.resolve("examples/services/edge/nginx.conf"));
        Matcher kept = Pattern.compile("\n        keepalive_timeout ([0-9]+)ms;").matcher(nginx);
        assertTrue(kept.find());
        // a server that leaves closes what is idle for a second
        assertTrue(Long.parseLong(kept.group(1)) < Math.min(seconds, 1) * 1000);
    }
}

package org.microhttp.services;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.io.InputStream;
import java.net.*;
import java.util.List;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.*;

/** What RelayServer passes on, and what becomes of its connections to the other server: this test. */
@Tier.Program
final class RelayServerTest {

    private static final int LIMIT_MILLIS = 20_000;

    private static ServerSocket origin;
    private static ServerProcess relay;

    @BeforeAll
    static void start() throws IOException {
        origin = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        origin.setSoTimeout(LIMIT_MILLIS);
        relay = ServerProcess.start("RelayServer", "0", "http://localhost:" + origin.getLocalPort());
        relay.listening();
    }

    @AfterAll
    static void end() throws Exception {
        origin.close();
        if (relay != null) {
            relay.process.destroyForcibly().waitFor();
        }
    }

    private static Socket accept() throws IOException {
        Socket upstream = origin.accept();
        upstream.setSoTimeout(LIMIT_MILLIS);
        return upstream;
    }

    /** The lines of a head, without the empty one. */
    private static List<String> head(Socket upstream) throws IOException {
        InputStream in = upstream.getInputStream();
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            assertTrue(next >= 0, "the end after " + head);
            head.append((char) next);
        }
        return head.toString().lines().filter(line -> !line.isEmpty()).toList();
    }

    /** Each would be kept open for ever, for its body has more than the relay reads. */
    @ParameterizedTest
    @ValueSource(strings = {"600 X\r\nContent-Length: 1000000", "999 X\r\nTransfer-Encoding: chunked",
        "200 OK\r\nContent-Length: x", "200 OK\r\nContent-Length: -5", "200 OK\r\nContent-Length: +5",
        "200 OK\r\nContent-Length: 9999999999999999999", "200 OK\r\nContent-Length: 999999999999999999999",
        "200 OK\r\nContent-Length: 5\r\nContent-Length: 6", "200 OK\r\nContent-Length: 5, 5",
        "200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked", "200 OK\r\nContent-Length:",
        "200 OK\r\nTransfer-Encoding: gzip, chunked\r\nContent-Length: 1000000", "101 X\r\nUpgrade: x",
        "200 OK\r\nConnection: a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a\r\nContent-Length: 1000000"})
    void anAnswerThatCannotBePassedOnEndsItsConnection(String head) throws Exception {
        try (var client = new RawClient(relay.port)) {
            client.get("/");
            try (Socket upstream = accept()) {
                head(upstream);
                upstream.getOutputStream().write(("HTTP/1.1 " + head + "\r\n\r\nabc").getBytes(ISO_8859_1));
                assertEquals(502, client.response().status());
                assertEnds(upstream);
            }
        }
    }

    private static void assertEnds(Socket upstream) throws IOException {
        try {
            assertEquals(-1, upstream.getInputStream().read());
        } catch (SocketException e) {
            // a reset
        }
    }

    /** Both ways to leave: before the head came, and within the body. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aClientThatLeavesEndsTheConnection(boolean answered) throws Exception {
        try (var client = new RawClient(relay.port)) {
            client.get("/");
            try (Socket upstream = accept()) {
                head(upstream);
                if (answered) {
                    String begin = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab";
                    upstream.getOutputStream().write(begin.getBytes());
                    client.readUntil("ab");
                }
                client.reset();
                assertEnds(upstream);
            }
        }
    }

    /** The JDK's client sends a GET again if a kept connection ends; but its body has gone by. */
    @Test
    void aBodyThatWouldBeSentTwiceIsNotWaitedFor() throws Exception {
        try (var client = new RawClient(relay.port)) {
            client.get("/");
            try (Socket upstream = accept()) {
                head(upstream);
                upstream.getOutputStream().write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na".getBytes());
                assertEquals("a", client.response().text());
                client.send("GET /second HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc");
                head(upstream);
                upstream.getInputStream().readNBytes(3);
            }
            try (Socket again = accept()) {
                head(again);
                assertEquals(502, client.response().status());
                assertEnds(again);
            }
        }
    }

    @Test
    void relayForwardsTheClientsAddress() throws Exception {
        try (var client = new RawClient(relay.port)) {
            client.send("""
                    GET /a?b HTTP/1.1
                    Host: x
                    X-Forwarded-For: 6.6.6.6
                    x_forwarded_for: 6.6.6.6
                    X-Real-IP: 6.6.6.6
                    Forwarded: for=6.6.6.6
                    X-Forwarded-Proto: https
                    Via: 1.0 before
                    Connection: x-own , X-Second
                    X-Own: 1
                    X-SECOND: 2
                    X-Other: 3

                    """.replace("\n", "\r\n"));
            try (Socket upstream = accept()) {
                List<String> head = head(upstream);
                assertEquals("GET /a?b HTTP/1.1", head.get(0));
                assertTrue(head.contains("Via: 1.0 before, 1.1 relay"), "" + head);
                assertTrue(head.contains("X-Forwarded-For: 127.0.0.1"), "" + head);
                assertTrue(head.contains("X-Other: 3"), "" + head);
                assertTrue(head.stream().noneMatch(line -> line.contains("6.6.6.6")
                        || line.matches("(?i)(x-forwarded-proto|x-own|x-second):.*")), "" + head);
                upstream.getOutputStream().write(("HTTP/1.1 200 OK\r\nVia: 1.0 behind\r\n"
                        + "Content-Length: 1\r\nConnection: close, X-Own\r\nX-Own: 1\r\n\r\na").getBytes());
                RawResponse response = client.response();
                assertEquals("1.0 behind, 1.1 relay", response.header("Via"));
                assertNull(response.header("X-Own"));
                assertEquals("a", response.text());
            }
        }
    }

    /** The other server's head takes time in proportion to its length. */
    @Test
    void spacesInConnectionTakeNoTime() throws Exception {
        try (var client = new RawClient(relay.port)) {
            client.get("/");
            try (Socket upstream = accept()) {
                head(upstream);
                upstream.getOutputStream().write(("HTTP/1.1 200 OK\r\nConnection: close" + " ".repeat(300_000)
                        + "x\r\nContent-Length: 1\r\n\r\na").getBytes());
                assertEquals("a", client.response().text());
            }
        }
    }

    /** The path that an access check before the relay sees is the one that the other server sees. */
    @ParameterizedTest
    @ValueSource(strings = {"/admin#x", "/#", "/a?b#c", "/a[0]", "http://x/admin", "/%zz", "/a|b"})
    void noTargetIsPassedOnAsAnother(String target) throws Exception {
        try (var client = new RawClient(relay.port)) {
            assertEquals(400, client.get(target).response().status());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "//a", "/a/../b", "/a//b/./c", "/%70rivate", "/a%2Fb;c?d=/..", "/?a?b"})
    void aTargetIsPassedOnAsItIs(String target) throws Exception {
        try (var client = new RawClient(relay.port)) {
            client.get(target);
            try (Socket upstream = accept()) {
                assertEquals("GET " + target + " HTTP/1.1", head(upstream).get(0));
                // without an answer the JDK's client would ask again, in the next test
                String answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
                upstream.getOutputStream().write(answer.getBytes());
                assertEquals(200, client.response().status());
            }
        }
    }
}

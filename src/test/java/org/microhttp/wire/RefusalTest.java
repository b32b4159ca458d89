package org.microhttp.wire;

import static org.junit.jupiter.api.Assertions.*;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.*;

/** R1, R23, and the framing rules R5 to R11 as a client sees them: refused with a reason, others served. */
class RefusalTest {

    private static final String HOST = " HTTP/1.1\r\nHost: x\r\n";

    @Test
    void servesOthersAfterASecondPipelinedRequestIsMalformed() throws Exception {
        try (var server = new TestServer(TestServer::echoTarget)) {
            RawClient other = server.connect();
            for (int i = 0; i < 20; i++) {
                RawClient client = server.connect().send(RawClient.GET + "GET / HTTP/1.1\r\n broken\r\n\r\n");
                client.expectOk("/").expectRefusal(400, "folded_field");
                other.get("/a").expectOk("/a");
                server.assertServes();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "bad_content_length|POST /" + HOST + "Content-Length: +5\r\n\r\nhello",
        "repeated_content_length|POST /" + HOST + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
        "length_and_coding|POST /" + HOST
        + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "chunked_not_last|POST /" + HOST + "Transfer-Encoding: chunked, gzip\r\n\r\n",
        "coding_in_http_1_0|POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
        "bad_chunk_size|POST /" + HOST + "Transfer-Encoding: chunked\r\n\r\n-1\r\n",
        "bad_chunk_end|POST /" + HOST + "Transfer-Encoding: chunked\r\n\r\n1\r\nab",
        "forbidden_trailer|POST /" + HOST + "Transfer-Encoding: chunked\r\n\r\n0\r\nHost: y\r\n\r\n",
        "space_after_name|GET /" + HOST + "A : b\r\n\r\n",
        "bare_lf|GET /" + HOST + "A: b\n",
        "bare_cr|GET /" + HOST + "A: b\rc",
        "control_character|GET /" + HOST + "A: \0",
        "missing_host|GET / HTTP/1.1\r\n\r\n",
        "repeated_host|GET /" + HOST + "Host: x\r\n\r\n",
        "empty_lines|\r\n\r\n",
        "bad_target|GET /\u00e9 HTTP/1.1\r\n",
        "bad_target|GET x" + HOST + "\r\n",
    })
    void refusesWith400AndAReason(String vector) throws Exception {
        refuses(400, vector);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "417 unknown_expectation|GET /" + HOST + "Expect: tea\r\n\r\n",
        "501 unknown_coding|POST /" + HOST + "Transfer-Encoding: gzip, chunked\r\n\r\n",
        "501 connect|CONNECT x:1" + HOST + "\r\n",
        "505 unsupported_version|GET / HTTP/2.0\r\n\r\n",
    })
    void refusesWithAnotherStatusAndAReason(String vector) throws Exception {
        refuses(Integer.parseInt(vector.substring(0, 3)), vector.substring(4));
    }

    private static void refuses(int status, String vector) throws Exception {
        int bar = vector.indexOf('|');
        String code = vector.substring(0, bar);
        try (var server = new TestServer(TestServer::echoTarget)) {
            server.connect().send(vector.substring(bar + 1)).expectRefusal(status, code);
            var event = server.awaitEvent("refuse");
            assertEquals(code, event.value("code"));
            assertEquals("" + status, event.value("status"));
            assertTrue(event.value("rule").contains(" (RFC "), event.value("rule"));
            assertFalse(event.value("rule").contains(code), event.value("rule"));
            assertEquals(0, server.log.count("read_request"));
            server.assertServes();
        }
    }

    @Test
    void doesNotGiveARefusalOfHeadABody() throws Exception {
        try (var server = new TestServer(TestServer::echoTarget)) {
            RawClient client = server.connect().send("HEAD / HTTP/1.1\r\n\r\n");
            RawResponse response = client.response(true);
            assertEquals(400, response.status());
            assertTrue(Integer.parseInt(response.header("Content-Length")) > 0);
            client.expectEnd();
        }
    }

    @Test
    void servesOthersWithinASecondWhateverOneSends() throws Exception {
        var random = new SplittableRandom(1);
        try (var server = new TestServer(TestServer::echoTarget)) {
            for (int i = 0; i < 200; i++) {
                var bytes = new byte[1 + random.nextInt(200)];
                for (int at = 0; at < bytes.length; at++) {
                    bytes[at] = (byte) random.nextInt(256);
                }
                String prefix = RawClient.GET.substring(0, random.nextInt(RawClient.GET.length() + 1));
                try (var client = new RawClient(server.port())) {
                    client.send(prefix).send(bytes);
                    long began = System.nanoTime();
                    server.assertServes();
                    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
                    assertTrue(millis < 10_000, "another client waited " + millis + " ms");
                }
            }
        }
    }

    @Test
    void servesAChunkedRequestWithTrailersAndTheOneBehindIt() throws Exception {
        try (var server = new TestServer(TestServer::echoBody)) {
            for (int trailers : new int[] {0, 1, 50}) {
                RawClient client = server.connect().send("POST /" + HOST
                        + "Transfer-Encoding: chunked\r\n\r\n"
                        + "5;a=b\r\nhello\r\n1\r\n!\r\n0\r\n" + "T: v\r\n".repeat(trailers) + "\r\n"
                        + "POST /" + HOST + "Content-Length: 3\r\n\r\nend");
                client.expectOk("hello!").expectOk("end");
            }
        }
    }

    @Test
    void readsRequestsThatComeByteByByte() throws Exception {
        String request = "POST /" + HOST + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n";
        try (var server = new TestServer(TestServer::echoBody)) {
            RawClient client = server.connect();
            for (char octet : (request + request).toCharArray()) {
                client.send("" + octet);
            }
            client.expectOk("ab").expectOk("ab");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "GET / HTTP/1.1\r\nHost: [|:|\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: [|:0|\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: [|:.|]\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: |a|:x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: |%41|%\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x:|0|a\r\n\r\n",
        "GET http://[|:|/ HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET http://|a|@/ HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET |a+|:// HTTP/1.1\r\nHost: x\r\n\r\n",
        "CONNECT |a:|80 HTTP/1.1\r\nHost: x\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: |a,|\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nConnection: |close,|\"\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n|if-|: x\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n|authorization|: x\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n|connectio|: x\r\n\r\n",
    })
    void isNotHeldByALongRunOfWhatItLooksFor(String vector) throws Exception {
        String[] parts = vector.split("\\|");
        String request = parts[0] + parts[1].repeat(320_000 / parts[1].length()) + parts[2];
        var options = TestServer.options().withMaxHeaderSize(330_000);
        try (var server = new TestServer(options, TestServer::echoTarget)) {
            long began = System.nanoTime();
            assertTrue(server.connect().send(request).halfClose().response().status() >= 200);
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
            assertTrue(millis < 10_000, "took " + millis + " ms");
            server.assertServes();
        }
    }
}

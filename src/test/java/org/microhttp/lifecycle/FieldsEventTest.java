package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.*;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.microhttp.testing.*;

/** A logger that wants the field lines of requests gets them byte by byte, and no other logger does. */
class FieldsEventTest {

    private static TestServer serve(Boolean wanted) throws Exception {
        var server = new TestServer(TestServer::echoBody);
        server.log.fields = wanted;
        return server;
    }

    private static RecordingLogger.Event exchange(TestServer server, int number) {
        return server.awaitEvent("exchange", number);
    }

    @Test
    void areNoEntryUnlessTheyAreWanted() throws Exception {
        try (var server = serve(false)) {
            server.connect().get("/").expectOk("").get("/").expectOk("");
            assertEquals(List.of("id", "peer", "method", "target", "version", "status", "bytes", "nanos"),
                    List.copyOf(exchange(server, 1).values().keySet()));
            assertEquals(List.of("id", "request"),
                    List.copyOf(server.awaitEvent("read_request").values().keySet()));
            assertEquals(List.of("id", "status"),
                    List.copyOf(server.awaitEvent("write_response").values().keySet()));
            assertEquals("200", server.awaitEvent("write_response").value("status"));
        }
    }

    @Test
    void areAsTheyCame() throws Exception {
        var text = new StringBuilder("\t");
        for (char c = ' '; c <= 0xFF; c++) {
            if (c != 0x7F) text.append(c);
        }
        String first = "Host:x\r\nHOST-2:  " + text + "\t\r\nConnection: keep-alive\r\nContent-Length: 1\r\n";
        String second = "Host: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n";
        try (var server = serve(true)) {
            server.connect().send("POST /a[0]=| HTTP/1.0\r\n" + first + "\r\n\u00ff")
                    .send("POST / HTTP/1.1\r\n" + second + "\r\n2;x=y\r\nab\r\n0\r\nA: b\r\n\r\n")
                    .readToEnd();
            assertEquals(first, exchange(server, 1).value("fields"));
            assertEquals(second, exchange(server, 2).value("fields"));
        }
    }

    @Test
    void areMissingWhereTheyWereRefused() throws Exception {
        try (var server = serve(true)) {
            server.connect().send("GET / HTTP/1.1\r\nA : b\r\n\r\n").readToEnd();
            assertFalse(exchange(server, 1).values().containsKey("fields"));
            assertEquals("/", exchange(server, 1).value("target"));
        }
    }

    @Test
    void areLeftOutWhereTheLoggerFailsToSay() throws Exception {
        try (var server = serve(null)) {
            server.connect().send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").readToEnd();
            assertEquals("200", exchange(server, 1).value("status"));
            assertNull(exchange(server, 1).value("fields"));
        }
    }
}

package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.microhttp.tools.TestServer;

/** R4b: what a client sends behind its last request is not kept, so no want of memory refuses it. */
class ConnectionBehindTheLastTest {

    @Test
    void isNoneWhenNoBytesAreLeft() throws Exception {
        var options = new Options().withMaxRequestSize(1000).withMaxBufferedBytes(1000);
        try (var loop = new ScriptedLoop(options, TestServer::echoTarget)) {
            String post = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n";
            loop.connect().turn(post + "x".repeat(800));
            ScriptedLoop.Client client = loop.connect();
            client.turn("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" + "y".repeat(900));
            assertEquals(ScriptedLoop.lastOk("/"), client.received());
        }
    }
}

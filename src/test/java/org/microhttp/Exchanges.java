package org.microhttp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.microhttp.testing.TestServer;

/** Exchanges as a connection makes them, for tests of what becomes of them. */
final class Exchanges {

    private Exchanges() {
    }

    /** Of a connection, or of none that counts, for a request of that text. */
    static Exchange of(Connection connection, String text) {
        Connection one = connection == null ? gone() : connection;
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        var parser = new RequestParser(new RequestParser.Limits(1 << 20, 1 << 15, 100, false,
                new Budget(Long.MAX_VALUE)), one.client());
        parser.receive(ByteBuffer.wrap(bytes), new byte[bytes.length]);
        try {
            return new Exchange(one, parser, ParserRun.next(parser).head);
        } catch (RefusalException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    /** One that has gone with its loop. */
    private static Connection gone() {
        try (var loop = new ScriptedLoop(TestServer::echoTarget)) {
            return loop.connect().connection;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Exchange of(Connection connection, boolean toHead, boolean http10, boolean persistent) {
        return of(connection, (toHead ? "HEAD" : "GET") + " / HTTP/1." + (http10 ? 0 : 1) + "\r\nHost: x\r\n"
                + "Connection: " + (persistent ? "keep-alive" : "close") + "\r\n\r\n");
    }

    /** One that is answered, of a connection that has gone with its loop. */
    static Exchange answered() {
        Exchange exchange = of(null, false, false, true);
        exchange.response = Response.refusing(Refusal.BAD_HOST, 0);
        return exchange;
    }

    /** Field lines as they are received. */
    static RequestHead head(String lines) {
        var head = new RequestHead("GET", "/", "HTTP/1.1");
        head.fields = lines.getBytes(StandardCharsets.ISO_8859_1);
        return head;
    }
}

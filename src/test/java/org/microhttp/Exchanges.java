package org.microhttp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.microhttp.protocol.Budget;
import org.microhttp.protocol.Heads;
import org.microhttp.protocol.RefusalException;
import org.microhttp.protocol.RequestHead;
import org.microhttp.protocol.RequestParser;

/** Exchanges as a connection makes them, for tests of what becomes of them. */
final class Exchanges {

    private Exchanges() {
    }

    /** Of a connection, for a GET. */
    static Exchange of(Connection connection) {
        byte[] bytes = ConnectionFixture.get("/").getBytes(StandardCharsets.ISO_8859_1);
        var parser = new RequestParser(new RequestParser.Limits(1 << 20, 1 << 15, 100, false,
                new Budget(Long.MAX_VALUE)), connection.client());
        parser.receive(ByteBuffer.wrap(bytes), new byte[bytes.length]);
        try {
            return new Exchange(connection, parser, parser.next());
        } catch (RefusalException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Field lines as they are received. */
    static RequestHead head(String lines) {
        return Heads.of(lines.getBytes(StandardCharsets.ISO_8859_1));
    }
}

package org.microhttp.protocol;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;
import org.microhttp.Request;
import org.microhttp.wire.model.RequestLimits;

/**
 * Uses of the parser whose work is counted, by their names: as twins of the counted library they are known by
 * an interface of the JDK, and none knows of the counting.
 */
final class Workloads implements Supplier<Map<String, ObjIntConsumer<byte[]>>> {

    /** As large as the loop's read buffer. */
    static final int BUFFER = 64 * 1024;

    static final RequestLimits WIDE = new RequestLimits(1 << 28, 1 << 27, 1 << 20);
    static final RequestLimits PROXIED = new RequestLimits(1 << 20, 1 << 15, 100, true);
    static final RequestLimits USUAL = new RequestLimits(1 << 20, 1 << 15, 100);

    /** A use that may be refused, which is another matter than its work. */
    private interface Use {
        void of(byte[] bytes, int number) throws RefusalException;
    }

    private static ObjIntConsumer<byte[]> use(Use use) {
        return (bytes, number) -> {
            try {
                use.of(bytes, number);
            } catch (RefusalException e) {
                throw new IllegalStateException(e);
            }
        };
    }

    /** The number is the size of the pieces in which a connection feeds a parser, or as the method says. */
    @Override
    public Map<String, ObjIntConsumer<byte[]>> get() {
        return Map.of("parsing", (bytes, size) -> ParserRun.inPieces(WIDE, bytes, size),
                "parsing within usual limits", (bytes, size) -> ParserRun.inPieces(USUAL, bytes, size),
                "parsing a proxy header", (bytes, size) -> ParserRun.inPieces(PROXIED, bytes, size),
                "parsing early bytes", use((early, none) -> parseEarly(early)),
                "asking for a field", use(Workloads::ask),
                "queuing a line", use(Workloads::queue),
                "taking a field", Workloads::takeField);
    }

    /** Early bytes, of which a late answer takes a request at a time, while one more comes with each. */
    private static void parseEarly(byte[] early) throws RefusalException {
        var parser = parser();
        receive(parser, early, 0, early.length);
        for (int i = 0; ParserRun.next(parser) != null; i++) {
            // nothing is in a scratch array then
            parser.keep(null);
            receive(parser, early, i, 1);
        }
    }

    /** A handler that asks so often for a field that is not there. */
    private static void ask(byte[] bytes, int times) throws RefusalException {
        var parser = parser();
        receive(parser, bytes, 0, bytes.length);
        Request request = ParserRun.next(parser);
        for (int i = 0; i < times; i++) {
            request.header("None");
        }
    }

    /** A line of a length comes in small pieces, and is searched for its end with each. */
    private static void queue(byte[] piece, int length) throws RefusalException {
        var queue = new ByteQueue();
        Arrays.fill(piece, (byte) 'a');
        for (int i = 0; i < length; i += piece.length) {
            var scratch = new byte[piece.length];
            queue.add(ByteBuffer.wrap(piece), scratch, Integer.MAX_VALUE);
            queue.findLineEnd(Integer.MAX_VALUE);
            queue.keep(scratch);
        }
    }

    /** A header section takes one line, with a colon there; whether it refuses it is another matter. */
    private static void takeField(byte[] line, int colon) {
        try {
            new RequestFraming().add(line, 0, colon, line.length);
        } catch (RefusalException e) {
            return;
        }
    }

    private static RequestParser parser() {
        return new RequestParser(ParserRun.limits(WIDE, new Budget(1 << 30)), null);
    }

    private static void receive(RequestParser parser, byte[] bytes, int from, int length)
            throws RefusalException {
        var scratch = new byte[BUFFER];
        parser.receive(ByteBuffer.wrap(bytes, from, length), scratch);
        parser.keep(scratch);
    }
}

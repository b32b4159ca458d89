package org.microhttp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.ObjIntConsumer;
import org.microhttp.wire.model.RequestLimits;

/** Uses of the parser whose work is counted, as the counted library's twins; none knows of the counting. */
final class Workloads {

    /** As large as the loop's read buffer. */
    static final int BUFFER = 64 * 1024;

    static final RequestLimits WIDE = new RequestLimits(1 << 28, 1 << 27, 1 << 20);
    private static final RequestLimits USUAL = new RequestLimits(1 << 20, 1 << 15, 100);

    private Workloads() {
    }

    /** Feeds bytes to a parser in pieces of a size, as a connection does. */
    static final class Parsing implements ObjIntConsumer<byte[]> {

        @Override
        public void accept(byte[] bytes, int size) {
            ParserRun.inPieces(WIDE, bytes, size);
        }
    }

    /** The same with the limits of a server for which nobody has set others. */
    static final class ParsingWithinLimits implements ObjIntConsumer<byte[]> {

        @Override
        public void accept(byte[] bytes, int size) {
            ParserRun.inPieces(USUAL, bytes, size);
        }
    }

    /** The same where a header of the PROXY protocol is expected. */
    static final class ParsingProxyHeader implements ObjIntConsumer<byte[]> {

        @Override
        public void accept(byte[] bytes, int size) {
            ProxyHeaderRun.of(bytes, size);
        }
    }

    /** Early bytes, of which a late answer takes a request at a time, while one more comes with each. */
    static final class ParsingEarlyBytes implements Consumer<byte[]> {

        @Override
        public void accept(byte[] early) {
            var parser = parser();
            try {
                receive(parser, early, 0, early.length);
                for (int i = 0; parser.next() != null; i++) {
                    parser.keep();
                    receive(parser, early, i, 1);
                }
            } catch (RefusalException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** A handler that asks so often for a field that is not there. */
    static final class AskingForAField implements ObjIntConsumer<byte[]> {

        @Override
        public void accept(byte[] bytes, int times) {
            var parser = parser();
            try {
                receive(parser, bytes, 0, bytes.length);
                Request request = parser.next();
                for (int i = 0; i < times; i++) {
                    request.header("None");
                }
            } catch (RefusalException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** A line of a length comes in small pieces, and is searched for its end with each. */
    static final class QueuingALine implements IntConsumer {

        @Override
        public void accept(int length) {
            var queue = new ByteQueue();
            var piece = new byte[64];
            Arrays.fill(piece, (byte) 'a');
            try {
                for (int i = 0; i < length; i += piece.length) {
                    queue.add(ByteBuffer.wrap(piece), new byte[piece.length], Integer.MAX_VALUE);
                    queue.findLineEnd(Integer.MAX_VALUE);
                    queue.keep();
                }
            } catch (RefusalException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** A header section takes one line; whether it refuses it is another matter. */
    static final class TakingAField implements Consumer<String> {

        @Override
        public void accept(String line) {
            byte[] bytes = line.getBytes(ISO_8859_1);
            try {
                new HeaderSection().add(bytes, 0, line.indexOf(':'), bytes.length);
            } catch (RefusalException e) {
                return;
            }
        }
    }

    private static RequestParser parser() {
        return new RequestParser(ParserRun.limits(WIDE), new Budget(1 << 30), null);
    }

    private static void receive(RequestParser parser, byte[] bytes, int from, int length)
            throws RefusalException {
        parser.receive(ByteBuffer.wrap(bytes, from, length), new byte[BUFFER]);
        parser.keep();
    }
}

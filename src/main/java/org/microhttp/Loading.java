package org.microhttp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * Loads every class that a loop may come to need, before it starts: out of descriptors no class can be loaded
 * from a folder, of ours or of the JDK's, and a class whose loading has failed once fails for ever.
 */
final class Loading {

    /** What a loop is made of when it is constructed is loaded by that. */
    private static final Class<?>[] LATER = {Closing.class, Connection.class, ConnectionState.class,
        Exchange.class, FieldList.class, Lingering.class, LogEntry.class, Outlet.class, Peer.class,
        Peer.Step.class, RequestTarget.class, Stats.class, Watchdog.class};

    private Loading() { }

    static void loadAll() throws IOException {
        SocketChannel.open().close();
        try {
            // a literal alone loads a class and does not initialise it
            for (Class<?> type : LATER) Class.forName(type.getName());
            parse();
        } catch (ReflectiveOperationException | HttpError e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    /** A request with a list in it, which takes the parser through what it needs. */
    private static void parse() throws HttpError {
        byte[] bytes = ResponseEncoder.ascii("GET / HTTP/1.0\r\nConnection: close\r\n\r\n");
        var none = new Budget(0);
        var parser = new RequestParser(new ByteQueue(), new Limits(64, 64, 1), none, null);
        parser.receive(ByteBuffer.wrap(bytes), new byte[64]);
        parser.next().headers();
    }
}

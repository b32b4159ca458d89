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
    private static final Class<?>[] LATER = {ClientSocket.class, Closing.class, Connection.class,
        ConnectionState.class, Exchange.class, FieldList.class, Lingering.class, LogEntry.class,
        RequestTarget.class, ResponseWriter.class, Stats.class, Trailers.class, TurnTaker.class,
        Watchdog.class};

    private Loading() { }

    static void loadAll() throws IOException {
        SocketChannel.open().close();
        try {
            for (Class<?> type : LATER) {
                load(type);
            }
            parse();
        } catch (ReflectiveOperationException | RefusalException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    /** A literal alone loads a class and does not initialise it. A switch makes a class in the same nest. */
    private static void load(Class<?> type) throws ReflectiveOperationException {
        for (Class<?> member : type.getNestMembers()) {
            Class.forName(member.getName());
        }
    }

    /** A request with a list in it, which takes the parser through what it needs. */
    private static void parse() throws RefusalException {
        byte[] bytes = ResponseTail.ascii("GET / HTTP/1.0\r\nConnection: close\r\n\r\n");
        var none = new Budget(0);
        var parser = new RequestParser(new ByteQueue(), new Limits(64, 64, 1), none, null);
        parser.receive(ByteBuffer.wrap(bytes), new byte[64]);
        parser.next().headers();
    }
}

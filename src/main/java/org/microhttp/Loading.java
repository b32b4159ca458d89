package org.microhttp;

import java.io.IOException;
import java.nio.channels.SocketChannel;

/**
 * Loads every class that a loop may come to need, before it starts: out of descriptors no class can be loaded
 * from a folder, of ours or of the JDK's, and a class whose loading has failed once fails for ever.
 */
final class Loading {

    /** What a loop is made of when it is constructed is loaded by that. */
    private static final Class<?>[] LATER = {ByteQueue.class, ClientSocket.class, Closing.class,
        Connection.class, ConnectionState.class, Exchange.class, FieldList.class, Framing.class, Header.class,
        HeaderSection.class, Lingering.class, LogEntry.class, Request.class, RequestHead.class,
        RequestParser.class, RequestTarget.class, ResponseWriter.class, Stats.class, Trailers.class,
        TurnTaker.class, Watchdog.class};

    private Loading() { }

    static void loadAll() throws IOException {
        SocketChannel.open().close();
        try {
            for (Class<?> type : LATER) {
                load(type);
            }
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    /** A literal alone loads a class and does not initialise it. A switch makes a class in the same nest. */
    private static void load(Class<?> type) throws ReflectiveOperationException {
        for (Class<?> member : type.getNestMembers()) {
            Class.forName(member.getName());
        }
    }
}

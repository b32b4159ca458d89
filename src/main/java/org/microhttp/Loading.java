package org.microhttp;

import java.io.IOException;
import java.nio.channels.SocketChannel;

/**
 * Loads every class that a loop may come to need, before it starts: out of descriptors no class can be loaded
 * from a folder, of ours or of the JDK's, and a class whose loading has failed once fails for ever.
 */
final class Loading {

    /** What a loop is made of when it is constructed is loaded by that; these are not. */
    private static final String LATER = "ByteQueue ClientSocket Connection ConnectionState Exchange "
            + "FieldList Header HeaderSection Lingering LogEntry ProxyHeader Request RequestHead "
            + "RequestParser RequestTarget ResponseWriter SocketFile Stats TurnTaker Watchdog";

    private Loading() { }

    /** A switch makes a class in the same nest. */
    static void loadAll() throws IOException {
        SocketChannel.open().close();
        try {
            for (String name : LATER.split(" ")) {
                Class<?> type = Class.forName("org.microhttp." + name);
                for (Class<?> member : type.getNestMembers()) {
                    Class.forName(member.getName());
                }
            }
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }
}

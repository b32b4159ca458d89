package org.microhttp;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.channels.SocketChannel;
import java.util.List;

/**
 * Loads every class that a loop may need, before it starts: without descriptors no class can be loaded from a
 * folder, neither ours nor the JDK's, and a class whose loading has failed once fails forever. Nothing is
 * looked up by name, so a native image contains all of them, loaded already.
 */
final class Loading {

    /**
     * The classes that the constructors of a loop and of its handler do not use; their nested classes are
     * loaded, too.
     */
    private static final List<Class<?>> CLASSES = List.of(BlockingHandler.class, Body.class,
            BodyReceiver.class, BodyStream.class, ByteQueue.class, ChangedCallback.class,
            ClientSocket.class, Connection.class, ConnectionState.class, EscapedCause.class,
            Exchange.class, ExchangeSummary.class, Handler.class, Header.class, HeaderList.class,
            Lingering.class, ListReader.class, LogEntry.class, PendingRequest.class, Place.class,
            ProxyHeader.class, ReceivedHandler.class, Request.class, RequestFraming.class,
            RequestHead.class, RequestParser.class, RequestTarget.class, Responder.class,
            ResponseQueue.class, ServerError.class, Stats.class, Timeouts.class,
            UpgradeReceiver.class, Watchdog.class);

    private Loading() { }

    static void loadAll() throws IOException {
        SocketChannel.open().close();
        if (System.getProperty("org.graalvm.nativeimage.imagecode") != null) return;
        try {
            for (Class<?> host : CLASSES) {
                // a switch over an enum makes a class in the same nest
                for (Class<?> member : host.getNestMembers()) {
                    MethodHandles.lookup().ensureInitialized(member);
                }
            }
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}

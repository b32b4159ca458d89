package org.microhttp.extras.testserver;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The port that clients connect to. The relay stands between them and the event loop because the library
 * itself never breaks HTTP, and never ends a connection so that a client loses data. One thread accepts, and
 * each connection has two.
 */
final class Relay {

    static final int MAX_CONNECTIONS = 256;

    private final ServerSocket listener;
    private final InetSocketAddress loop;
    private final Executor threads;
    private final Map<SocketAddress, RelayedConnection> connections = new ConcurrentHashMap<>();
    private final AtomicInteger toReset = new AtomicInteger();
    private final AtomicInteger excess = new AtomicInteger();
    private volatile boolean closed;
    private volatile Throwable failure;

    /**
     * Listens.
     *
     * @param loop    the address of the event loop, which requires PROXY headers
     * @param threads runs the tasks that wait
     */
    Relay(InetSocketAddress loop, Executor threads) throws IOException {
        this.loop = loop;
        this.threads = threads;
        listener = new ServerSocket(0, MAX_CONNECTIONS, InetAddress.getByName("127.0.0.1"));
    }

    int port() {
        return listener.getLocalPort();
    }

    /** The connection of a client; null if it has ended. */
    RelayedConnection of(SocketAddress client) {
        return client == null ? null : connections.get(client);
    }

    /** Resets the next {@code count} connections that are accepted. */
    void resetNext(int count) {
        toReset.set(count);
    }

    /** How many connections were reset because there were too many. */
    int excess() {
        return excess.get();
    }

    /** Why the relay has stopped listening; null if it has not, or was closed. */
    Throwable failure() {
        return failure;
    }

    /** Accepts until the relay is closed; then closes all connections. */
    void accept() {
        try {
            while (!closed) {
                serve(listener.accept());
            }
        } catch (Throwable t) {
            failure = closed ? null : t;
        } finally {
            close();
            connections.values().forEach(RelayedConnection::close);
        }
    }

    private void serve(Socket client) {
        var connection = new RelayedConnection(client);
        boolean asked = toReset.getAndUpdate(count -> Math.max(0, count - 1)) > 0;
        if (asked || connections.size() == MAX_CONNECTIONS) {
            excess.addAndGet(asked ? 0 : 1);
            connection.reset();
            return;
        }
        SocketAddress address = client.getRemoteSocketAddress();
        RelayedConnection earlier = connections.put(address, connection);
        if (earlier != null) {
            earlier.close();
        }
        threads.execute(() -> {
            connection.serve(loop, threads);
            connections.remove(address, connection);
        });
    }

    /** Stops listening; the accepting thread then closes all connections. */
    void close() {
        closed = true;
        try {
            listener.close();
        } catch (IOException e) {
            failure = e;
        }
    }
}

package org.microhttp.tools.responseserver;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;

/**
 * A port in front of the server's. It passes on what comes, and resets each connection after so many bytes
 * of what follows the head of the first response. The library itself ends a connection so that nothing is
 * lost.
 */
final class ResettingFront {

    private static final int PIECE = 16 * 1024;

    /** The last bytes of a head. */
    private static final String END = "\r\n\r\n";

    private final ServerSocket listener;
    private final InetSocketAddress server;
    private final int most;

    /**
     * Listens, and serves from then on.
     *
     * @param port  of the same address as the server's
     * @param loops where the server listens
     * @param most  bytes
     */
    ResettingFront(int port, InetSocketAddress loops, int most) throws IOException {
        InetAddress address = loops.getAddress();
        listener = new ServerSocket(port, 0, address);
        InetAddress reached = address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address;
        server = new InetSocketAddress(reached, loops.getPort());
        this.most = most;
        start(this::accept);
    }

    SocketAddress address() {
        return listener.getLocalSocketAddress();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listener.accept();
            start(() -> serve(client));
        }
    }

    private void serve(Socket client) throws IOException {
        try (client; var connection = new Socket()) {
            connection.connect(server);
            start(() -> {
                client.getInputStream().transferTo(connection.getOutputStream());
                connection.shutdownOutput();
            });
            if (passOn(connection.getInputStream(), client.getOutputStream())) {
                client.setSoLinger(true, 0);
            }
        }
    }

    /**
     * True if the connection is to be reset, when the server has sent more than it may; false if the server
     * has ended it. What the client has not read when it is reset is lost.
     */
    private boolean passOn(InputStream in, OutputStream out) throws IOException {
        for (int matched = 0; matched < END.length(); ) {
            int value = in.read();
            if (value < 0) {
                return false;
            }
            out.write(value);
            boolean matches = value == END.charAt(matched);
            matched = matches ? matched + 1 : value == '\r' ? 1 : 0;
        }
        byte[] piece = new byte[PIECE];
        for (int left = most; left > 0; ) {
            int count = in.read(piece, 0, Math.min(left, PIECE));
            if (count < 0) {
                return false;
            }
            out.write(piece, 0, count);
            left -= count;
        }
        return in.read() >= 0;
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        var thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException e) {
                // a side has ended: the other is told by a close
                return;
            }
        }, "front");
        thread.setDaemon(true);
        thread.start();
    }
}

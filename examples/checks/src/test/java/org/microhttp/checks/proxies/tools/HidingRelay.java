package org.microhttp.checks.proxies.tools;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.regex.Pattern;

/**
 * Stands between a proxy and a server and hides Content-Length from the server, which so takes a request's
 * body for another request: a server as a smuggler wishes it. Only for requests that arrive in one piece.
 */
public final class HidingRelay implements AutoCloseable {

    /** HAProxy writes field names in lower case. */
    private static final Pattern LENGTH = Pattern.compile("content-length:", Pattern.CASE_INSENSITIVE);

    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private final ServerSocket listener = new ServerSocket(0, 0, LOOPBACK);
    private final int serverPort;

    public HidingRelay(int serverPort) throws IOException {
        this.serverPort = serverPort;
        start(this::accept);
    }

    public int port() {
        return listener.getLocalPort();
    }

    private void accept() throws IOException {
        while (true) {
            Socket proxy = listener.accept();
            var server = new Socket(LOOPBACK, serverPort);
            start(() -> relay(proxy, server, true));
            start(() -> relay(server, proxy, false));
        }
    }

    private static void relay(Socket from, Socket to, boolean hiding) throws IOException {
        var buffer = new byte[1 << 16];
        try (from; to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count; (count = in.read(buffer)) >= 0; ) {
                String text = new String(buffer, 0, count, ISO_8859_1);
                out.write((hiding ? LENGTH.matcher(text).replaceAll("X:") : text).getBytes(ISO_8859_1));
            }
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        var thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException e) {
                // a side has closed: so does the other
                return;
            }
        }, "relay");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}

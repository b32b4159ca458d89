package org.microhttp.extras.testing;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.*;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/** Clients of TLS that come so far and then say no more. */
public final class SilentClients implements Closeable {

    private static final int LIMIT_MILLIS = 30_000;
    private static final int TRIES = 3;

    /** How far they come. */
    public enum Step { CONNECTED, GARBAGE, HALF_A_HELLO, HELLO, HANDSHAKE, REQUEST }

    private final int port;
    private final SSLContext context;
    private final List<Closeable> all = new ArrayList<>();

    public SilentClients(int port, SSLContext context) {
        this.port = port;
        this.context = context;
    }

    public void come(int count, Step step) throws IOException, GeneralSecurityException {
        byte[] hello = clientHello(context);
        for (int i = 0; i < count; i++) {
            switch (step) {
                case CONNECTED -> send(new byte[0]);
                case GARBAGE -> send(new byte[10]);
                case HALF_A_HELLO -> send(Arrays.copyOf(hello, hello.length / 2));
                case HELLO -> send(hello);
                case HANDSHAKE -> add(new TlsClient(port, context, "TLSv1.3"));
                case REQUEST -> add(new TlsClient(port, context, "TLSv1.3").send("GET / HTTP/1.1"));
            }
        }
    }

    public void add(TlsClient client) {
        all.add(client::close);
    }

    /** Connects, and sends that. */
    public Socket send(byte[] bytes) throws IOException {
        var socket = new Socket();
        all.add(socket);
        socket.connect(new InetSocketAddress("127.0.0.1", port), LIMIT_MILLIS);
        socket.setSoTimeout(LIMIT_MILLIS);
        socket.getOutputStream().write(bytes);
        return socket;
    }

    public static byte[] clientHello(SSLContext context) throws IOException {
        return clientHello(context.createSSLEngine("localhost", 1));
    }

    public static byte[] clientHello(SSLEngine engine) throws IOException {
        engine.setUseClientMode(true);
        ByteBuffer out = ByteBuffer.allocate(64 * 1024);
        engine.wrap(ByteBuffer.allocate(0), out);
        return Arrays.copyOf(out.array(), out.position());
    }

    /** Others are served at once; the limit is longer than that, for the machine may be busy. */
    public void assertDelayNobody() throws IOException {
        long began = System.nanoTime();
        for (int i = 0; i < TRIES; i++) {
            try (var client = new TlsClient(port, context, "TLSv1.3")) {
                client.get("/alive").readUntil("\r\n\r\n");
            }
        }
        Duration time = Duration.ofNanos(System.nanoTime() - began);
        assertTrue(time.toSeconds() < 3 * TRIES, "" + time);
    }

    @Override
    public void close() throws IOException {
        for (Closeable client : all) {
            client.close();
        }
    }
}

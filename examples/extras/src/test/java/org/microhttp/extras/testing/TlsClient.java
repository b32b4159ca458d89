package org.microhttp.extras.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.net.*;
import java.nio.ByteBuffer;
import javax.net.ssl.*;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;

/**
 * A client that sees how a connection ends, which the JDK's sockets do not tell: by close_notify, by the end
 * of TCP without it, or by a reset. It can end in each of these ways itself.
 */
public final class TlsClient implements AutoCloseable {

    private static final int SIZE = 64 * 1024;
    private static final int LIMIT_MILLIS = 30_000;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    public enum End { NONE, CLOSE_NOTIFY, CUT, RESET }

    public final Socket socket;
    public final SSLEngine engine;
    private final InputStream in;
    private final ByteBuffer received = ByteBuffer.allocate(SIZE).flip();
    private final ByteBuffer decrypted = ByteBuffer.allocate(SIZE).flip();
    private End end = End.NONE;

    /** Connects, and does the handshake. */
    public TlsClient(int port, SSLContext context, String version) throws IOException {
        this(port, context, version, 0);
    }

    /** @param receiveBufferSize 0 for the system's */
    public TlsClient(int port, SSLContext context, String version, int receiveBufferSize) throws IOException {
        this(connect(port, receiveBufferSize), context, version);
    }

    /** Does the handshake by a socket that is connected. */
    public TlsClient(Socket connected, SSLContext context, String version) throws IOException {
        socket = connected;
        socket.setSoTimeout(LIMIT_MILLIS);
        socket.setTcpNoDelay(true);
        in = socket.getInputStream();
        engine = context.createSSLEngine("localhost", socket.getPort());
        engine.setUseClientMode(true);
        engine.setEnabledProtocols(new String[] {version});
        engine.beginHandshake();
        handshake();
    }

    private static Socket connect(int port, int receiveBufferSize) throws IOException {
        var socket = new Socket();
        if (receiveBufferSize > 0) {
            socket.setReceiveBufferSize(receiveBufferSize);
        }
        socket.connect(new InetSocketAddress("127.0.0.1", port), LIMIT_MILLIS);
        return socket;
    }

    private void handshake() throws IOException {
        while (engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING && end == End.NONE) {
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> engine.getDelegatedTask().run();
                case NEED_WRAP -> socket.getOutputStream().write(encrypt(NOTHING));
                default -> decrypt();
            }
        }
        if (end != End.NONE) {
            throw new IOException("the handshake ends by " + end);
        }
    }

    /** What goes over the wire for that. */
    public byte[] encrypt(ByteBuffer plain) throws IOException {
        ByteBuffer out = ByteBuffer.allocate(SIZE + plain.remaining() * 2);
        do {
            engine.wrap(plain, out);
        } while (plain.hasRemaining());
        byte[] wire = new byte[out.flip().remaining()];
        out.get(wire);
        return wire;
    }

    public TlsClient send(String text) throws IOException {
        return send(text.getBytes(ISO_8859_1));
    }

    public TlsClient send(byte[] plain) throws IOException {
        socket.getOutputStream().write(encrypt(ByteBuffer.wrap(plain)));
        return this;
    }

    public TlsClient get(String target) throws IOException {
        return send("GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n");
    }

    /** Sends close_notify, and leaves TCP open. */
    public TlsClient halfClose() throws IOException {
        engine.closeOutbound();
        socket.getOutputStream().write(encrypt(NOTHING));
        return this;
    }

    /** Sends what the engine has to say, as after {@code beginHandshake}. */
    public TlsClient wrap() throws IOException {
        socket.getOutputStream().write(encrypt(NOTHING));
        return this;
    }

    /** Decrypts one record, and reads before if it is not whole. */
    private void decrypt() throws IOException {
        decrypted.compact();
        SSLEngineResult result = engine.unwrap(received, decrypted);
        decrypted.flip();
        if (result.getStatus() == Status.CLOSED) {
            end = End.CLOSE_NOTIFY;
        } else if (result.getStatus() == Status.BUFFER_UNDERFLOW) {
            read();
        }
        if (engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
            engine.getDelegatedTask().run();
        }
    }

    private void read() throws IOException {
        received.compact();
        int count;
        try {
            count = in.read(received.array(), received.position(), received.remaining());
        } catch (SocketException e) {
            end = End.RESET;
            received.flip();
            return;
        }
        received.position(received.position() + Math.max(0, count)).flip();
        if (count < 0) {
            end = End.CUT;
        }
    }

    /** All that comes until the connection ends; {@link #end} says how. */
    public String readToEnd() throws IOException {
        var text = new StringBuilder();
        while (end == End.NONE) {
            decrypt();
            text.append(take(decrypted.remaining()));
        }
        return text.toString();
    }

    /** What comes until this has come. */
    public String readUntil(String last) throws IOException {
        var text = new StringBuilder();
        while (text.indexOf(last) < 0) {
            if (end != End.NONE) {
                throw new AssertionError("it ends by " + end + " in " + text);
            }
            if (!decrypted.hasRemaining()) {
                decrypt();
            }
            text.append(take(Math.min(1, decrypted.remaining())));
        }
        return text.toString();
    }

    private String take(int count) {
        byte[] taken = new byte[count];
        decrypted.get(taken);
        return new String(taken, ISO_8859_1);
    }

    public End end() {
        return end;
    }

    /** The address that the server has for it. */
    public String address() {
        return socket.getLocalSocketAddress().toString();
    }

    /** Ends TCP, without close_notify. */
    @Override
    public void close() throws IOException {
        socket.close();
    }
}

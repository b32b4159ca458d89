package org.microhttp.faults.chaos;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.concurrent.locks.LockSupport;

/** A client's socket: what is sent, at whatever pace, and responses as they are read, at whatever pace. */
public final class ChaosWire implements AutoCloseable {

    private static final int LIMIT_MILLIS = 20_000;

    /** Read at most so many bytes at once, and wait so long before each time. */
    private final int piece;
    private final long pauseNanos;
    private final Socket socket;
    private final byte[] buffer;
    private int position;
    private int end;
    private long active;
    private long slowest;

    /** A client that reads as fast as it can. */
    ChaosWire(int port) throws IOException {
        this(port, 1 << 16, 0, 0);
    }

    ChaosWire(int port, int piece, long pauseNanos, int receiveBuffer) throws IOException {
        this(new Socket(), new InetSocketAddress("127.0.0.1", port), piece, pauseNanos, receiveBuffer);
    }

    /** Connects a socket of whatever kind. */
    public ChaosWire(Socket socket, SocketAddress address, int piece, long pauseNanos, int receiveBuffer)
            throws IOException {
        this.socket = socket;
        this.piece = piece;
        this.pauseNanos = pauseNanos;
        buffer = new byte[piece];
        try {
            if (receiveBuffer > 0) {
                socket.setReceiveBufferSize(receiveBuffer);
            }
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(LIMIT_MILLIS);
            socket.connect(address, LIMIT_MILLIS);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
        active = System.nanoTime();
    }

    /** How long this client at most took from one step to the next, when it was its turn. */
    long slowest() {
        return slowest;
    }

    private void turn() {
        slowest = Math.max(slowest, System.nanoTime() - active);
    }

    public void send(byte[] bytes) throws IOException {
        send(bytes, 0, bytes.length);
    }

    void send(byte[] bytes, int from, int length) throws IOException {
        socket.getOutputStream().write(bytes, from, length);
        turn();
        active = System.nanoTime();
    }

    public void halfClose() throws IOException {
        socket.shutdownOutput();
    }

    /** Ends the connection with a reset. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    /** The next byte, or -1 at the end. */
    public int read() throws IOException {
        return position < end || fill() ? buffer[position++] & 0xFF : -1;
    }

    private boolean fill() throws IOException {
        if (pauseNanos > 0) {
            LockSupport.parkNanos(pauseNanos);
        }
        turn();
        position = 0;
        end = Math.max(0, socket.getInputStream().read(buffer, 0, piece));
        active = System.nanoTime();
        return end > 0;
    }

    /** The next response by its framing, an interim one, too; null at the end of the stream. */
    public ChaosResponse response(boolean toHead) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n", head.length() - 4) < 0) {
            int octet = read();
            if (octet < 0 && head.length() == 0) {
                return null;
            }
            if (octet < 0) {
                throw new EOFException("the stream ends in a head: " + head);
            }
            head.append((char) octet);
        }
        var response = new ChaosResponse(head.toString(), new byte[0]);
        String length = response.header("Content-Length");
        boolean bodiless = toHead || response.status() == 100 || length == null;
        return bodiless ? response : new ChaosResponse(response.head(), body(Integer.parseInt(length)));
    }

    private byte[] body(int length) throws IOException {
        var body = new ByteArrayOutputStream();
        while (body.size() < length) {
            if (position == end && !fill()) {
                throw new EOFException("the stream ends in a body, after " + body.size() + " of " + length);
            }
            int count = Math.min(length - body.size(), end - position);
            body.write(buffer, position, count);
            position += count;
        }
        return body.toByteArray();
    }

    /** What is here still, for a message. */
    String rest() {
        return new String(buffer, position, Math.min(200, end - position), ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

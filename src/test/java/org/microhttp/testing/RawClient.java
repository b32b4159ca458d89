package org.microhttp.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.*;
import java.net.*;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;

/** A client that sends bytes and reads responses: {@code client.send("...").expect("...")}. */
public final class RawClient implements AutoCloseable {

    public static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

    private static final int LIMIT_MILLIS = 30_000;
    private static final String LOOPBACK = "127.0.0.1";

    /** Null at a Unix domain socket, where nothing has a time limit. */
    private final Socket socket;

    /** Null at a port. */
    private final SocketChannel channel;
    private final OutputStream out;
    private final InputStream in;

    public RawClient(int port) throws IOException {
        this(port, 0);
    }

    /** @param receiveBufferSize 0 for the system's; a small one makes the server's writes wait */
    public RawClient(int port, int receiveBufferSize) throws IOException {
        this(port, receiveBufferSize, UnaryOperator.identity());
    }

    /** @param pace around what is received, as one that reads slowly */
    public RawClient(int port, int receiveBufferSize, UnaryOperator<InputStream> pace) throws IOException {
        this(new Socket(), new InetSocketAddress(LOOPBACK, port), receiveBufferSize, pace);
    }

    private RawClient(Socket socket, InetSocketAddress address, int receiveBufferSize,
            UnaryOperator<InputStream> pace) throws IOException {
        channel = null;
        this.socket = socket;
        if (receiveBufferSize > 0) {
            socket.setReceiveBufferSize(receiveBufferSize);
        }
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(LIMIT_MILLIS);
        socket.connect(address, LIMIT_MILLIS);
        in = new BufferedInputStream(pace.apply(socket.getInputStream()), 1 << 16);
        out = socket.getOutputStream();
    }

    public RawClient(UnixDomainSocketAddress address) throws IOException {
        this(null, address);
    }

    /** @param own the name of its own socket, a file that the test removes; null for none, as usual */
    public RawClient(UnixDomainSocketAddress own, UnixDomainSocketAddress address) throws IOException {
        socket = null;
        channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.bind(own);
        channel.connect(address);
        in = new BufferedInputStream(Channels.newInputStream(channel), 1 << 16);
        out = Channels.newOutputStream(channel);
    }

    /** At a port, or at a Unix domain socket. */
    public static RawClient to(SocketAddress address) throws IOException {
        return address instanceof UnixDomainSocketAddress unix ? new RawClient(unix) : to(address, 0);
    }

    /** At a port. */
    public static RawClient to(SocketAddress address, int receiveBufferSize) throws IOException {
        var port = (InetSocketAddress) address;
        boolean any = port.getAddress().isAnyLocalAddress();
        return new RawClient(new Socket(), any ? new InetSocketAddress(LOOPBACK, port.getPort()) : port,
                receiveBufferSize, UnaryOperator.identity());
    }

    /** Of another address of this machine. */
    public static RawClient from(String host, int port) throws IOException {
        var socket = new Socket();
        socket.bind(new InetSocketAddress(host, 0));
        return new RawClient(socket, new InetSocketAddress(LOOPBACK, port), 0, UnaryOperator.identity());
    }

    /** From now on no read waits longer. */
    public RawClient limit(int millis) throws IOException {
        socket.setSoTimeout(millis);
        return this;
    }

    public RawClient send(String text) throws IOException {
        return send(text.getBytes(ISO_8859_1));
    }

    public RawClient send(byte[] bytes) throws IOException {
        out.write(bytes);
        return this;
    }

    /** Sends a GET without more than it needs. */
    public RawClient get(String target) throws IOException {
        return send("GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n");
    }

    /** Reads one response and compares all of it but its date. */
    public RawClient expect(String response) throws IOException {
        assertEquals(response, response().undated());
        return this;
    }

    /** Reads a 200 with that body. */
    public RawClient expectOk(String body) throws IOException {
        return expect("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
    }

    /** Reads that many of these. */
    public RawClient expectOks(int count, IntFunction<String> bodies) throws IOException {
        for (int i = 0; i < count; i++) {
            expectOk(bodies.apply(i));
        }
        return this;
    }

    /** Reads a refusal with that status and code, and the end of the connection. */
    public void expectRefusal(int status, String code) throws IOException {
        RawResponse response = response();
        assertEquals(status, response.status(), response.text());
        assertEquals("close", response.header("Connection"));
        String rule = new String(response.body(), UTF_8);
        String reason = "[^\r\n]+ \\(RFC [0-9]{4} §[0-9.]+\\)";
        assertTrue(rule.matches(code + ": " + reason + "\n"), rule);
        expectEnd();
    }

    /** Reads one response, also an interim one. */
    public RawResponse response() throws IOException {
        return response(false);
    }

    /** Reads one response, or nothing but the end of the connection: then null. */
    public RawResponse responseOrEnd(boolean toHead) throws IOException {
        in.mark(1);
        if (in.read() < 0) {
            return null;
        }
        in.reset();
        return response(toHead);
    }

    /** Reads one response by its framing (RFC 9112 §6.3). */
    public RawResponse response(boolean toHead) throws IOException {
        String head = readUntil("\r\n\r\n");
        var response = new RawResponse(head, new byte[0]);
        if (response.hasNoBody(toHead)) {
            return response;
        }
        String length = response.header("Content-Length");
        byte[] body = length == null ? in.readAllBytes() : in.readNBytes(Integer.parseInt(length));
        if (length != null && body.length != Integer.parseInt(length)) {
            throw new AssertionError("the stream ends after " + body.length + " of " + length + " bytes");
        }
        return new RawResponse(head, body);
    }

    public RawClient expectEnd() throws IOException {
        assertEquals("", readToEnd());
        return this;
    }

    /** What comes, up to a text that must come. */
    public String readUntil(String text) throws IOException {
        var read = new StringBuilder();
        while (read.indexOf(text, read.length() - text.length()) < 0) {
            int next = in.read();
            if (next < 0) throw new AssertionError("the stream ends in " + read);
            read.append((char) next);
        }
        return read.toString();
    }

    public String readToEnd() throws IOException {
        return new String(in.readAllBytes(), ISO_8859_1);
    }

    /** What still comes, until the connection ends in whatever way. */
    public String readUntilItFails() {
        var text = new ByteArrayOutputStream();
        byte[] buffer = new byte[1 << 14];
        try {
            for (int count; (count = in.read(buffer)) >= 0; ) {
                text.write(buffer, 0, count);
            }
        } catch (SocketTimeoutException e) {
            throw new AssertionError("the connection does not end", e);
        } catch (IOException e) {
            // a reset is an end, too
        }
        return text.toString(ISO_8859_1);
    }

    /** How many bytes still come, until the connection ends in whatever way. */
    public long countToEnd() {
        return readUntilItFails().length();
    }

    /** What comes within that time; null at the end of the stream. */
    public String readWithin(int millis) throws IOException {
        socket.setSoTimeout(millis);
        var text = new ByteArrayOutputStream();
        try {
            int first = in.read();
            if (first < 0) return null;
            text.write(first);
            text.write(in.readNBytes(in.available()));
        } catch (SocketTimeoutException e) {
            return "";
        } finally {
            socket.setSoTimeout(LIMIT_MILLIS);
        }
        return text.toString(ISO_8859_1);
    }

    /** Reads that many bytes, fewer only at the end, and says how many. */
    public int read(int count) throws IOException {
        return in.readNBytes(count).length;
    }

    /** Reads that many bytes. */
    public byte[] take(int count) throws IOException {
        byte[] bytes = in.readNBytes(count);
        assertEquals(count, bytes.length, "the stream ends");
        return bytes;
    }

    /** Its own end, which a server at a port has as the remote one. */
    public SocketAddress localAddress() {
        return socket.getLocalSocketAddress();
    }

    public RawClient halfClose() throws IOException {
        if (socket == null) {
            channel.shutdownOutput();
        } else {
            socket.shutdownOutput();
        }
        return this;
    }

    /** Ends the connection with a reset. */
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}

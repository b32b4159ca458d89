package org.microhttp.extras.tls;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Version 2 of the PROXY protocol, which tells the server the client's address. */
final class ProxyHeaders {

    private static final byte[] SIGNATURE = "\r\n\r\n\0\r\nQUIT\n".getBytes(StandardCharsets.US_ASCII);

    /** Version 2, the command PROXY; TCP over IPv4, TCP over IPv6. */
    private static final byte PROXY = 0x21, TCP4 = 0x11, TCP6 = 0x21;

    private ProxyHeaders() {
    }

    static ByteBuffer of(InetSocketAddress client, InetSocketAddress front) {
        byte[] from = client.getAddress().getAddress();
        byte[] to = front.getAddress().getAddress();
        int length = from.length + to.length + 4;
        return ByteBuffer.allocate(SIGNATURE.length + 4 + length)
                .put(SIGNATURE)
                .put(PROXY)
                .put(from.length == 4 ? TCP4 : TCP6)
                .putShort((short) length)
                .put(from)
                .put(to)
                .putShort((short) client.getPort())
                .putShort((short) front.getPort())
                .flip();
    }

    /** The client's address as the server's text has it: without zone and name. */
    static String name(InetSocketAddress client) {
        try {
            InetAddress bare = InetAddress.getByAddress(client.getAddress().getAddress());
            return new InetSocketAddress(bare, client.getPort()).toString();
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}

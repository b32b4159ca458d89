package org.microhttp.faults.tools;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A client that waits for nothing: it sends what the socket takes, and reads what is there. */
public final class Visitor implements AutoCloseable {

    private final SocketChannel channel;
    private final ByteBuffer received = ByteBuffer.allocate(1 << 16);
    private ByteBuffer unsent = ByteBuffer.allocate(0);
    private boolean leaving;

    /** Whether the server has ended the connection, in whatever way. */
    public boolean ended;

    public Visitor(int port) throws IOException {
        this(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port));
    }

    public Visitor(SocketAddress address) throws IOException {
        boolean unix = address instanceof UnixDomainSocketAddress;
        channel = SocketChannel.open(unix ? StandardProtocolFamily.UNIX : StandardProtocolFamily.INET);
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
        try {
            channel.connect(address);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        channel.configureBlocking(false);
    }

    /** Sends this behind what is not sent yet. */
    public Visitor send(String text) {
        byte[] more = text.getBytes(ISO_8859_1);
        unsent = ByteBuffer.allocate(unsent.remaining() + more.length).put(unsent).put(more).flip();
        goOn();
        return this;
    }

    /** Ends its side when all is sent. */
    public void leave() {
        leaving = true;
        goOn();
    }

    public void goOn() {
        try {
            if (unsent.hasRemaining()) {
                channel.write(unsent);
            }
            if (leaving && !unsent.hasRemaining()) {
                channel.shutdownOutput();
            }
            int count = 1;
            while (count > 0) {
                count = channel.read(received.clear());
            }
            ended |= count < 0;
        } catch (IOException e) {
            ended = true;
        }
    }

    /** Ends the connection with a reset. */
    public void reset() throws IOException {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        channel.close();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

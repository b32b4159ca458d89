package org.microhttp.faults.tools;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A client that waits for nothing: it sends what the socket takes, and reads only what is there. */
public final class Visitor implements AutoCloseable {

    private final SocketChannel channel;

    public Visitor(SocketAddress address) throws IOException {
        channel = SocketChannel.open(address);
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
        channel.configureBlocking(false);
    }

    public Visitor send(String text) {
        try {
            channel.write(ByteBuffer.wrap(text.getBytes(ISO_8859_1)));
        } catch (IOException e) {
            // the server has ended the connection
        }
        return this;
    }

    public void goOn() {
        var received = ByteBuffer.allocate(1 << 16);
        try {
            while (channel.read(received.clear()) > 0) {
                // the next may be there
            }
        } catch (IOException e) {
            // the server has ended the connection
        }
    }

    public Visitor halfClose() throws IOException {
        channel.shutdownOutput();
        return this;
    }

    /** Ends the connection with a reset, if it has not ended it before. */
    public void reset() throws IOException {
        if (channel.isOpen()) channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        channel.close();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

package org.microhttp.faults.tools;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;

/** A client's Unix domain socket, for those who expect a {@link Socket}; what it cannot do it leaves. */
public final class UnixSocket extends Socket {

    private final SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);

    public UnixSocket() throws IOException {
    }

    @Override
    public void connect(SocketAddress address, int millis) throws IOException {
        channel.connect(address);
    }

    @Override
    public void setSoTimeout(int millis) {
        // reads of a channel that blocks have no limit
    }

    @Override
    public void setTcpNoDelay(boolean on) {
        // nothing is held back at a Unix socket
    }

    @Override
    public InputStream getInputStream() {
        return Channels.newInputStream(channel);
    }

    @Override
    public OutputStream getOutputStream() {
        return Channels.newOutputStream(channel);
    }

    @Override
    public void shutdownOutput() throws IOException {
        channel.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

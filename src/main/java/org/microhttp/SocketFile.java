package org.microhttp;

import java.io.IOException;
import java.net.*;
import java.nio.channels.*;
import java.nio.file.*;

/**
 * The file of a Unix domain socket. It stays when its server has ended in any other way than by closing, and
 * keeps the next from listening there, so that one removes it.
 */
final class SocketFile {

    private final Path path;

    /** Tells it from another of that name; null when it was removed. */
    private Object key;

    /** Listens there, in place of a server that has ended; not where one listens, or any other file is. */
    SocketFile(ServerSocketChannel channel, UnixDomainSocketAddress address, int backlog) throws IOException {
        path = address.getPath();
        try (var probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            // a queue that is full must not keep us waiting
            probe.configureBlocking(false);
            // to connect to a file that is no socket, the type 12 of POSIX's mode, is refused, too
            if ((int) attribute("unix:mode") >> 12 == 12) probe.connect(address);
        } catch (ConnectException e) {
            Files.delete(path);
        } catch (NoSuchFileException e) {
            // nobody was there
        }
        channel.bind(address, backlog);
        key = attribute("fileKey");
    }

    private Object attribute(String name) throws IOException {
        return Files.getAttribute(path, name, LinkOption.NOFOLLOW_LINKS);
    }

    /** Removes it, if it is still this one; harmless when done already. */
    void delete() {
        try {
            if (attribute("fileKey").equals(key)) Files.delete(path);
        } catch (Throwable t) {
            // it is gone already, or stays for the next server
        }
        key = null;
    }
}

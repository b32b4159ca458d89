package org.microhttp.testing;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Looks whether a server that has ended has left nothing open. */
public final class Leaks {

    private Leaks() {
    }

    /**
     * An address of this process alone. A test that binds a port again listens there, because at 127.0.0.1
     * the port, once free, may be given to a client of another process.
     */
    public static final String HOST = ownHost();

    private static String ownHost() {
        int pid = (int) ProcessHandle.current().pid();
        byte[] host = ByteBuffer.allocate(4).putInt(127 << 24 | 1 << 22 | pid & 0x3f_ffff).array();
        try (var socket = new ServerSocket(0, 1, InetAddress.getByAddress(host))) {
            return socket.getInetAddress().getHostAddress();
        } catch (IOException e) {
            // not Linux: there the race remains
            return "127.0.0.1";
        }
    }

    /** Fails if anybody still listens at a port of 127.0.0.1. */
    public static void bind(int port) throws IOException {
        bind(new InetSocketAddress("127.0.0.1", port));
    }

    /** Fails if anybody still listens there. A client of another process may have got the port meanwhile. */
    public static void bind(SocketAddress address) throws IOException {
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(address);
        } catch (BindException e) {
            assertThrows(ConnectException.class, () -> SocketChannel.open(address).close(), e::getMessage);
        }
    }

    /** Fails if many more are open than before; the JVM itself opens a few. */
    public static void assertDescriptors(long before) throws IOException {
        long now = descriptors();
        assertTrue(now <= before + 20, before + " descriptors became " + now);
    }

    /** How many descriptors this JVM has open. Other tests of the same JVM may still be closing theirs. */
    public static long descriptors() throws IOException {
        return open("").size();
    }

    /** What this JVM has open whose name starts so: a file, files below a folder, or {@code socket:}. */
    public static List<String> open(String start) throws IOException {
        Path files = Path.of("/proc/self/fd");
        assumeTrue(Files.isDirectory(files), "no /proc");
        List<String> open = new ArrayList<>();
        try (var descriptors = Files.newDirectoryStream(files)) {
            for (Path descriptor : descriptors) {
                try {
                    open.add(Files.readSymbolicLink(descriptor).toString());
                } catch (IOException e) {
                    // closed since
                    continue;
                }
            }
        }
        open.removeIf(name -> !name.startsWith(start));
        return open;
    }
}

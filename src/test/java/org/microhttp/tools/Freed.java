package org.microhttp.tools;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;

/** Looks whether a server that has ended has given back what it had of the system. */
public final class Freed {

    private Freed() {
    }

    /** Binds a port of 127.0.0.1 for a moment; fails if it is not free. */
    public static void bind(int port) throws IOException {
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress("127.0.0.1", port));
        }
    }

    /** Fails if many more are open than before; the JVM itself opens a few. */
    public static void assertDescriptors(long before) throws IOException {
        long now = descriptors();
        assertTrue(now <= before + 20, before + " descriptors became " + now);
    }

    /** How many descriptors this JVM has open. */
    public static long descriptors() throws IOException {
        Path files = Path.of("/proc/self/fd");
        assumeTrue(Files.isDirectory(files));
        try (var list = Files.list(files)) {
            return list.count();
        }
    }
}

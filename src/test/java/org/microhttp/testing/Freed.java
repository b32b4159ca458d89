package org.microhttp.testing;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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

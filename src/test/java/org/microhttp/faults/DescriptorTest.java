package org.microhttp.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.ServerProcess;

/** R2: out of descriptors, the loop serves on, does not spin, and accepts again when there are some. */
class DescriptorTest {

    private static final int CONNECTS = 200;

    @Test
    void servesOnAndAcceptsAgainWhenOutOfDescriptors() throws Exception {
        runOutOfDescriptors(true);
    }

    @Test
    void servesItsFirstRequestWhenOutOfDescriptors() throws Exception {
        runOutOfDescriptors(false);
    }

    private static void runOutOfDescriptors(boolean warm) throws Exception {
        assumeTrue(ServerProcess.isPossible());
        var sockets = new ArrayList<Socket>();
        try (var server = new ServerProcess("ulimit -n 80", ServerProcess.MAIN, "-Xmx64m",
                "-Dlog=" + warm)) {
            if (warm) {
                try (Socket socket = server.connect()) {
                    assertTrue(isServed(socket, 30_000));
                }
            }
            for (int i = 0; i < CONNECTS; i++) {
                sockets.add(server.connect());
            }
            List<Socket> served = served(sockets);
            assertTrue(served.size() > 10 && served.size() < 80, served.size() + " connections are served");
            assertIdle(server, served.get(0));
            assertRecovers(served, sockets);
            assertTrue(server.process.isAlive());
            assertTrue(!warm || Integer.parseInt(server.ask("accept_error")) > 0);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    /** One that waited is served when others have gone; those that are left still are. */
    private static void assertRecovers(List<Socket> served, List<Socket> sockets) throws IOException {
        for (Socket socket : served.subList(0, served.size() / 2)) {
            socket.close();
        }
        sockets.removeAll(served);
        assertTrue(isServed(sockets.get(0), 20_000), "one that waited is served");
        assertTrue(isServed(served.get(served.size() - 1), 20_000), "one that was served is served");
    }

    /** Those that are served, which are the first; the first is given time, the next wait for nobody. */
    private static List<Socket> served(List<Socket> sockets) throws IOException {
        assertTrue(isServed(sockets.get(0), 30_000), "the first is served");
        var served = new ArrayList<Socket>();
        for (Socket socket : sockets) {
            if (!isServed(socket, served.size() < 10 ? 30_000 : 1_000)) {
                break;
            }
            served.add(socket);
        }
        return served;
    }

    /** For a second the process does next to nothing, though connections wait. */
    private static void assertIdle(ServerProcess server, Socket quiet) throws IOException {
        long before = server.cpuMillis();
        quiet.setSoTimeout(1_000);
        try {
            assertEquals(-1, quiet.getInputStream().read());
        } catch (SocketTimeoutException e) {
            long used = server.cpuMillis() - before;
            assertTrue(used < 300, "used " + used + " ms of a second");
            return;
        }
        throw new AssertionError("the connection ended");
    }

    private static boolean isServed(Socket socket, int millis) throws IOException {
        socket.setSoTimeout(millis);
        socket.getOutputStream().write(RawClient.GET.getBytes());
        try {
            var answer = new String(socket.getInputStream().readNBytes("HTTP/1.1 200 OK\r\n".length()));
            assertEquals("HTTP/1.1 200 OK\r\n", answer);
            var rest = new StringBuilder();
            while (!rest.toString().endsWith("\r\n\r\nok")) {
                rest.append((char) socket.getInputStream().read());
            }
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }
}

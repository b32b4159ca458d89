package org.microhttp.tools.responseserver;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.testing.*;
import org.microhttp.tools.testing.ToolProcesses;

/** What the flags of the example {@code ResponseServer} make of its loops: delays, threads, sockets. */
@Tier.Program
final class ResponseServerLoopsTest {

    @RegisterExtension
    final ToolProcesses servers = new ToolProcesses();

    @Test
    void answersLaterByTheDelay() throws Exception {
        servers.serve("--delay", "300ms");
        try (var client = servers.connect(); var other = servers.connect()) {
            long start = System.nanoTime();
            client.get("/");
            other.get("/").expectOk("");
            client.expectOk("");
            assertTrue(System.nanoTime() - start >= 300_000_000L, "too early");
        }
    }

    /** One after the other, on two threads that sleep, they would take 100 s. */
    @Test
    void delaysManyTogether() throws Exception {
        servers.serve("--delay", "1s", "--threads", "2");
        List<RawClient> clients = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < 200; i++) clients.add(servers.connect().get("/"));
        for (RawClient client : clients) client.expectOk("").close();
        assertTrue(System.nanoTime() - start < 30_000_000_000L, "one after the other");
    }

    /** The machine may be busy, so the best of several medians counts. */
    @Test
    void delaysByVeryLittle() throws Exception {
        servers.serve("--delay", "500us");
        long best = Long.MAX_VALUE;
        try (var client = servers.connect()) {
            for (int round = 0; round < 100 && best >= 1_000_000; round++) {
                long[] nanos = new long[101];
                for (int i = 0; i < nanos.length; i++) {
                    long start = System.nanoTime();
                    client.get("/").expectOk("");
                    nanos[i] = System.nanoTime() - start;
                    assertTrue(nanos[i] >= 500_000, "too early");
                }
                Arrays.sort(nanos);
                best = Math.min(best, nanos[nanos.length / 2]);
            }
        }
        assertTrue(best < 1_000_000, "median of " + best + " ns");
    }

    @Test
    void runsALoopForEachThread() throws Exception {
        // it says that it listens before it starts them
        servers.serve("--threads", "4").awaitLoops("microhttp-1", "microhttp-2", "microhttp-3");
    }

    /** How many bytes the server could send to a client that reads none is what its send buffer holds. */
    @Test
    void givesConnectionsTheSendBufferAskedFor(@TempDir Path folder) throws Exception {
        Path file = Files.write(folder.resolve("large"), new byte[20_000_000]);
        long small = sentToADeafClient(file, "10000");
        long large = sentToADeafClient(file, "200000");
        assertTrue(small + 100_000 < large, small + " and " + large);
    }

    private long sentToADeafClient(Path body, String sendBufferSize) throws Exception {
        ServerProcess server = servers.serve("--body", "@" + body, "--send-buffer-size", sendBufferSize,
                "--threads", "1", "--meter");
        try (var deaf = new RawClient(server.port, 4096); var other = servers.connect()) {
            deaf.get("/");
            // by the same loop and later, so by then the socket of the other has what it takes
            other.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n").response(true);
            server.terminate();
            return ResponseServerLogTest.total(server, "res bytes");
        }
    }

    /** How many bytes a client can send to a server that does not read on is what its buffer holds. */
    @Test
    void givesConnectionsTheReceiveBufferAskedFor() throws Exception {
        long small = sentToADeafServer("5000");
        long large = sentToADeafServer("500000");
        assertTrue(small + 100_000 < large, small + " and " + large);
    }

    /** While a request waits for its answer, one read buffer is read of what follows, and no more. */
    private long sentToADeafServer(String receiveBufferSize) throws Exception {
        ServerProcess server = servers.serve("--receive-buffer-size", receiveBufferSize, "--delay", "1h");
        try (var selector = Selector.open(); var channel = SocketChannel.open()) {
            channel.setOption(StandardSocketOptions.SO_SNDBUF, 4096);
            channel.connect(new InetSocketAddress("127.0.0.1", server.port));
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_WRITE);
            ByteBuffer requests = ByteBuffer.wrap(RawClient.GET.repeat(1000).getBytes(ISO_8859_1));
            long sent = 0;
            // a second in which it takes nothing is the end
            for (; selector.select(1000) > 0; selector.selectedKeys().clear()) {
                sent += channel.write(requests);
                if (!requests.hasRemaining()) requests.rewind();
            }
            return sent;
        }
    }

    /** A stopped server accepts nobody, so its backlog is what can connect. */
    @Test
    void letsAsManyConnectionsWaitAsTheBacklogSays() throws Exception {
        assertTrue(connectedWhileStopped("3") < 10, "a short backlog");
        assertEquals(50, connectedWhileStopped("100"));
    }

    private int connectedWhileStopped(String backlog) throws Exception {
        assumeTrue(Files.exists(Path.of("/proc")), "another system's backlog");
        ServerProcess server = servers.serve("--listen-backlog", backlog, "--threads", "1");
        server.signal("STOP");
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < 50; i++) {
                sockets.add(new Socket());
                sockets.get(i).connect(new InetSocketAddress("127.0.0.1", server.port), 1000);
            }
            return sockets.size();
        } catch (IOException e) {
            return sockets.size() - 1;
        } finally {
            for (Socket socket : sockets) socket.close();
        }
    }

    /**
     * With Nagle's algorithm the second answer would wait until the client has acknowledged the first, which
     * it delays by 40 ms once it has received some.
     */
    @Test
    void holdsNoAnswerBack() throws Exception {
        servers.serve("--tcp-nodelay", "--delay", "2ms");
        long best = Long.MAX_VALUE;
        try (var client = servers.connect()) {
            for (int i = 0; i < 60; i++) {
                long start = System.nanoTime();
                client.send(RawClient.GET + RawClient.GET).expectOk("").expectOk("");
                if (i >= 30) best = Math.min(best, System.nanoTime() - start);
            }
        }
        assertTrue(best < 30_000_000, "two answers take " + best + " ns");
    }
}

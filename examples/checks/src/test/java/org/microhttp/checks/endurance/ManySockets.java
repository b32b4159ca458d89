package org.microhttp.checks.endurance;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.microhttp.extras.testing.ClientFrames;
import org.microhttp.extras.testing.FrameClient;
import org.microhttp.extras.testing.SocketsServer;
import org.microhttp.testing.Programs;
import org.microhttp.testing.ServerProcess;

/**
 * {@code [connections] [seconds]}. Many WebSockets that are silent but for a message to all every ten
 * seconds: none is lost, and an open one takes little more of the heap than an idle connection of HTTP.
 */
final class ManySockets {

    private static final int CONNECTIONS = 10_000;
    private static final int SECONDS = 300;
    private static final int INTERVAL_SECONDS = 10;

    /** Bytes of the heap that a WebSocket may have beyond what an idle connection has. */
    private static final long MOST = 3 << 10;

    private static final byte[] PONG =
            new ClientFrames().frame(0x80 | ClientFrames.PONG, new byte[0], 7).bytes();
    private static final byte[] CLOSE =
            new ClientFrames().frame(0x80 | ClientFrames.CLOSE, new byte[] {3, (byte) 0xE8}, 7).bytes();

    private final ServerProcess server;
    private final List<Socket> clients = new ArrayList<>();
    private int pings;
    private int lost;

    private ManySockets(ServerProcess server) {
        this.server = server;
    }

    static void run(Report report, String... arguments) throws Exception {
        int connections = Programs.number(arguments, 0, CONNECTIONS);
        int seconds = Programs.number(arguments, 1, SECONDS);
        try (var process = new ServerProcess(TestedServer.MANY_FILES, SocketsServer.MAIN, "-Xmx512m")) {
            new ManySockets(process).run(report, connections, seconds);
        }
    }

    private void run(Report report, int connections, int seconds) throws Exception {
        // what is made once: classes, and tables that have grown
        heapOf(connections, "/socket", true);
        long idle = heapOf(connections, "/", true);
        long open = heapOf(connections, "/socket", false);
        System.out.printf("heap of an idle connection: %,d bytes; of an open WebSocket: %,d; %,d more%n",
                idle, open, open - idle);
        int rounds = sendFor(seconds);
        int abnormal = end();
        System.out.printf("%,d messages to each of %,d: %,d lost; %,d pings answered; %,d ended abnormally%n",
                rounds, connections, lost, pings, abnormal);
        report.check(lost == 0, "messages", lost + " are lost");
        report.check(abnormal == 0, "connections", abnormal + " ended abnormally");
        report.check(open - idle <= MOST, "heap", open - idle + " bytes more than an idle connection");
    }

    private long number(String order) throws IOException {
        return Long.parseLong(server.ask(order));
    }

    /** The heap for each of so many connections that have had an answer, and stay open. */
    private long heapOf(int count, String target, boolean closed) throws IOException {
        long before = number("heap");
        for (int i = 0; i < count; i++) {
            Socket client = server.connect();
            client.getOutputStream().write((FrameClient.HANDSHAKE.replace("/chat", target) + "\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            clients.add(client);
            readHead(client, target.equals("/") ? "\r\n\r\nhere" : "\r\n\r\n");
        }
        long bytes = (number("heap") - before) / count;
        if (closed) {
            for (Socket client : clients) {
                client.close();
            }
            clients.clear();
            awaitNone("connections");
        }
        return bytes;
    }

    private static void readHead(Socket client, String end) throws IOException {
        var in = new DataInputStream(client.getInputStream());
        var head = new StringBuilder();
        while (head.indexOf(end) < 0) {
            head.append((char) in.readUnsignedByte());
        }
    }

    /** {@return how often} */
    private int sendFor(int seconds) throws IOException {
        int rounds = Math.max(1, seconds / INTERVAL_SECONDS);
        long begin = System.nanoTime();
        for (int i = 1; i <= rounds; i++) {
            String text = "message " + i;
            server.ask("send " + text);
            for (Socket client : clients) {
                lost += read(client).equals("81" + text) ? 0 : 1;
            }
            long due = begin + TimeUnit.SECONDS.toNanos((long) i * INTERVAL_SECONDS);
            if (i < rounds) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
        }
        return rounds;
    }

    /** The first byte and the payload of the next frame that is no ping; what it is instead if it fails. */
    private String read(Socket client) throws IOException {
        var in = new DataInputStream(client.getInputStream());
        try {
            int first = in.readUnsignedByte();
            var payload = new byte[in.readUnsignedByte()];
            in.readFully(payload);
            if (first == (0x80 | ClientFrames.PING)) {
                pings++;
                client.getOutputStream().write(PONG);
                return read(client);
            }
            return Integer.toHexString(first) + new String(payload, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** {@return how many have ended otherwise than they should} */
    private int end() throws IOException {
        long before = number("abnormal");
        for (Socket client : clients) {
            client.getOutputStream().write(CLOSE);
        }
        for (Socket client : clients) {
            lost += read(client).startsWith("88") ? 0 : 1;
            client.close();
        }
        awaitNone("open");
        return (int) (number("abnormal") - before);
    }

    private void awaitNone(String what) throws IOException {
        while (number(what) > 0) {
            Thread.onSpinWait();
        }
    }
}

package org.microhttp.compare;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.microhttp.measure.CpuTime;
import org.microhttp.measure.Machine;
import org.microhttp.measure.PinnedServer;

/** A server that runs, pinned to its CPU: knows where it listens, and whether it answers as it should. */
final class RunningServer {

    private static final int ANSWER_LIMIT_MILLIS = 5_000;

    final Peer peer;
    final int port;
    private final List<String> mode;
    private final PinnedServer server;

    /** Whether it was under load before: then its code is compiled, and takes less time to be warm again. */
    boolean warmed;

    /** Starts it, and waits until it listens. */
    RunningServer(Peer peer, Scenario scenario, Plan plan) throws IOException {
        this.peer = peer;
        mode = peer.mode(scenario);
        port = PinnedServer.freePort();
        Path folder = Files.createTempDirectory(peer.name);
        var start = new StartCommand(Machine.java(), System.getProperty("java.class.path"), "" + folder,
                "" + port);
        start.configure(peer, scenario);
        server = new PinnedServer(start.of(peer, scenario), folder, port, plan.serverCpu(),
                plan.secondsAtMost());
    }

    /** Whether this process is what a scenario needs, or one must be started for it. */
    boolean fits(Peer other, Scenario scenario) {
        return peer == other && mode.equals(peer.mode(scenario));
    }

    CpuTime time() throws IOException { return server.time(); }

    void end() { server.end(); }

    /** Sends what the load generator sends, and fails unless the right answers come, and as many. */
    void check(Scenario scenario) throws IOException {
        byte[] requests = new String(scenario.request, StandardCharsets.US_ASCII).repeat(scenario.depth)
                .getBytes(StandardCharsets.US_ASCII);
        StringBuilder received = new StringBuilder();
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), ANSWER_LIMIT_MILLIS);
            socket.setSoTimeout(ANSWER_LIMIT_MILLIS);
            socket.getOutputStream().write(requests);
            receive(socket.getInputStream(), scenario, received);
        } catch (IOException e) {
            throw new IOException(e.getMessage() + ", after: " + received);
        }
    }

    private static void receive(InputStream in, Scenario scenario, StringBuilder received)
            throws IOException {
        byte[] bytes = new byte[64 * 1024];
        boolean close = scenario == Scenario.CLOSE;
        while (close || count(received, scenario.body) < scenario.depth) {
            int count = in.read(bytes);
            if (count < 0) break;
            received.append(new String(bytes, 0, count, StandardCharsets.ISO_8859_1));
        }
        boolean right = count(received, scenario.body) == scenario.depth
                && count(received, "HTTP/1.1 200 ") == scenario.depth;
        if (!right) throw new IOException("not the answers that were expected");
    }

    private static int count(StringBuilder text, String part) {
        int count = 0;
        for (int at = -1; (at = text.indexOf(part, at + 1)) >= 0; at += part.length() - 1) count++;
        return count;
    }
}

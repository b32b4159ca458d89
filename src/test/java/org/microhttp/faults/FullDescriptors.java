package org.microhttp.faults;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import org.microhttp.tools.Programs;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.ServerProcess;

/**
 * R2 in full: a server with 80 descriptors and 200 connects serves those it has, uses less than 5 % of a
 * processor, and accepts again within a second of descriptors coming free. Not run by Maven:
 * <pre>
 *   src/test/full FullDescriptors [seconds]
 * </pre>
 */
final class FullDescriptors {

    private static final int CONNECTS = 200;
    private static final int SECONDS = 10;

    private FullDescriptors() {
    }

    public static void main(String[] arguments) throws Exception {
        int seconds = Programs.number(arguments, 0, SECONDS);
        var sockets = new ArrayList<Socket>();
        boolean kept;
        try (var server = new ServerProcess("ulimit -n 80", ServerProcess.MAIN, "-Xmx64m")) {
            for (int i = 0; i < CONNECTS; i++) {
                sockets.add(server.connect());
            }
            List<Socket> served = served(sockets);
            System.out.println(served.size() + " of " + CONNECTS + " connections are served");
            kept = served.size() > 10 && isIdle(server, seconds);
            for (Socket socket : served) {
                kept &= isServed(socket, 5_000);
            }
            sockets.removeAll(served);
            kept &= recovers(served, sockets) && server.process.isAlive();
        }
        System.out.println(kept ? "kept" : "BROKEN");
        System.exit(kept ? 0 : 1);
    }

    private static List<Socket> served(List<Socket> sockets) throws IOException {
        var served = new ArrayList<Socket>();
        for (Socket socket : sockets) {
            if (!isServed(socket, served.isEmpty() ? 10_000 : 2_000)) {
                break;
            }
            served.add(socket);
        }
        return served;
    }

    private static boolean isIdle(ServerProcess server, int seconds) throws Exception {
        long cpu = server.cpuMillis();
        Thread.sleep(seconds * 1000L);
        double percent = (server.cpuMillis() - cpu) / 10.0 / seconds;
        System.out.println("processor while others wait: " + percent + " %");
        return percent < 5;
    }

    private static boolean recovers(List<Socket> served, List<Socket> waiting) throws IOException {
        long began = System.nanoTime();
        for (Socket socket : served.subList(0, served.size() / 2)) {
            socket.close();
        }
        boolean answered = isServed(waiting.get(0), 10_000);
        long millis = (System.nanoTime() - began) / 1_000_000;
        System.out.println("one that waited is served after " + millis + " ms: " + answered);
        return answered && millis < 1_000;
    }

    private static boolean isServed(Socket socket, int millis) throws IOException {
        socket.setSoTimeout(millis);
        socket.getOutputStream().write(RawClient.GET.getBytes());
        var text = new StringBuilder();
        try {
            while (!text.toString().endsWith("\r\n\r\nok")) {
                int octet = socket.getInputStream().read();
                if (octet < 0) {
                    return false;
                }
                text.append((char) octet);
            }
        } catch (SocketTimeoutException e) {
            return false;
        }
        return text.toString().startsWith("HTTP/1.1 200 ");
    }
}

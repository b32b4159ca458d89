package org.microhttp.files;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Downloads a large file on one connection, and asks for a small one on another until that has ended. Prints
 * {@code counted}, the bytes of the large one, its time in ns, how many small ones there were, and how long
 * one of them took at most, in ns.
 */
public final class ColdClient {

    private static final int LIMIT_MILLIS = 60_000;

    /** Between two requests for the small file: it shall see when the loop is held, not hold it itself. */
    private static final long PAUSE_MILLIS = 1;

    private final int port;

    private ColdClient(int port) { this.port = port; }

    public static void main(String[] args) throws Exception {
        if (args.length != 3) {
            System.err.println("usage: ColdClient PORT LARGE-TARGET SMALL-TARGET");
            System.exit(2);
        }
        new ColdClient(Integer.parseInt(args[0])).run(args[1], args[2]);
    }

    private void run(String large, String small) throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        long[] asked = {0, 0};
        try (Socket socket = connect()) {
            // what is loaded and compiled for the first request is no wait for the server
            for (int i = 0; i < 50; i++) ask(socket, small);
            Thread others = new Thread(() -> askUntil(ended, socket, small, asked));
            others.start();
            long start = System.nanoTime(), bytes;
            try (Socket another = connect()) {
                bytes = ask(another, large);
            }
            long nanos = System.nanoTime() - start;
            ended.set(true);
            others.join();
            if (asked[0] == 0) throw new IOException("no small file was answered");
            System.out.println("counted " + bytes + " " + nanos + " " + asked[0] + " " + asked[1]);
        }
    }

    private static void askUntil(AtomicBoolean ended, Socket socket, String target, long[] asked) {
        try {
            while (!ended.get()) {
                long start = System.nanoTime();
                ask(socket, target);
                asked[0]++;
                asked[1] = Math.max(asked[1], System.nanoTime() - start);
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (IOException | InterruptedException e) {
            asked[0] = 0;
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), port);
        socket.setSoTimeout(LIMIT_MILLIS);
        socket.setTcpNoDelay(true);
        return socket;
    }

    /** Reads the answer, and says how many bytes its body had. */
    private static long ask(Socket socket, String target) throws IOException {
        String request = "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        DataInputStream in = new DataInputStream(socket.getInputStream());
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) head.append((char) in.readUnsignedByte());
        String fields = head.toString().toLowerCase();
        if (!fields.startsWith("http/1.1 200 ")) throw new IOException("answered: " + head);
        int from = fields.indexOf("\r\ncontent-length:") + 17;
        long length = Long.parseLong(fields.substring(from, fields.indexOf('\r', from)).strip());
        skip(in, length);
        return length;
    }

    private static void skip(InputStream in, long length) throws IOException {
        byte[] bytes = new byte[256 * 1024];
        for (long left = length; left > 0; ) {
            int count = in.read(bytes, 0, (int) Math.min(left, bytes.length));
            if (count < 0) throw new IOException("the body ended " + left + " bytes early");
            left -= count;
        }
    }
}

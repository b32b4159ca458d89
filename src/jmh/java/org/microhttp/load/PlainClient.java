package org.microhttp.load;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A client with one blocking connection: sends requests, and reads answers that say how long they are. As a
 * program it downloads a large file, and on another connection a small one again and again until that has
 * ended. It prints how many small ones there were, the bytes and the time of the large one, and how long a
 * small one took at most.
 */
public final class PlainClient implements Closeable {

    private static final int LIMIT_MILLIS = 60_000;

    /** Between two requests for the small file: it shall see when the loop is held, not hold it itself. */
    private static final long PAUSE_MILLIS = 1;

    private final Socket socket;
    private final InputStream in;
    private final byte[] bytes = new byte[64 * 1024];
    private volatile boolean ended;
    private long asked, longestNanos;

    public PlainClient(int port) throws IOException {
        socket = new Socket(InetAddress.getByName("127.0.0.1"), port);
        socket.setSoTimeout(LIMIT_MILLIS);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream(), 256 * 1024);
    }

    public static void main(String[] args) throws Exception {
        if (args.length != 3) throw new IOException("usage: PlainClient PORT LARGE-TARGET SMALL-TARGET");
        int port = Integer.parseInt(args[0]);
        try (PlainClient large = new PlainClient(port); PlainClient small = new PlainClient(port)) {
            // what is loaded and compiled for the first request is no wait for the server
            for (int i = 0; i < 50; i++) small.download(args[2]);
            Thread others = new Thread(() -> small.downloadUntilEnded(args[2]));
            others.start();
            long start = System.nanoTime();
            long bytes = large.download(args[1]);
            double seconds = (System.nanoTime() - start) / 1e9;
            small.ended = true;
            others.join();
            if (small.asked == 0) throw new IOException("no small file was answered");
            System.out.printf(Locale.ROOT,
                    "counted requests %d bytes %d seconds %.3f errors 0 longest_ms %.3f%n", small.asked,
                    bytes, seconds, small.longestNanos / 1e6);
        }
    }

    private void downloadUntilEnded(String target) {
        try {
            while (!ended) {
                long start = System.nanoTime();
                download(target);
                longestNanos = Math.max(longestNanos, System.nanoTime() - start);
                asked++;
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (IOException | InterruptedException e) {
            System.err.println("the small file: " + e);
            asked = 0;
        }
    }

    /** {@return the text of a request} */
    public static String get(String target, String fields) {
        return "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n";
    }

    public void send(String requests) throws IOException {
        send(requests.getBytes(StandardCharsets.ISO_8859_1));
    }

    public void send(byte[] requests) throws IOException { socket.getOutputStream().write(requests); }

    /** {@return the head of the next answer, which must have the status 200} */
    public String head() throws IOException {
        StringBuilder head = new StringBuilder();
        for (int b; head.indexOf("\r\n\r\n", head.length() - 4) < 0 && (b = in.read()) >= 0; ) {
            head.append((char) b);
        }
        boolean right = head.toString().matches("(?s)HTTP/1[.][01] 200 .*");
        if (!right) throw new IOException("answered: " + head);
        return head.toString();
    }

    /** {@return so many bytes of the body, or fewer if the connection ends} */
    public byte[] body(int length) throws IOException { return in.readNBytes(length); }

    /** {@return how many bytes the answer to a GET of the target has; they are read} */
    public long download(String target) throws IOException {
        send(get(target, ""));
        return answer();
    }

    /** {@return how many bytes the body of the next answer has; they are read} */
    public long answer() throws IOException {
        long length = length(head());
        if (length >= 0) return skip(length);
        long all = 0;
        for (long chunk = chunkSize(); chunk > 0; chunk = chunkSize()) {
            all += skip(chunk);
            line();
        }
        line();
        return all;
    }

    /** {@return the length that a head declares; -1 if it has none} */
    public static long length(String head) {
        String lower = head.toLowerCase(Locale.ROOT);
        int from = lower.indexOf("\r\ncontent-length:");
        if (from < 0) return -1;
        return Long.parseLong(lower.substring(from + 17, lower.indexOf('\r', from + 2)).strip());
    }

    private long chunkSize() throws IOException { return Long.parseLong(line(), 16); }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
            line.append((char) b);
        }
        return line.toString().strip();
    }

    private long skip(long length) throws IOException {
        for (long left = length; left > 0; ) {
            int count = in.read(bytes, 0, (int) Math.min(left, bytes.length));
            if (count < 0) throw new IOException("the body ended " + left + " bytes early");
            left -= count;
        }
        return length;
    }

    @Override
    public void close() throws IOException { socket.close(); }
}

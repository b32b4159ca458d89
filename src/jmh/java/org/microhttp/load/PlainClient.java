package org.microhttp.load;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client with one blocking connection: sends requests, and reads answers that say how long they are. */
public final class PlainClient implements Closeable {

    private static final int LIMIT_MILLIS = 60_000;

    private final Socket socket;
    private final InputStream in;

    public PlainClient(int port) throws IOException {
        socket = new Socket(InetAddress.getByName("127.0.0.1"), port);
        socket.setSoTimeout(LIMIT_MILLIS);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream(), 256 * 1024);
    }

    /** {@return the text of a request} */
    public static String get(String target, String fields) {
        return "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n";
    }

    public void send(String requests) throws IOException {
        socket.getOutputStream().write(requests.getBytes(StandardCharsets.ISO_8859_1));
    }

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
        String head = head().toLowerCase();
        int from = head.indexOf("\r\ncontent-length:") + 17;
        long length = Long.parseLong(head.substring(from, head.indexOf('\r', from)).strip());
        byte[] bytes = new byte[256 * 1024];
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

package org.microhttp.files;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** A file, and where and in which coding a server is asked for it. */
public record ExpectedAnswer(String target, Path file, String coding) {

    private static final int LIMIT_MILLIS = 5_000;

    /** So much of a larger file is compared. */
    private static final int COMPARED = 2_000_000;

    /** Asks for it, and fails unless it comes, whole and right. */
    public void check(int port) throws IOException {
        String request = "GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + "Accept-Encoding: " + coding + "\r\n\r\n";
        try (Socket socket = new Socket(); InputStream expected = Files.newInputStream(file)) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), LIMIT_MILLIS);
            socket.setSoTimeout(LIMIT_MILLIS);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            StringBuilder head = new StringBuilder();
            for (int b; head.indexOf("\r\n\r\n") < 0 && (b = in.read()) >= 0; ) head.append((char) b);
            byte[] body = expected.readNBytes(COMPARED);
            boolean right = head.toString().matches("(?s)HTTP/1[.][01] 200 .*")
                    && Arrays.equals(body, in.readNBytes(body.length));
            if (!right) throw new IOException(target + " is not what was expected, after: " + head);
        }
    }
}

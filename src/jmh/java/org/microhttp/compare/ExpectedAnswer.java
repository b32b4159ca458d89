package org.microhttp.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.microhttp.load.PlainClient;

/** A request, the body that must come back, and how many such requests are sent at once. */
record ExpectedAnswer(String request, byte[] body, int count) {

    /** So much of a larger file is compared. */
    private static final int COMPARED = 2_000_000;

    /** {@return what must come when a file is asked for in a coding; the file is in that coding already} */
    static ExpectedAnswer of(String target, Path file, String coding) throws IOException {
        try (var in = Files.newInputStream(file)) {
            String fields = "Connection: close\r\nAccept-Encoding: " + coding + "\r\n";
            return new ExpectedAnswer(PlainClient.get(target, fields), in.readNBytes(COMPARED), 1);
        }
    }

    /** Asks for it, and fails unless it comes, whole and right. */
    void check(int port) throws IOException {
        String first = request.lines().findFirst().orElseThrow();
        try (PlainClient client = new PlainClient(port)) {
            client.send(request.repeat(count));
            for (int i = 0; i < count; i++) {
                String head = client.head();
                boolean right = Arrays.equals(body, client.body(body.length));
                if (!right) throw new IOException(first + ": not the expected body, after: " + head);
            }
        }
    }
}

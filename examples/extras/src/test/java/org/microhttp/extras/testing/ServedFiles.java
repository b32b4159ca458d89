package org.microhttp.extras.testing;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.microhttp.Options;
import org.microhttp.extras.files.FileHandler;
import org.microhttp.testing.*;

/** The files of a {@code FileHandler}, in a server of this JVM; both end with it. */
public class ServedFiles implements AutoCloseable {

    /** Targets that would lead out of a root that has {@code secret} and {@code outside/secret} beside it. */
    private static final List<String> TRAVERSAL = Readme.read(Readme.ROOT.resolve(
            "examples/extras/src/test/resources/traversal.txt")).lines().toList();

    public final FileHandler handler;
    public final TestServer server;

    public ServedFiles(FileHandler handler) throws IOException {
        this(TestServer.options(), handler);
    }

    public ServedFiles(Options options, FileHandler handler) throws IOException {
        this.handler = handler;
        server = new TestServer(options, handler);
    }

    public RawClient connect() throws IOException {
        return server.connect();
    }

    /** The answer to a GET with these field lines, on a connection of its own. */
    public RawResponse get(String target, String... fields) throws IOException {
        return send("GET", target, fields);
    }

    public RawResponse send(String method, String target, String... fields) throws IOException {
        try (RawClient client = connect()) {
            return client.send(request(method, target, fields)).response(method.equals("HEAD"));
        }
    }

    public static String request(String method, String target, String... fields) {
        String lines = String.join("\r\n", fields) + (fields.length == 0 ? "" : "\r\n");
        return method + " " + target + " HTTP/1.1\r\nHost: x\r\n" + lines + "\r\n";
    }

    /** No response to a name that would lead out of the root, nor to one of these, has the secret. */
    public void assertNoNameLeadsOut(String secret, List<String> more) throws IOException {
        assertTrue(TRAVERSAL.size() > 60);
        for (List<String> names : List.of(TRAVERSAL, more)) {
            for (String name : names) {
                RawResponse response = get(name);
                Set<Integer> allowed = name.startsWith("/?") ? Set.of(200)
                        : name.startsWith("/d?") ? Set.of(301) : Set.of(400, 404, 414);
                assertTrue(allowed.contains(response.status()), name + ": " + response.head());
                assertFalse(response.text().contains(secret) || response.text().contains("root:"), name);
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        handler.close();
    }
}

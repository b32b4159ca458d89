package org.microhttp.extras.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.microhttp.Options;
import org.microhttp.extras.files.FileHandler;
import org.microhttp.testing.*;

/** Files that {@code FileServer} serves, in a server of this JVM. */
public final class FileSite implements AutoCloseable {

    public final Path root;
    public final Path cache;
    public final TestServer server;
    public final FileHandler handler;
    private final ExecutorService executor = Executors.newFixedThreadPool(4);

    /** @param folder where the root and the cache are, which are made if they are not there */
    public FileSite(Path folder, long memory) throws IOException {
        this(folder, memory, TestServer.options());
    }

    public FileSite(Path folder, long memory, Options options) throws IOException {
        root = Files.createDirectories(folder.resolve("root"));
        cache = Files.createDirectories(folder.resolve("cache"));
        handler = FileHandler.of(root).withVariants(cache).withMemory(memory).withListing()
                .withCacheControl("*.css", "max-age=60").withExecutor(executor).build();
        server = new TestServer(options, handler);
    }

    /** Writes a file, and the folders that it is in. */
    public Path write(String name, String content) throws IOException {
        return write(root.resolve(name), content.getBytes(ISO_8859_1));
    }

    /**
     * Waits until the file system's clock has gone on since a file was changed: until then its content may
     * change unseen, and its tag is for a moment.
     */
    public static Path settle(Path file) throws IOException {
        FileTime changed = (FileTime) Files.getAttribute(file, "unix:ctime");
        while (System.currentTimeMillis() - changed.toMillis() < 100) {
            Thread.onSpinWait();
        }
        return file;
    }

    /** Puts a variant of what is there now to its place. */
    public Path variant(String name, String suffix, String content) throws IOException {
        Path made = write(cache.resolve("making"), content.getBytes(ISO_8859_1));
        Files.setLastModifiedTime(made, Files.getLastModifiedTime(root.resolve(name)));
        Path variant = cache.resolve(name + suffix);
        Files.createDirectories(variant.getParent());
        return Files.move(made, variant, ATOMIC_MOVE, REPLACE_EXISTING);
    }

    public static Path write(Path file, byte[] content) throws IOException {
        Files.createDirectories(file.getParent());
        return Files.write(file, content);
    }

    /** Puts a file in the place of another at once, as one should. */
    public void replace(String name, String content) throws IOException {
        Path made = write("replacing", content);
        Files.move(made, root.resolve(name), ATOMIC_MOVE, REPLACE_EXISTING);
    }

    public RawClient connect() throws IOException {
        return server.connect();
    }

    /** The answer to a GET with these field lines, on a connection of its own. */
    public RawResponse get(String target, String... fields) throws IOException {
        return send("GET", target, fields);
    }

    public RawResponse send(String method, String target, String... fields) throws IOException {
        try (var client = new RawClient(server.port())) {
            return client.send(request(method, target, fields)).response(method.equals("HEAD"));
        }
    }

    public static String request(String method, String target, String... fields) {
        String lines = String.join("\r\n", fields) + (fields.length == 0 ? "" : "\r\n");
        return method + " " + target + " HTTP/1.1\r\nHost: x\r\n" + lines + "\r\n";
    }

    @Override
    public void close() throws IOException {
        server.close();
        handler.close();
        executor.shutdown();
    }
}

package org.microhttp.extras.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.microhttp.*;
import org.microhttp.extras.forms.*;
import org.microhttp.testing.*;

/** A server of forms with a folder; its end checks that nothing is left there. */
public final class FormService implements AutoCloseable {

    public static final FormLimits LIMITS = new FormLimits(5, 3, 200, 1000, 10_000, 20_000, Map.of());
    public static final String TYPE = "multipart/form-data; boundary=b";

    /** The line of a part, without the name; and that of a file. */
    public static final String FIELD = "Content-Disposition: form-data; name=";
    public static final String FILE = FIELD + "\"f\"; filename=\"n\"";

    public final Path folder;
    public final ExecutorService executor = Executors.newFixedThreadPool(2);
    public final TestServer server;

    /** Answers forms; at first with what is in them. */
    public volatile Function<Form, Response> function = form -> Response.text(200, shown(form));

    public FormService(Path folder) throws IOException {
        this(folder, TestServer.options(), own -> own, forms -> forms);
    }

    /**
     * @param around makes an executor around the service's own
     * @param change makes the handler of the server
     */
    public FormService(Path folder, Options options, UnaryOperator<Executor> around,
            Function<FormHandler, Handler> change) throws IOException {
        this.folder = folder;
        server = new TestServer(options, change.apply(new FormHandler(folder, LIMITS, around.apply(executor),
                (request, form) -> function.apply(form))));
    }

    @Override
    public void close() throws IOException {
        server.close();
        executor.shutdown();
        try {
            assertTrue(executor.awaitTermination(20, TimeUnit.SECONDS));
            awaitFiles(0);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (Files.isDirectory(Path.of("/proc/self/fd"))) {
            assertEquals(List.of(), Leaks.open("" + folder), "descriptors are left");
        }
    }

    /** {@return the files that are there} */
    public List<Path> left() throws IOException {
        return filesOf(folder);
    }

    private static List<Path> filesOf(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    public void awaitFiles(int count) throws IOException, InterruptedException {
        awaitFiles(folder, count);
    }

    /** Waits until a folder has so many files, those that are not complete included. */
    public static void awaitFiles(Path folder, int count) throws IOException, InterruptedException {
        try (WatchService changes = folder.getFileSystem().newWatchService()) {
            folder.register(changes, StandardWatchEventKinds.ENTRY_CREATE,
                    StandardWatchEventKinds.ENTRY_DELETE);
            while (filesOf(folder).size() != count) {
                WatchKey key = changes.poll(20, TimeUnit.SECONDS);
                assertNotNull(key, filesOf(folder) + ", not " + count);
                key.pollEvents();
                key.reset();
            }
        }
    }

    /** A line for each field of some names, and for each file, with its content. */
    private static String shown(Form form) {
        var shown = new StringBuilder();
        for (String name : List.of("title", "text", "a%22b", "a", "none")) {
            form.all(name).forEach(value -> shown.append(name + "=" + value + "\n"));
        }
        try {
            for (FormFile file : form.files()) {
                byte[] content = Files.readAllBytes(file.path());
                assertEquals(file.size(), content.length);
                shown.append(file.field() + ": " + file.name() + ", " + file.type() + ", "
                        + HexFormat.of().formatHex(content) + "\n");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return "" + shown;
    }

    /** {@return a head, with the field that says how long the body is} */
    public static String head(String type, String framing) {
        return "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: " + type + "\r\n" + framing + "\r\n\r\n";
    }

    /** Connects, and sends a head, and what else there is. */
    public RawClient send(String type, String framing, String body) throws IOException {
        return server.connect().send(head(type, framing) + body);
    }

    public RawResponse post(String type, byte[] body) throws IOException {
        return send(type, "Content-Length: " + body.length, "").send(body).response();
    }

    /** Sends a body, of a character for each byte. */
    public RawResponse post(String body) throws IOException {
        return post(TYPE, body.getBytes(ISO_8859_1));
    }

    /** {@return a body of parts} */
    public static String body(String... parts) {
        return "--b\r\n" + String.join("\r\n--b\r\n", parts) + "\r\n--b--\r\n";
    }

    /** {@return a part of lines and a content} */
    public static String part(String lines, String content) {
        return lines + "\r\n\r\n" + content;
    }
}

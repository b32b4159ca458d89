package org.microhttp.tools.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.*;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.microhttp.Header;
import org.microhttp.NoopLogger;
import org.microhttp.testing.*;
import org.microhttp.tools.commandline.CommandLine;
import org.microhttp.tools.commandline.Flags;
import org.microhttp.tools.sitearchive.ServeArguments;
import org.microhttp.tools.sitearchive.ServeFlags;
import org.microhttp.tools.sitearchive.format.ArchiveBytes.Kind;
import org.microhttp.tools.sitearchive.serving.ServeSettings;
import org.microhttp.tools.sitearchive.serving.SiteHandler;

/** Archives that {@code SiteArchive} serves, in a server of this JVM. */
public final class ArchiveSite implements AutoCloseable {

    /** Ways to have an archive at hand. */
    public enum Way {

        FILE(Kind.FILE, false), FILE_INDEXED(Kind.FILE, true), MEMORY(Kind.MEMORY, false),
        MEMORY_INDEXED(Kind.MEMORY, true), MAPPED(Kind.MAPPED, false), MAPPED_INDEXED(Kind.MAPPED, true);

        private static final Duration LONG = Duration.ofMinutes(10);

        public final Kind kind;
        final boolean indexed;

        Way(Kind kind, boolean indexed) {
            this.kind = kind;
            this.indexed = indexed;
        }

        /** What is served of one archive, that is not watched. */
        public ServeSettings of(Path archive) {
            return settings(archive, null, false, Duration.ZERO, LONG);
        }

        public ServeSettings watching(Path archive, Duration keepPrevious) {
            return settings(archive, null, true, keepPrevious, LONG);
        }

        public ServeSettings cuttingAfter(Path archive, Duration time) {
            return settings(archive, null, true, Duration.ZERO, time);
        }

        public ServeSettings ofAll(Path folder, boolean watch) {
            return settings(null, folder, watch, Duration.ZERO, LONG);
        }

        private ServeSettings settings(Path archive, Path folder, boolean watch, Duration keepPrevious,
                Duration cutAfter) {
            return new ServeSettings(archive, folder, kind, indexed, indexed, indexed, indexed,
                    List.of(new Header("X-Frame-Options", "sameorigin")), watch, keepPrevious,
                    cutAfter);
        }
    }

    /** So small that a page of a megabyte waits for a client that does not read. */
    private static final int SEND_BUFFER = 1 << 16;

    public final SiteHandler handler;
    public final TestServer server;
    private final ByteArrayOutputStream messages = new ByteArrayOutputStream();

    public ArchiveSite(ServeSettings settings) throws IOException {
        handler = SiteHandler.open(settings, new PrintStream(messages, true, UTF_8));
        server = new TestServer(TestServer.options().withSendBufferSize(SEND_BUFFER), new NoopLogger(),
                handler);
    }

    /** What is served with these flags of {@code SiteArchive serve}. */
    public static ArchiveSite of(String... flags) throws IOException {
        var line = new CommandLine(new Flags("SiteArchive serve", ServeFlags.ALL), flags);
        return new ArchiveSite(ServeArguments.settings(line));
    }

    /** The lines that were said so far. */
    public List<String> messages() {
        return messages.toString(UTF_8).lines().toList();
    }

    /** Checks in how many of the lines that is. */
    public void assertMessages(int count, String text) {
        List<String> lines = messages();
        assertEquals(count, lines.stream().filter(line -> line.contains(text)).count(), () -> "" + lines);
    }

    /** Waits until a line with that in it is said. */
    public void awaitMessage(String text) {
        await(text, () -> messages().stream().anyMatch(line -> line.contains(text)));
    }

    /** Waits until so many lines are said. */
    public void awaitMessages(int count) {
        await(count + " lines", () -> messages().size() >= count);
    }

    private void await(String what, BooleanSupplier said) {
        long start = System.nanoTime();
        while (!said.getAsBoolean()) {
            pause(start, "there is no " + what);
        }
    }

    /** Between two looks; more of them would take the server's time. */
    private void pause(long start, String state) {
        if (System.nanoTime() - start > 30_000_000_000L) {
            throw new AssertionError("after 30 s " + state + "; said is " + messages());
        }
        LockSupport.parkNanos(2_000_000);
    }

    /** Waits until a GET has that status and text. */
    public void await(String target, int status, String text) throws IOException {
        long start = System.nanoTime();
        RawResponse last = get(target);
        while (last.status() != status || !last.text().equals(text)) {
            pause(start, target + " is answered with " + last.head() + last.text());
            last = get(target);
        }
    }

    public RawResponse get(String target, String... fields) throws IOException {
        return send("GET", target, fields);
    }

    /** The answer on a connection of its own. */
    public RawResponse send(String method, String target, String... fields) throws IOException {
        boolean named = Stream.of(fields).anyMatch(field -> field.startsWith("Host:"));
        String host = named ? "" : "Host: x\r\n";
        String lines = String.join("\r\n", fields) + (fields.length == 0 ? "" : "\r\n");
        try (var client = new RawClient(server.port())) {
            return client.send(method + " " + target + " HTTP/1.1\r\n" + host + lines + "\r\n")
                    .response(method.equals("HEAD"));
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        handler.close();
    }
}

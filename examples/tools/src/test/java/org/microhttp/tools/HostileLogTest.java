package org.microhttp.tools;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;

import java.io.*;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.*;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.*;
import org.microhttp.extras.accesslog.*;
import org.microhttp.extras.testing.*;
import org.microhttp.testing.*;
import org.microhttp.tools.testing.*;

/** No text that a client chooses forges or breaks a line of an access log, or one of a server of files. */
@Tier.Gate
@Timeout(value = 40, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HostileLogTest {

    /** GoAccess reads no more of a line. */
    private static final int LONGEST = 4095;

    private static final String QUOTED = "\"([^\"\\\\]|\\\\x[0-9a-f]{2})*\"";

    /** A line as it has to be read. */
    private static final Map<AccessFormat, String> LINES = Map.of(
            AccessFormat.COMMON, "127\\.0\\.0\\.1 - - \\[[^]]+] " + QUOTED + " [0-9]{3} [0-9]+",
            AccessFormat.COMBINED, "127\\.0\\.0\\.1 - - \\[[^]]+] " + QUOTED + " [0-9]{3} [0-9]+ " + QUOTED
                    + " " + QUOTED,
            AccessFormat.JSON, "\\{.*}");

    @TempDir
    private Path folder;

    private static void served(Request request, Consumer<Response> callback) {
        callback.accept(TestServer.ok("served"));
    }

    private static void send(TestServer server, Stream<byte[]> inputs) throws Exception {
        for (byte[] input : (Iterable<byte[]>) inputs::iterator) {
            sendOne(server, input);
        }
        server.assertServes();
    }

    private static void sendOne(TestServer server, byte[] input) throws IOException {
        try (var client = new RawClient(server.port())) {
            client.send(input).halfClose();
            client.readUntilItFails();
        }
    }

    /** Exchanges of which the client chose the text, each of them a line, and every line of an exchange. */
    @ParameterizedTest
    @EnumSource
    void clientTextForgesNoLineOfTheAccessLog(AccessFormat format) throws Exception {
        var file = new ByteArrayOutputStream();
        var events = new RecordingLogger();
        try (var log = new AccessLogger(Channels.newChannel(file), format, Trust.nobody());
                var server = new TestServer(TestServer.options().withExchangeListener(log), events,
                        HostileLogTest::served)) {
            send(server, HostileTexts.all().stream());
            server.stop();
        }
        List<String> lines = Arrays.asList(file.toString(ISO_8859_1).split("\n"));
        assertTrue(lines.size() > HostileTexts.all().size(), () -> "" + lines.size());
        for (String line : lines) {
            assertTrue(line.matches("[ -~]*") && line.length() < LONGEST, line);
            assertTrue(line.matches(LINES.get(format)), line);
            if (format == AccessFormat.JSON) {
                assertNull(((Map<?, ?>) JsonReader.read(line)).get("event"), line);
            }
        }
        assertEquals(events.count("exchange"), lines.size());
    }

    /** What proxies that are trusted say of the client is an address, or nothing. */
    @ParameterizedTest
    @EnumSource
    void clientIsAlwaysAnAddress(AccessFormat format) throws Exception {
        var file = new ByteArrayOutputStream();
        try (var log = new AccessLogger(Channels.newChannel(file), format, Trust.of("127.0.0.0/8"));
                var server = new TestServer(TestServer.options().withExchangeListener(log),
                        new NoopLogger(), HostileLogTest::served)) {
            send(server, HostileTexts.TEXTS.stream().map(HostileTexts.FORWARDED::with));
            server.stop();
        }
        for (String line : file.toString(ISO_8859_1).split("\n")) {
            String client = format == AccessFormat.JSON
                    ? "" + ((Map<?, ?>) JsonReader.read(line)).get("client")
                    : line.substring(0, line.indexOf(' '));
            assertTrue(client.matches("-|[0-9]{1,3}(\\.[0-9]{1,3}){3}"), line);
        }
    }

    @Test
    void clientTextForgesNoLineOfFileServer() throws Exception {
        PrintStream standard = System.err;
        var errors = new ByteArrayOutputStream();
        System.setErr(new PrintStream(errors, true, ISO_8859_1));
        try (var site = new FileSite(folder, 1 << 20)) {
            site.write("alive", "alive");
            site.write("folder/index.html", "home");
            send(site.server, HostileTexts.all().stream());
        } finally {
            System.setErr(standard);
        }
        for (String line : errors.toString(ISO_8859_1).split("\n")) {
            assertTrue(line.matches("(FileServer: [ -~]*)?"), line);
            assertTrue(line.length() < LONGEST, line);
        }
    }

    /** Where the Host field says which archive answers. */
    @Test
    void clientTextForgesNoLineOfSiteArchive() throws Exception {
        new HandMadeArchive(false).texts("/", "home").write(folder.resolve("x.cdb"));
        try (var site = new ArchiveSite(ArchiveSite.Way.FILE.ofAll(folder, true))) {
            for (byte[] input : HostileTexts.all()) {
                sendOne(site.server, input);
            }
            for (String line : site.messages()) {
                assertTrue(line.matches("[ -~]*") && line.length() < LONGEST, line);
            }
            assertEquals(200, site.get("/").status());
        }
    }
}

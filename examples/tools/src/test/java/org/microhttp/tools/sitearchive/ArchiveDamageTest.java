package org.microhttp.tools.sitearchive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.*;

import java.io.*;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.*;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.*;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.microhttp.extras.testing.*;
import org.microhttp.testing.RawClient;
import org.microhttp.testing.Tier;
import org.microhttp.tools.sitearchive.format.ArchiveFormat;
import org.microhttp.tools.sitearchive.serving.ServeSettings;
import org.microhttp.tools.sitearchive.serving.SiteHandler;
import org.microhttp.tools.testing.*;
import org.microhttp.tools.testing.ArchiveSite.Way;

/**
 * What {@code SiteArchive serve} makes of archives that are damaged: before it opens them, and while it
 * serves.
 */
@Tier.Program
final class ArchiveDamageTest {

    private static final int HEADER = 2048;

    private static final PrintStream NOWHERE = new PrintStream(OutputStream.nullOutputStream(), true, UTF_8);

    @TempDir
    private Path folder;

    private static HandMadeArchive small() {
        return new HandMadeArchive().texts("/a", "first", "/b", "second").text('N', 404, "/", "none");
    }

    private static String refusal(Way way, Path file) {
        return refusal(way.of(file));
    }

    private static String refusal(ServeSettings settings) {
        return assertThrows(IOException.class, () -> SiteHandler.open(settings, NOWHERE).close())
                .getMessage();
    }

    /** In memory all of them; in the other ways, which read alike, every fifth after the header. */
    @ParameterizedTest
    @EnumSource(names = {"FILE", "MEMORY", "MAPPED"})
    void changedByteIsRefused(Way way) throws Exception {
        refuseBytes(way, way == Way.MEMORY ? 0 : HEADER, way == Way.MEMORY ? 1 : 5);
    }

    @Tier.Full
    @ParameterizedTest
    @EnumSource(names = {"FILE", "MAPPED"})
    void everyChangedByteAfterTheHeaderIsRefused(Way way) throws Exception {
        refuseBytes(way, HEADER, 1);
    }

    private void refuseBytes(Way way, int from, int step) throws Exception {
        Path file = write();
        byte[] bytes = Files.readAllBytes(file);
        for (int i = from; i < bytes.length; i += step) {
            damage(file, i, bytes[i] ^ 1 << i % 8);
            refusal(way, file);
            damage(file, i, bytes[i]);
        }
        SiteHandler.open(way.of(file), NOWHERE).close();
    }

    @ParameterizedTest
    @EnumSource(names = {"FILE", "MEMORY", "MAPPED"})
    void cutArchiveIsRefused(Way way) throws Exception {
        Path file = write();
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(1), channel.size());
            refusal(way, file);
            long length = channel.size() - 1;
            while (length > 0) {
                length -= 1 + length % 3;
                channel.truncate(Math.max(0, length));
                refusal(way, file);
            }
        }
    }

    private Path write() throws IOException {
        return small().write(folder.resolve("site.cdb"));
    }

    @Test
    void errorNamesTheDamagedRecord() throws Exception {
        Path file = write();
        byte[] bytes = Files.readAllBytes(file);
        String text = new String(bytes, ISO_8859_1);
        damage(file, text.indexOf("second"));
        String refused = refusal(Way.MEMORY, file);
        assertSays(refused, "content " + ArchiveFormat.idOf("second".getBytes(UTF_8)) + " is damaged");
        assertSays(refused, file.toString());
        Files.write(file, bytes);
        damage(file, text.indexOf("max-age=60"));
        refused = refusal(Way.MEMORY, file);
        assertTrue(refused.matches(".*the metadata \\S{43} are damaged"), refused);
    }

    private static void damage(Path file, int at) throws IOException {
        damage(file, at, '!');
    }

    private static void damage(Path file, int at, int value) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {(byte) value}), at);
        }
    }

    static List<Consumer<List<Map.Entry<String, byte[]>>>> faults() {
        String id = ArchiveFormat.idOf(new byte[1]);
        return List.of(
                all -> all.remove(0),
                all -> all.set(0, Map.entry("format", "another 1\n".getBytes(UTF_8))),
                all -> all.set(0, Map.entry("format", ArchiveFormat.format(true))),
                all -> all.add(1, all.remove(2)),
                all -> all.add(all.get(all.size() - 1)),
                all -> add(all, "other", ""),
                all -> add(all, "", ""),
                all -> all.removeIf(record -> record.getKey().startsWith("C")),
                all -> all.removeIf(record -> record.getKey().startsWith("M")),
                all -> add(all, "P/z", "identity " + id + " " + id + "\n"),
                all -> add(all, "P/z", ""),
                all -> add(all, "Pz", last(all)),
                all -> add(all, "P//z", last(all)),
                all -> add(all, "P/z", last(all).repeat(2)),
                all -> add(all, "P/z", last(all).replace("identity", "gzip")),
                all -> add(all, "P/z", last(all).replace("\n", "")),
                all -> add(all, "N/z/", last(all)),
                all -> add(all, "W/z", last(all)));
    }

    private static void add(List<Map.Entry<String, byte[]>> all, String key, String value) {
        all.add(Map.entry(key, value.getBytes(UTF_8)));
    }

    private static String last(List<Map.Entry<String, byte[]>> all) {
        return new String(all.get(all.size() - 1).getValue(), UTF_8);
    }

    /** Its digests are right, and yet it is none. */
    @ParameterizedTest
    @MethodSource("faults")
    void otherFilesAreNoArchives(Consumer<List<Map.Entry<String, byte[]>>> fault) throws Exception {
        var made = new HandMadeArchive().texts("/a", "first", "/b", "second");
        Path file = folder.resolve("site.cdb");
        HandMadeArchive.write(file, made.records());
        SiteHandler.open(Way.FILE.of(file), NOWHERE).close();
        List<Map.Entry<String, byte[]>> records = new ArrayList<>(made.records());
        fault.accept(records);
        HandMadeArchive.write(file, records);
        for (Way way : Way.values()) {
            refusal(way, file);
        }
    }

    /** In the place where it is: what is in memory is served on, and of the rest nothing that is wrong. */
    @ParameterizedTest
    @EnumSource
    void archiveCutWhileServedSendsNothingWrong(Way way) throws Exception {
        String large = "0123456789".repeat(20_000);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            texts.addAll(List.of("/" + i, ("text " + i + " ").repeat(100 * i)));
        }
        texts.addAll(List.of("/large", large));
        var archive = new HandMadeArchive().texts(texts.toArray(String[]::new));
        Path file = archive.write(folder.resolve("site.cdb"));
        try (var site = new ArchiveSite(way.of(file));
                var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            assertEquals(texts.get(3), site.get("/1").text());
            long length = channel.size();
            for (long left = length - 1; left > 0; left -= length / 11) {
                channel.truncate(left);
                for (int i = 0; i < texts.size(); i += 2) {
                    ask(site, texts.get(i), texts.get(i + 1), way.name().startsWith("MEMORY"));
                }
            }
        }
    }

    private static void ask(ArchiveSite site, String target, String text, boolean must) throws IOException {
        try (var client = new RawClient(site.server.port())) {
            String answer = client.send(FileSite.request("GET", target, "Connection: close"))
                    .readUntilItFails();
            if (answer.startsWith("HTTP/1.1 200 ")) {
                // less of it is an end of the connection that says so
                String sent = answer.substring(answer.indexOf("\r\n\r\n") + 4);
                assertTrue(text.startsWith(sent) && (sent.equals(text) || !must), target);
            } else {
                assertTrue(!must && answer.matches("(?s)(?:HTTP/1.1 (?:404|500) .*)?"), answer);
            }
        }
    }

    /** Though it is not watched: nothing of it is sent until it is what it was. */
    @ParameterizedTest
    @EnumSource(names = {"FILE", "FILE_INDEXED", "MAPPED", "MAPPED_INDEXED"})
    void archiveChangedInPlaceIsNotSent(Way way) throws Exception {
        Path file = write();
        byte[] bytes = Files.readAllBytes(file);
        String text = new String(bytes, ISO_8859_1);
        try (var site = new ArchiveSite(way.of(file))) {
            damage(file, text.indexOf("second"));
            assertEquals(500, site.get("/b").status());
            site.awaitMessage(file + " is refused: the content ");
            site.awaitMessage(file + ": it was changed in place");
            assertEquals(500, site.get("/a").status());
            try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.wrap(bytes));
            }
            site.await("/b", 200, "second");
            site.awaitMessage(file + " is new, and is served now");
            site.assertMessages(3, "");
        }
    }

    /** Under another name its file is not looked at any more, but what is kept of it is what it was. */
    @ParameterizedTest
    @EnumSource(names = {"FILE", "FILE_INDEXED", "MAPPED", "MAPPED_INDEXED"})
    void keptContentIsVerified(Way way) throws Exception {
        Path file = write();
        String text = Files.readString(file, ISO_8859_1);
        try (var site = new ArchiveSite(way.of(file))) {
            for (int i = 0; i < 2; i++) {
                assertEquals("first", site.get("/a").text());
            }
            assertEquals("second", site.get("/b").text());
            Path away = Files.move(file, folder.resolve("away"));
            damage(away, text.indexOf("first"));
            damage(away, text.indexOf("second"));
            assertEquals("first", site.get("/a").text());
            assertEquals(500, site.get("/b").status());
            assertEquals(500, site.get("/b").status());
            site.assertMessages(1, "is damaged");
            assertEquals(2, site.handler.counts().failed());
        }
    }

    /** Only its time, its name or who may read it: it is looked at where it is open, and served on. */
    @ParameterizedTest
    @EnumSource
    void renamedArchiveIsServedOn(Way way) throws Exception {
        Path file = write();
        try (var site = new ArchiveSite(way.watching(file, Duration.ZERO))) {
            Rights.give(file, "r--------");
            Files.createLink(folder.resolve("link"), file);
            assertEquals("first", site.get("/a").text());
            Files.setLastModifiedTime(file, FileTime.fromMillis(1));
            site.await("/a", 200, "first");
            small().texts("/c", "third").replace(file);
            site.await("/c", 200, "third");
            site.awaitMessage("is new");
            site.assertMessages(1, "is new");
            site.assertMessages(0, "refused");
        }
    }

    /** All but the contents is read when it is opened. */
    @ParameterizedTest
    @EnumSource(names = {"FILE", "MEMORY", "MAPPED"})
    void openArchiveIsServedThoughItsFileIsDamaged(Way way) throws Exception {
        Path file = write();
        long metadata = Files.readString(file, ISO_8859_1).indexOf("Cache-Control");
        try (var site = new ArchiveSite(way.of(file));
                var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            // under another name it is not looked at any more
            Files.move(file, folder.resolve("away"));
            channel.write(ByteBuffer.allocate((int) (channel.size() - metadata)), metadata);
            assertEquals("first", site.get("/a").text());
            assertEquals("second", site.get("/b").text());
        }
    }

    @Test
    void saysWhyThereIsNoArchive() {
        Path none = folder.resolve("none");
        for (Path file : List.of(none, folder)) {
            assertSays(refusal(Way.FILE, file), file.toString());
        }
        assertSays(refusal(Way.FILE.ofAll(folder, false)), "has no archive; allowed: HOST.cdb");
        assertSays(refusal(Way.FILE.ofAll(none, false)), "there is no such folder");
    }

    private static void assertSays(String refused, String text) {
        assertTrue(refused.contains(text), refused);
    }
}

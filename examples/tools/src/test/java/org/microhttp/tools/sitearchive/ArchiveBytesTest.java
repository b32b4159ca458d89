package org.microhttp.tools.sitearchive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.*;

import java.io.*;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.Body;
import org.microhttp.Response;
import org.microhttp.testing.*;
import org.microhttp.tools.cdb.*;
import org.microhttp.tools.sitearchive.format.ArchiveBytes;
import org.microhttp.tools.sitearchive.format.ArchiveBytes.Kind;
import org.microhttp.tools.sitearchive.format.BodyCheck;
import org.microhttp.tools.testing.CdbRecords;

/** The bytes of an archive in its file, in memory and mapped, in one buffer and in several. */
@Tier.Gate
final class ArchiveBytesTest {

    /** Smaller than most records are together, and larger than each. */
    private static final int REGION = 90_000;

    @TempDir
    private Path folder;
    private final CdbRecords records = new CdbRecords().addRandom(new SplittableRandom(9), 150);
    private final List<ArchiveBytes> opened = new ArrayList<>();
    private Path path;
    private byte[] content;

    @BeforeEach
    void write() throws IOException {
        path = records.write(folder.resolve("site.cdb"));
        content = Files.readAllBytes(path);
    }

    @AfterEach
    void release() {
        opened.forEach(ArchiveBytes::release);
    }

    private ArchiveBytes open(Kind kind, int region) throws IOException {
        ArchiveBytes bytes = ArchiveBytes.open(path, kind, region);
        opened.add(bytes);
        return bytes;
    }

    private static byte[] read(CdbBytes bytes, long at, int count) throws IOException {
        var target = ByteBuffer.allocate(count + 2).position(1).limit(count + 1);
        bytes.read(at, target);
        assertEquals(count + 1, target.position());
        return Arrays.copyOfRange(target.array(), 1, count + 1);
    }

    private static void assertBeyond(Executable reading) {
        assertThrows(EOFException.class, reading);
    }

    private void assertRead(CdbBytes bytes, long at, int count) throws IOException {
        assertArrayEquals(Arrays.copyOfRange(content, (int) at, (int) at + count), read(bytes, at, count));
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void allOfItIsReadWithATailInMemory(Kind kind) throws IOException {
        ArchiveBytes bytes = open(kind, Integer.MAX_VALUE);
        for (int from : new int[] {0, 1, content.length / 2, content.length - 1, content.length}) {
            CdbBytes tailed = bytes.withTail(from, content.length - from);
            assertEquals(content.length, tailed.length());
            assertRead(tailed, 0, content.length);
            assertRead(tailed, from, content.length - from);
            int before = Math.max(0, from - 1);
            assertRead(tailed, before, Math.min(2, content.length - before));
            assertBeyond(() -> read(tailed, from, content.length - from + 1));
            records.assertAll(tailed);
        }
    }

    @Test
    void aTailIsReadOnceAndTheRestFromTheFile() throws IOException {
        ArchiveBytes bytes = open(Kind.FILE, Integer.MAX_VALUE);
        int from = content.length / 2;
        CdbBytes tailed = bytes.withTail(from, content.length);
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
            file.truncate(from);
        }
        assertRead(tailed, from, content.length - from);
        assertRead(tailed, 0, from);
        assertBeyond(() -> read(tailed, from - 1, 2));
    }

    @Test
    void aTailThatTakesMoreThanItMayStaysInTheFile() throws IOException {
        ArchiveBytes bytes = open(Kind.FILE, Integer.MAX_VALUE);
        assertSame(bytes, bytes.withTail(10, content.length - 11));
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void allOfItIsRead(Kind kind) throws IOException {
        for (int region : new int[] {Integer.MAX_VALUE, content.length, content.length - 1, REGION}) {
            ArchiveBytes bytes = open(kind, region);
            bytes.preload();
            assertTrue(bytes.isWhole());
            assertEquals(content.length, bytes.length());
            assertRead(bytes, 0, content.length);
            var random = new SplittableRandom(region);
            for (int i = 0; i < 2_000; i++) {
                int at = random.nextInt(content.length + 1);
                assertRead(bytes, at, random.nextInt(1 + content.length - at) >> random.nextInt(16));
            }
            records.assertAll(bytes);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void nothingIsReadBeyondTheEnd(Kind kind) throws IOException {
        for (int region : new int[] {Integer.MAX_VALUE, REGION}) {
            ArchiveBytes bytes = open(kind, region);
            assertEquals(0, read(bytes, content.length, 0).length);
            for (long at : new long[] {-1, content.length, content.length + 1L, 1L << 31, 1L << 32,
                    Long.MAX_VALUE, Long.MIN_VALUE}) {
                assertBeyond(() -> read(bytes, at, 1));
                assertBeyond(() -> bytes.body(at, 1, BodyCheck.NONE));
            }
            assertBeyond(() -> read(bytes, 1, content.length));
            assertBeyond(() -> bytes.body(0, Long.MAX_VALUE, BodyCheck.NONE));
            assertBeyond(() -> bytes.body(0, -1, BodyCheck.NONE));
        }
    }

    /** Each value is a body, whatever the size of regions; and part of one is, too. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void eachValueIsABody(Kind kind) throws Exception {
        for (int region : new int[] {Integer.MAX_VALUE, REGION}) {
            ArchiveBytes bytes = open(kind, region);
            var body = new AtomicReference<Body>();
            try (var server = new TestServer((request, callback) ->
                    callback.accept(new Response(200, "OK", List.of(), body.get())))) {
                RawClient client = server.connect();
                new CdbReader(bytes).forEach((key, value) -> {
                    long cut = value.length() / 3;
                    for (long from : new long[] {0, cut}) {
                        assertTrue(bytes.take());
                        body.set(bytes.body(value.position() + from, value.length() - from, BodyCheck.NONE));
                        byte[] sent = client.get("/").response().body();
                        var rest = new CdbValue(value.position() + from, value.length() - from);
                        assertArrayEquals(CdbRecords.content(bytes, rest), sent);
                    }
                });
            }
        }
    }

    @Test
    void bodyCannotSpanRegions() throws IOException {
        for (Kind kind : new Kind[] {Kind.MEMORY, Kind.MAPPED}) {
            ArchiveBytes bytes = open(kind, REGION);
            assertThrows(IOException.class, () -> bytes.body(0, content.length, BodyCheck.NONE));
        }
    }

    @Test
    void recordLargerThanARegionIsRefused() {
        for (Kind kind : new Kind[] {Kind.MEMORY, Kind.MAPPED}) {
            var refusal = assertThrows(IOException.class, () -> ArchiveBytes.open(path, kind, 20_000));
            assertTrue(refusal.getMessage().contains(" longer than 20000 bytes"), refusal.getMessage());
        }
    }

    @Test
    void emptyRegionsAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> ArchiveBytes.open(path, Kind.MEMORY, 0));
    }

    /** A JVM of its own opens the file, which may have less beside its heap than that. */
    @Test
    void lackOfMemoryIsReported() throws Exception {
        Process process = Programs.withoutJavaOptions(new ProcessBuilder(Programs.JAVA, "-Xmx64m",
                "-XX:MaxDirectMemorySize=200k", "-cp", System.getProperty("java.class.path"),
                Opening.class.getName(), path.toString())).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertEquals("the archive does not fit into memory: it has " + content.length
                + " bytes; -XX:MaxDirectMemorySize sets what a JVM has beside its heap\n", said);
    }

    /** Tells why a file cannot be read into memory. */
    static final class Opening {

        public static void main(String[] arguments) {
            try {
                System.out.println(ArchiveBytes.open(Path.of(arguments[0]), Kind.MEMORY).length());
            } catch (IOException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    /** Nor stays it open when it is refused. */
    @Test
    void theLastThatReleasesItClosesIt() throws IOException {
        assertThrows(IOException.class, () -> ArchiveBytes.open(path, Kind.MEMORY, 20_000));
        assertEquals(List.of(), Leaks.open(path.toString()));
        for (Kind kind : Kind.values()) {
            ArchiveBytes bytes = ArchiveBytes.open(path, kind);
            assertEquals(kind == Kind.MEMORY ? 0 : 1, Leaks.open(path.toString()).size());
            assertTrue(bytes.take());
            bytes.release();
            assertTrue(bytes.take());
            bytes.release();
            bytes.release();
            assertFalse(bytes.take());
            assertEquals(List.of(), Leaks.open(path.toString()));
        }
        ArchiveBytes closed = ArchiveBytes.open(path, Kind.FILE);
        closed.release();
        assertThrows(ClosedChannelException.class, () -> read(closed, 0, 1));
    }

    @Test
    void bodyReleasesItsArchive() throws Exception {
        for (Kind kind : Kind.values()) {
            ArchiveBytes bytes = ArchiveBytes.open(path, kind);
            var response = new Response(200, "OK", List.of(), bytes.body(0, 100, BodyCheck.NONE));
            try (var server = new TestServer((request, callback) -> callback.accept(response))) {
                RawClient client = server.connect();
                for (int i = 0; i < 3; i++) {
                    assertTrue(bytes.take());
                    assertArrayEquals(Arrays.copyOf(content, 100), client.get("/").response().body());
                }
            }
            assertTrue(bytes.take(), "who opened it has it still");
            bytes.release();
            bytes.release();
            assertFalse(bytes.take());
        }
    }

    @Test
    void missingFilesAndFoldersAreRefused() {
        for (Kind kind : Kind.values()) {
            assertThrows(NoSuchFileException.class, () -> ArchiveBytes.open(folder.resolve("none"), kind));
            var refusal = assertThrows(FileSystemException.class, () -> ArchiveBytes.open(folder, kind));
            assertEquals("it is not a regular file", refusal.getReason());
        }
    }

    /** It is no archive, and says so; the size of an archive is not looked at here. */
    @Test
    void emptyFileIsNoArchive() throws IOException {
        Path empty = Files.createFile(folder.resolve("empty"));
        for (Kind kind : Kind.values()) {
            ArchiveBytes bytes = ArchiveBytes.open(empty, kind);
            assertEquals(0, bytes.length());
            assertThrows(IOException.class, () -> new CdbReader(bytes));
            bytes.release();
        }
    }

    /** What is in memory stays; of the others it is noticed. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void cutFileIsNoticed(Kind kind) throws Exception {
        ArchiveBytes bytes = open(kind, Integer.MAX_VALUE);
        var reader = new CdbReader(bytes);
        try (var file = FileChannel.open(path, StandardOpenOption.WRITE)) {
            file.truncate(4_096);
        }
        assertEquals(kind == Kind.MEMORY, bytes.isWhole());
        if (kind == Kind.MEMORY) {
            records.assertFound(bytes, reader);
            return;
        }
        for (int i = 0; i < records.size(); i++) {
            byte[] key = records.key(i);
            assertThrows(IOException.class, () -> reader.find(key));
        }
        assertThrows(IOException.class, bytes::preload);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void threadsSearchAtOnce(Kind kind) throws Exception {
        ArchiveBytes bytes = open(kind, REGION);
        var reader = new CdbReader(bytes);
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(CompletableFuture.runAsync(() -> assertFound(bytes, reader)));
        }
        for (CompletableFuture<Void> thread : threads) {
            thread.get();
        }
    }

    private void assertFound(ArchiveBytes bytes, CdbReader reader) {
        try {
            records.assertFound(bytes, reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package org.microhttp.tools.cdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.*;
import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.testing.Tier;
import org.microhttp.tools.sitearchive.format.ArchiveBytes;
import org.microhttp.tools.sitearchive.format.ArchiveBytes.Kind;
import org.microhttp.tools.testing.*;

/** Beyond 2 GiB, where a number with a sign would be negative, and up to the end at 4 GiB: files of holes. */
@Tier.Gate
final class CdbLargeTest {

    private static final long MAX = 0xFFFF_FFFFL;

    @TempDir
    private Path folder;
    private Path path;
    private CdbWriter writer;

    @BeforeEach
    void open() throws IOException {
        path = folder.resolve("large.cdb");
        writer = new CdbWriter(new HoledFile(FileChannel.open(path, CREATE_NEW, SPARSE, READ, WRITE)));
    }

    @AfterEach
    void close() throws IOException {
        writer.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private void put(String key, String value) throws IOException {
        writer.put(bytes(key), ByteBuffer.wrap(bytes(value)));
    }

    /** Puts zeros, and a text behind them. */
    private void put(String key, long zeros, String end) throws IOException {
        writer.put(bytes(key), HoledFile.zeros(zeros, end));
    }

    private static String end(ArchiveBytes bytes, String key) throws IOException {
        CdbValue found = new CdbReader(bytes).find(bytes(key));
        int count = (int) Math.min(found.length(), 10);
        var end = new CdbValue(found.position() + found.length() - count, count);
        return new String(CdbRecords.content(bytes, end), UTF_8).replace("\0", "");
    }

    private void putBeyondTwoGiB() throws IOException {
        put("first", "1");
        put("large", 1_100L << 20, "end of it");
        put("larger", 1_000L << 20, "end, too");
        for (int i = 0; i < 1_000; i++) {
            put("key " + i, "value " + i);
        }
        writer.finish();
    }

    /** They are in two mappings. */
    @Test
    void recordsBeyondTwoGiBAreFound() throws Exception {
        putBeyondTwoGiB();
        for (Kind kind : new Kind[] {Kind.FILE, Kind.MAPPED}) {
            ArchiveBytes bytes = ArchiveBytes.open(path, kind);
            var reader = new CdbReader(bytes);
            reader.check();
            assertTrue(reader.end() > 2_100L << 20);
            assertEquals("1", end(bytes, "first"));
            assertEquals("end of it", end(bytes, "large"));
            assertEquals("end, too", end(bytes, "larger"));
            assertEquals("value 0", end(bytes, "key 0"));
            assertEquals("value 999", end(bytes, "key 999"));
            assertNull(reader.find(bytes("key 1000")));
            bytes.release();
        }
        TinyCdb.assumeInstalled();
        assertEquals("value 500", TinyCdb.text("-q", path.toString(), "key 500"));
    }

    /** It reads all of them, holes too. */
    @Test
    @Tier.Full
    void tinycdbCountsRecordsBeyondTwoGiB() throws Exception {
        TinyCdb.assumeInstalled();
        putBeyondTwoGiB();
        String statistics = TinyCdb.text("-s", path.toString());
        assertTrue(statistics.startsWith("number of records: 1003\n"), statistics);
    }

    /** Up to the last byte; what is refused leaves no trace. */
    @Test
    void recordsBeyondFourGiBAreRefused() throws Exception {
        put("first", "1");
        long tables = 3 * 16;
        long room = MAX - tables - writer.position() - 2 * 8 - "large".length() - "last".length();
        put("large", room - 10, "end of it");
        long before = writer.position();
        CdbRecords.assertRefused(IOException.class, () -> put("last", "22"),
                "the file would be longer than a CDB can be, 4 GiB: behind 2 records there is room for"
                        + " a value of 1 bytes, and the next one has 2");
        assertThrows(IOException.class, () -> put("a longer key", ""));
        assertThrows(IOException.class, () -> put("huge", MAX, "more than numbers have"));
        assertEquals(before, writer.position());
        assertEquals(before, Files.size(path));
        put("last", "2");
        writer.finish();
        assertEquals(MAX, Files.size(path));
        ArchiveBytes bytes = ArchiveBytes.open(path, Kind.FILE);
        new CdbReader(bytes).check();
        assertEquals("1", end(bytes, "first"));
        assertEquals("end of it", end(bytes, "large"));
        assertEquals("2", end(bytes, "last"));
        bytes.release();
        assertNoBufferHasIt();
        TinyCdb.assumeInstalled();
        assertEquals("2", TinyCdb.text("-q", path.toString(), "last"));
    }

    private void assertNoBufferHasIt() {
        for (Kind kind : new Kind[] {Kind.MEMORY, Kind.MAPPED}) {
            var refusal = assertThrows(IOException.class, () -> ArchiveBytes.open(path, kind));
            assertTrue(refusal.getMessage().contains(" longer than 2147483647 bytes"), refusal.getMessage());
        }
    }

    @Test
    void tooLongFileIsRefused() throws IOException {
        writer.finish();
        try (var file = FileChannel.open(path, WRITE)) {
            file.write(ByteBuffer.allocate(1), MAX);
        }
        ArchiveBytes bytes = ArchiveBytes.open(path, Kind.FILE);
        CdbRecords.assertRefused(IOException.class, () -> new CdbReader(bytes),
                "the file has 4294967296 bytes; a CDB has from 2048 to 4294967295");
        bytes.release();
    }
}

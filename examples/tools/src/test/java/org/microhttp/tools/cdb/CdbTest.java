package org.microhttp.tools.cdb;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.*;
import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.testing.Tier;
import org.microhttp.tools.testing.*;
import org.microhttp.wire.model.RandomCases;

/**
 * What is put into a database is found in it, and what cannot be put is refused. The program {@code cdb} of
 * tinycdb and ours read what the other writes, and write the same.
 */
@Tier.Gate
final class CdbTest {

    private static final int CASES = 200;

    @TempDir
    private Path folder;

    private CdbWriter writer(String name) throws IOException {
        return new CdbWriter(FileChannel.open(folder.resolve(name), CREATE_NEW, WRITE));
    }

    private CountingCdbBytes bytes(String name) throws IOException {
        return new CountingCdbBytes(Files.readAllBytes(folder.resolve(name)));
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }

    private void assertFound(CdbRecords records) throws IOException {
        records.assertAll(new CountingCdbBytes(records.bytes(folder)));
    }

    @Test
    void storedRecordsAreFound() throws Exception {
        RandomCases.forEach(CASES, random -> {
            var records = new CdbRecords().addRandom(random, random.nextInt(60));
            assertFound(records);
        });
    }

    /** In each byte of a hash that a sign could get into. */
    @Test
    void keysOfAllBytesAreFound() throws IOException {
        var records = new CdbRecords();
        for (int i = 0; i < 1 << 16; i++) {
            records.add(new byte[] {(byte) i, (byte) (i >> 8), (byte) -i}, new byte[] {(byte) (i * 7)});
        }
        assertFound(records);
    }

    @Test
    void keysThatDifferInTheirLastByteAreFound() throws IOException {
        var records = new CdbRecords();
        for (int length : new int[] {1, 247, 248, 249, 503, 504, 505, 4_095, 4_096, 4_097, 100_000}) {
            for (int last = 0; last < 3; last++) {
                var key = new byte[length];
                key[length - 1] = (byte) last;
                records.add(key, new byte[] {(byte) length, (byte) last});
            }
        }
        assertFound(records);
    }

    /** Two texts of two bytes lead from one hash to another one, so 256 combinations of eight pairs do. */
    @Test
    void keysOfOneHashAreFound() throws IOException {
        var keys = new ArrayList<>(List.of(""));
        for (int i = 0; i < 8; i++) {
            List<String> pair = pair(hash(keys.get(0)));
            keys = keys.stream().flatMap(key -> pair.stream().map(key::concat))
                    .collect(toCollection(ArrayList::new));
        }
        assertEquals(1, keys.stream().mapToInt(CdbTest::hash).distinct().count());
        String absent = keys.remove(0);
        var records = new CdbRecords();
        keys.forEach(key -> records.add(key, "value of " + key));
        byte[] bytes = records.bytes(folder);
        records.assertAll(new CountingCdbBytes(bytes));
        var counted = new CountingCdbBytes(bytes);
        assertNull(new CdbReader(counted).find(absent.getBytes(ISO_8859_1)));
        assertTrue(counted.reads() > keys.size(), "they are not of one hash");
    }

    private static List<String> pair(int hash) {
        Map<Integer, String> texts = new HashMap<>();
        for (char first = '0'; first < 'z'; first++) {
            for (char second = '0'; second < 'z'; second++) {
                String text = "" + first + second;
                String other = texts.put(hash(hash, text), text);
                if (other != null) {
                    return List.of(other, text);
                }
            }
        }
        throw new AssertionError("there is no such pair");
    }

    private static int hash(String key) {
        return hash(5381, key);
    }

    private static int hash(int start, String key) {
        int hash = start;
        for (char each : key.toCharArray()) {
            hash = hash * 33 ^ each;
        }
        return hash;
    }

    @Test
    void ofEqualKeysTheFirstIsFound() throws IOException {
        var records = new CdbRecords();
        for (int i = 0; i < 1_000; i++) {
            records.add("key " + i % 3, "value " + i);
        }
        var bytes = new CountingCdbBytes(records.bytes(folder));
        records.assertAll(bytes);
        CdbReader reader = new CdbReader(bytes);
        assertArrayEquals("value 2".getBytes(UTF_8),
                CdbRecords.content(bytes, reader.find("key 2".getBytes(UTF_8))));
    }

    @Test
    void valueMayBeABufferOrAFile() throws IOException {
        var content = new byte[3 << 20];
        new SplittableRandom(3).nextBytes(content);
        Path file = Files.write(folder.resolve("value"), content);
        Path empty = Files.createFile(folder.resolve("empty"));
        var direct = ByteBuffer.allocateDirect(content.length).put(content).position(1_000);
        try (var writer = writer("a");
                var value = FileChannel.open(file);
                var none = FileChannel.open(empty)) {
            assertEquals(2_048, writer.position());
            writer.put(new byte[1], value);
            writer.put(new byte[2], none);
            writer.put(new byte[3], direct.limit(2_000_000));
            assertEquals(1_000, direct.position());
            writer.put(new byte[4], ByteBuffer.wrap(content, 7, 70_000).slice().asReadOnlyBuffer());
            assertEquals(0, value.position());
            assertEquals(2_048 + 4 * 8 + 10 + content.length + 1_999_000 + 70_000, writer.position());
            assertEquals(writer.position(), Files.size(folder.resolve("a")), "what was put is in the file");
            writer.finish();
        }
        new CdbRecords().add(new byte[1], content).add(new byte[2], new byte[0])
                .add(new byte[3], Arrays.copyOfRange(content, 1_000, 2_000_000))
                .add(new byte[4], Arrays.copyOfRange(content, 7, 70_007)).assertAll(bytes("a"));
    }

    @Test
    void endIsThatOfTheRecords() throws IOException {
        var bytes = new CountingCdbBytes(new CdbRecords().add("a", "bc").bytes(folder));
        var reader = new CdbReader(bytes);
        assertEquals(2_048 + 8 + 3, reader.end());
        assertEquals(reader.end() + 16, bytes.length());
    }

    @Test
    void existingFileIsNotOverwritten() throws IOException {
        Path file = Files.write(folder.resolve("a"), new byte[1]);
        try (var channel = FileChannel.open(file, WRITE)) {
            CdbRecords.assertRefused(IllegalArgumentException.class, () -> new CdbWriter(channel),
                    "the file has 1 bytes already; allowed is an empty one");
        }
    }

    @Test
    void finishedFileTakesNoRecords() throws IOException {
        try (var writer = writer("a")) {
            writer.finish();
            CdbRecords.assertRefused(IllegalStateException.class, () -> writer.put(new byte[1], text("a")),
                    "the file is finished");
            assertThrows(IllegalStateException.class, writer::finish);
        }
        new CdbRecords().assertAll(bytes("a"));
    }

    @Test
    void unfinishedFileIsNoDatabase() throws IOException {
        try (var writer = writer("a")) {
            writer.put(new byte[1], text("a"));
        }
        CdbRecords.assertRefused(IOException.class, () -> new CdbReader(bytes("a")),
                "the first table is at position 0, within the header: the file is no CDB, or was never"
                        + " finished");
    }

    /** What went wrong once cannot become a database that looks whole. */
    @Test
    void afterAFailureNothingIsPut() throws IOException {
        var closed = FileChannel.open(Files.createFile(folder.resolve("value")), READ);
        try (var writer = writer("a")) {
            closed.close();
            assertThrows(ClosedChannelException.class, () -> writer.put(new byte[1], closed));
            writer.put(new byte[2], text("nothing of the other was written"));
            try (FileChannel cut = cutFile(1_000, 900)) {
                CdbRecords.assertRefused(IOException.class, () -> writer.put(new byte[1], cut),
                        "the file of a value had 1000 bytes, and 900 when it was read");
            }
            var late = assertThrows(IllegalStateException.class, writer::finish);
            assertEquals("a record could not be written", late.getMessage());
            assertThrows(IllegalStateException.class, () -> writer.put(new byte[1], text("a")));
        }
    }

    /** A file that becomes shorter after its size was asked for. */
    private FileChannel cutFile(long size, int there) throws IOException {
        Path file = Files.write(folder.resolve("cut"), new byte[there]);
        return new HoledFile(FileChannel.open(file)) {
            @Override
            public long size() {
                return size;
            }
        };
    }

    @Test
    void fullDiskFails() throws IOException {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full), "no /dev/full");
        try (var writer = new CdbWriter(FileChannel.open(full, WRITE))) {
            assertThrows(IOException.class, () -> writer.put(new byte[1], text("a")));
            assertThrows(IllegalStateException.class, writer::finish);
        }
        try (var writer = new CdbWriter(FileChannel.open(full, WRITE))) {
            assertThrows(IOException.class, writer::finish);
            var late = assertThrows(IllegalStateException.class, writer::finish);
            assertEquals("the tables could not be written", late.getMessage());
        }
    }

    @Test
    void tooLongKeyIsRefused() throws IOException {
        var longest = new byte[1 << 24];
        try (var writer = writer("a")) {
            var tooLong = new byte[longest.length + 1];
            CdbRecords.assertRefused(IOException.class, () -> writer.put(tooLong, text("a")),
                    "a key has 16777217 bytes; allowed are 16777216");
            writer.put(longest, text("a"));
            writer.finish();
        }
        new CdbRecords().add(longest, new byte[] {'a'}).assertAll(bytes("a"));
    }

    /** Writes them with both, and has both read what the other wrote. */
    private void assertAgreed(CdbRecords records) throws Exception {
        TinyCdb.assumeInstalled();
        Path ours = Files.createTempFile(folder, "ours", ".cdb");
        Files.delete(ours);
        records.write(ours);
        assertArrayEquals(records.dump(), TinyCdb.run("-d", ours.toString()));
        String statistics = TinyCdb.text("-s", ours.toString());
        assertEquals("number of records: " + records.size(), statistics.lines().findFirst().orElseThrow());
        Path dump = Files.write(folder.resolve("dump"), records.dump());
        Path theirs = folder.resolve("theirs.cdb");
        TinyCdb.run(dump, "-c", "-t", folder.resolve("temporary").toString(), theirs.toString());
        records.assertAll(new CountingCdbBytes(Files.readAllBytes(theirs)));
        assertArrayEquals(Files.readAllBytes(theirs), Files.readAllBytes(ours));
    }

    @Test
    void tinycdbAgreesOnNothingAndOnEmptyKeysAndValues() throws Exception {
        assertAgreed(new CdbRecords());
        assertAgreed(new CdbRecords().add("", ""));
        assertAgreed(new CdbRecords().add("a", "").add("", "b").add("a", "c").add("", ""));
    }

    @Test
    void tinycdbAgreesOnRandomRecords() throws Exception {
        var random = new SplittableRandom(15);
        for (int i = 0; i < 20; i++) {
            assertAgreed(new CdbRecords().addRandom(random, 1 << i % 11));
        }
    }

    @Test
    void tinycdbAgreesOnThousandsOfRecordsAndValuesOfMebibytes() throws Exception {
        var records = new CdbRecords();
        for (int i = 0; i < 50_000; i++) {
            records.add("key " + i, "value " + -i);
        }
        var random = new SplittableRandom(16);
        for (int i = 1; i <= 3; i++) {
            var value = new byte[i << 20];
            random.nextBytes(value);
            records.add(("large " + i).getBytes(UTF_8), value);
        }
        assertAgreed(records);
    }

    @Test
    void tinycdbFindsEachKey() throws Exception {
        TinyCdb.assumeInstalled();
        String longKey = "long " + "x".repeat(5_000);
        var records = new CdbRecords().add("P/css/main.css", "of a path").add("C", "").add("two", "1")
                .add("two", "2").add("caf\u00e9", "\u00e9").add(longKey, "y".repeat(5_000));
        String file = records.write(folder.resolve("queried.cdb")).toString();
        assertEquals("of a path", TinyCdb.text("-q", file, "P/css/main.css"));
        assertEquals("", TinyCdb.text("-q", file, "C"));
        assertEquals("12", TinyCdb.text("-q", file, "two"));
        assertEquals("1", TinyCdb.text("-q", "-n", "1", file, "two"));
        assertEquals("2", TinyCdb.text("-q", "-n", "2", file, "two"));
        assertEquals("y".repeat(5_000), TinyCdb.text("-q", file, longKey));
        String keys = TinyCdb.text("-l", file);
        assertTrue(keys.startsWith("+14:P/css/main.css\n+1:C\n+3:two\n+3:two\n+5:caf\u00e9\n"), keys);
    }
}

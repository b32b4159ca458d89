package org.microhttp.tools.cdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.*;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.testing.Tier;
import org.microhttp.tools.testing.CdbRecords;
import org.microhttp.tools.testing.CountingCdbBytes;
import org.microhttp.wire.model.RandomCases;

/**
 * Whatever harm comes to a database, reading it ends soon, with an {@code IOException} or with what is in it;
 * and the check notices all that leads to another record, or to none.
 */
@Tier.Gate
final class CdbDamageTest {

    private static final int HEADER = 2_048;

    @TempDir
    private Path folder;
    private CdbRecords records;
    private byte[] whole;

    @BeforeEach
    void makeIt() throws IOException {
        records = new CdbRecords().add("a", "1").add("", "empty key").add("empty value", "").add("", "");
        for (int i = 0; i < 12; i++) {
            records.add("key " + i % 9, "value " + i);
        }
        whole = records.bytes(folder);
    }

    /** Does harm to what is whole, and looks whether reading it ends, and whether the check accepts it. */
    private boolean isAccepted(Consumer<ByteBuffer> harm) {
        byte[] bytes = whole.clone();
        harm.accept(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
        assertBounded(bytes);
        return isAccepted(bytes);
    }

    private static boolean isAccepted(byte[] bytes) {
        try {
            new CdbReader(new CountingCdbBytes(bytes)).check();
            return true;
        } catch (IOException e) {
            assertNotNull(e.getMessage());
            return false;
        }
    }

    /** Searches for each key, and for one that was never there; what is found must lie among the records. */
    private void assertBounded(byte[] bytes) {
        var counted = new CountingCdbBytes(bytes);
        try {
            var reader = new CdbReader(counted);
            for (int i = 0; i < records.size(); i++) {
                assertWithin(reader, findOrNull(reader, records.key(i)));
            }
            assertWithin(reader, findOrNull(reader, "never".getBytes(UTF_8)));
            reader.forEach((key, value) -> assertWithin(reader, value));
        } catch (IOException e) {
            assertNotNull(e.getMessage());
        }
        assertTrue(counted.read() <= (records.size() + 3L) * (bytes.length + HEADER), "it took too long");
    }

    private static CdbValue findOrNull(CdbReader reader, byte[] key) {
        try {
            return reader.find(key);
        } catch (IOException e) {
            assertNotNull(e.getMessage());
            return null;
        }
    }

    private static void assertWithin(CdbReader reader, CdbValue value) {
        assertTrue(value == null || value.position() >= HEADER && value.length() >= 0
                && value.position() + value.length() <= reader.end());
    }

    /** Searches after one of them only. */
    @Test
    void everyFlippedBitIsNoticed() throws IOException {
        flipEach(false);
    }

    @Test
    @Tier.Full
    void searchesEndDespiteEveryFlippedBit() throws IOException {
        flipEach(true);
    }

    private void flipEach(boolean searching) throws IOException {
        var values = new BitSet();
        new CdbReader(new CountingCdbBytes(whole)).forEach((key, value) ->
                values.set((int) value.position(), (int) (value.position() + value.length())));
        for (int at = 0; at < whole.length; at++) {
            for (int flip : new int[] {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
                byte[] bytes = whole.clone();
                bytes[at] ^= (byte) flip;
                // what is in a value the format cannot tell
                assertEquals(values.get(at), isAccepted(bytes), "byte " + at + " by " + flip);
                if (searching || flip == 1 << at % 8) {
                    assertBounded(bytes);
                }
            }
        }
    }

    @Test
    void everyTruncationIsNoticed() {
        for (int length = 0; length < whole.length; length++) {
            byte[] bytes = Arrays.copyOf(whole, length);
            assertThrows(IOException.class, () -> new CdbReader(new CountingCdbBytes(bytes)));
        }
        byte[] longer = Arrays.copyOf(whole, whole.length + 1);
        CdbRecords.assertRefused(IOException.class, () -> new CdbReader(new CountingCdbBytes(longer)),
                "the last table ends at position " + whole.length + ", and the file at " + longer.length
                        + ": it is damaged, or was cut");
    }

    @Test
    void zerosFromAnyByteOnAreNoticed() {
        for (int i = HEADER; i < whole.length - 8; i++) {
            int from = i;
            assertFalse(isAccepted(bytes -> bytes.put(from, new byte[whole.length - from])), "from " + i);
        }
    }

    @Test
    void randomBytesAfterTheHeaderAreHarmless() throws Exception {
        RandomCases.forEach(500, random -> isAccepted(bytes -> {
            for (int i = random.nextInt(HEADER, whole.length); i < whole.length; i++) {
                bytes.put(i, (byte) (random.nextInt(3) == 0 ? random.nextInt() : 0));
            }
        }));
    }

    /** Parts of records and slots, and of both. */
    @Test
    void swappedNumbersAreHarmless() throws Exception {
        RandomCases.forEach(500, random -> isAccepted(numbers -> {
            for (int i = random.nextInt(1, 4); i > 0; i--) {
                int one = random.nextInt(HEADER, whole.length - 3);
                int other = random.nextInt(HEADER, whole.length - 3);
                int number = numbers.getInt(one);
                numbers.putInt(one, numbers.getInt(other)).putInt(other, number);
            }
        }));
    }

    /** A table for all keys, in which each slot leads to the same record. */
    private static byte[] loop(byte[] key, byte[] recordKey, int slots) {
        int end = HEADER + 8 + recordKey.length;
        var bytes = ByteBuffer.allocate(end + slots * 8).order(ByteOrder.LITTLE_ENDIAN);
        int table = hash(key) & 0xFF;
        for (int i = 0; i < 256; i++) {
            bytes.putInt(i <= table ? end : end + slots * 8).putInt(i == table ? slots : 0);
        }
        bytes.putInt(recordKey.length).putInt(0).put(recordKey);
        while (bytes.hasRemaining()) {
            bytes.putInt(hash(key)).putInt(HEADER);
        }
        return bytes.array();
    }

    private static int hash(byte[] key) {
        int hash = 5381;
        for (byte each : key) {
            hash = hash * 33 ^ each & 0xFF;
        }
        return hash;
    }

    @Test
    void tableOfEqualSlotsIsSearchedOnce() throws IOException {
        byte[] key = "sought".getBytes(UTF_8);
        byte[] other = "others".getBytes(UTF_8);
        int slots = 1_001;
        var counted = new CountingCdbBytes(loop(key, other, slots));
        var reader = new CdbReader(counted);
        long before = counted.reads();
        assertNull(reader.find(key));
        assertTrue(counted.reads() - before <= slots + slots / 8 + 3, "each slot is looked at once");
        assertFalse(isAccepted(loop(key, other, slots)));
        assertFalse(isAccepted(loop(key, key, slots)));
        assertTrue(isAccepted(loop(key, key, 1)), "a table may be full, if all in it is found");
    }

    /** The check looks at each slot twice, however long a search for each record would be. */
    @Test
    void checkOfManyEqualKeysIsFast() throws IOException {
        var many = new CdbRecords();
        for (int i = 0; i < 5_000; i++) {
            many.add("equal", "value " + i);
        }
        var counted = new CountingCdbBytes(many.bytes(folder));
        new CdbReader(counted).check();
        assertTrue(counted.read() < 3 * counted.length(), "it read " + counted.read());
    }

    /** The lengths of a record may be all that fits into their bits: nothing so large is ever allocated. */
    @Test
    void lengthsBeyondTheFileAreNoticed() {
        List<Integer> lengths = new ArrayList<>(List.of(0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, -8, -9));
        var random = new SplittableRandom(5);
        random.ints(200).forEach(lengths::add);
        for (int length : lengths) {
            for (int field = 0; field < 8; field += 4) {
                int at = HEADER + field;
                assertFalse(isAccepted(numbers -> numbers.putInt(at, length)));
            }
        }
    }

    /** Each number of the header, too: a table elsewhere, with more slots, with none. */
    @Test
    void changedHeaderIsNoticed() throws Exception {
        RandomCases.forEach(500, random -> {
            int at = random.nextInt(512) * 4;
            int old = ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN).getInt(at);
            int other = random.nextBoolean() ? random.nextInt() : old + random.nextInt(-20, 20);
            assertEquals(old == other, isAccepted(numbers -> numbers.putInt(at, other)));
        });
    }

    @Test
    void otherFilesAreNoDatabases() {
        for (String text : List.of("", "text", "x".repeat(5_000), "\0".repeat(5_000))) {
            byte[] bytes = text.getBytes(UTF_8);
            assertThrows(IOException.class, () -> new CdbReader(new CountingCdbBytes(bytes)));
        }
    }
}

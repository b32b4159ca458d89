package org.microhttp.tools.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.*;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import org.junit.jupiter.api.function.Executable;
import org.microhttp.tools.cdb.*;

/** Records for a constant database, and what must be in one that has them. */
public final class CdbRecords {

    private record Entry(byte[] key, byte[] value) {
    }

    private final List<Entry> entries = new ArrayList<>();

    public CdbRecords add(byte[] key, byte[] value) {
        entries.add(new Entry(key, value));
        return this;
    }

    public CdbRecords add(String key, String value) {
        return add(key.getBytes(UTF_8), value.getBytes(UTF_8));
    }

    /** Adds records of random bytes; keys are so short that some are equal, and some are empty. */
    public CdbRecords addRandom(SplittableRandom random, int count) {
        for (int i = 0; i < count; i++) {
            var key = new byte[random.nextInt(random.nextInt(8) == 0 ? 700 : 4)];
            var value = new byte[random.nextInt(random.nextInt(8) == 0 ? 70_000 : 40)];
            random.nextBytes(key);
            random.nextBytes(value);
            add(key, value);
        }
        return this;
    }

    public int size() {
        return entries.size();
    }

    public byte[] key(int index) {
        return entries.get(index).key;
    }

    /** Writes them to a new file. */
    public Path write(Path path) throws IOException {
        try (var writer = new CdbWriter(FileChannel.open(path, CREATE_NEW, WRITE))) {
            for (Entry entry : entries) {
                writer.put(entry.key, ByteBuffer.wrap(entry.value));
            }
            writer.finish();
        }
        return path;
    }

    /** {@return what such a file has} */
    public byte[] bytes(Path folder) throws IOException {
        Path path = write(folder.resolve("records.cdb"));
        byte[] raw = Files.readAllBytes(path);
        Files.delete(path);
        return raw;
    }

    /** {@return them in the notation of {@code cdb -d} and {@code cdb -c}} */
    public byte[] dump() {
        var dump = new ByteArrayOutputStream();
        for (Entry entry : entries) {
            dump.writeBytes(("+" + entry.key.length + "," + entry.value.length + ":").getBytes(UTF_8));
            dump.writeBytes(entry.key);
            dump.writeBytes("->".getBytes(UTF_8));
            dump.writeBytes(entry.value);
            dump.write('\n');
        }
        dump.write('\n');
        return dump.toByteArray();
    }

    /** Fails if these are not exactly the records of a database, in this order. */
    public void assertAll(CdbBytes bytes) throws IOException {
        var reader = new CdbReader(bytes);
        reader.check();
        var seen = new CdbRecords();
        reader.forEach((key, value) -> seen.add(key, content(bytes, value)));
        assertArrayEquals(dump(), seen.dump());
        assertFound(bytes, reader);
    }

    /** Fails if not the first record of each key is found. */
    public void assertFound(CdbBytes bytes, CdbReader reader) throws IOException {
        Set<ByteBuffer> keys = new HashSet<>();
        for (Entry entry : entries) {
            if (keys.add(ByteBuffer.wrap(entry.key))) {
                assertArrayEquals(entry.value, content(bytes, reader.find(entry.key)));
            }
        }
        var random = new SplittableRandom(keys.size());
        for (int i = 0; i < 100; i++) {
            var other = new byte[random.nextInt(600)];
            random.nextBytes(other);
            assertEquals(keys.contains(ByteBuffer.wrap(other)), reader.find(other) != null);
        }
    }

    /** Fails if not an exception of this type comes, with this message. */
    public static void assertRefused(Class<? extends Exception> type, Executable refused, String message) {
        assertEquals(message, assertThrows(type, refused).getMessage());
    }

    /** {@return what is there, or null for no value} */
    public static byte[] content(CdbBytes bytes, CdbValue value) throws IOException {
        if (value == null) {
            return null;
        }
        var content = new byte[Math.toIntExact(value.length())];
        bytes.read(value.position(), ByteBuffer.wrap(content));
        return content;
    }
}

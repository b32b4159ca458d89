package org.microhttp.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.*;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.examples.tools.*;
import org.microhttp.tools.Tier;

/** The program {@code cdb} of tinycdb and ours read what the other writes, and write the same. */
@Tier.Gate
final class TinyCdbTest {

    @TempDir
    private Path folder;

    @BeforeEach
    void isInstalled() {
        TinyCdb.assumeInstalled();
    }

    /** Writes them with both, and has both read what the other wrote. */
    private void assertAgreed(CdbRecords records) throws Exception {
        Path ours = Files.createTempFile(folder, "ours", ".cdb");
        Files.delete(ours);
        records.write(ours);
        assertArrayEquals(records.dump(), TinyCdb.run("-d", ours.toString()));
        String statistics = new String(TinyCdb.run("-s", ours.toString()), UTF_8);
        assertEquals("number of records: " + records.size(), statistics.lines().findFirst().orElseThrow());
        Path dump = Files.write(folder.resolve("dump"), records.dump());
        Path theirs = folder.resolve("theirs.cdb");
        TinyCdb.run(dump, "-c", "-t", folder.resolve("temporary").toString(), theirs.toString());
        records.assertAll(new CdbOctets(Files.readAllBytes(theirs)));
        assertArrayEquals(Files.readAllBytes(theirs), Files.readAllBytes(ours));
    }

    @Test
    void noRecord() throws Exception {
        assertAgreed(new CdbRecords());
    }

    @Test
    void emptyKeysAndValues() throws Exception {
        assertAgreed(new CdbRecords().add("", ""));
        assertAgreed(new CdbRecords().add("a", "").add("", "b").add("a", "c").add("", ""));
    }

    @Test
    void randomRecords() throws Exception {
        var random = new SplittableRandom(15);
        for (int i = 0; i < 20; i++) {
            assertAgreed(new CdbRecords().addRandom(random, 1 << i % 11));
        }
    }

    @Test
    void thousandsOfRecordsAndValuesOfMebibytes() throws Exception {
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
    void eachKeyIsQueried() throws Exception {
        String longKey = "long " + "x".repeat(5_000);
        var records = new CdbRecords().add("P/css/main.css", "of a path").add("C", "").add("two", "1")
                .add("two", "2").add("caf\u00e9", "\u00e9").add(longKey, "y".repeat(5_000));
        String file = records.write(folder.resolve("queried.cdb")).toString();
        assertEquals("of a path", new String(TinyCdb.run("-q", file, "P/css/main.css"), UTF_8));
        assertEquals("", new String(TinyCdb.run("-q", file, "C"), UTF_8));
        assertEquals("12", new String(TinyCdb.run("-q", file, "two"), UTF_8));
        assertEquals("1", new String(TinyCdb.run("-q", "-n", "1", file, "two"), UTF_8));
        assertEquals("2", new String(TinyCdb.run("-q", "-n", "2", file, "two"), UTF_8));
        assertEquals("y".repeat(5_000), new String(TinyCdb.run("-q", file, longKey), UTF_8));
        String keys = new String(TinyCdb.run("-l", file), UTF_8);
        assertTrue(keys.startsWith("+14:P/css/main.css\n+1:C\n+3:two\n+3:two\n+5:caf\u00e9\n"), keys);
    }
}

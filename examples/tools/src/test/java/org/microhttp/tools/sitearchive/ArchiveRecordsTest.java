package org.microhttp.tools.sitearchive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.Header;
import org.microhttp.extras.representation.Coding;
import org.microhttp.testing.Tier;
import org.microhttp.tools.sitearchive.format.*;

/** The records of a site archive: what is written is read, and nothing else is. */
@Tier.Gate
final class ArchiveRecordsTest {

    /** The SHA-256 of nothing. */
    private static final String EMPTY = "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU";

    private static String text(byte[] bytes) {
        return new String(bytes, UTF_8);
    }

    private static void assertTells(Predicate<String> predicate, List<String> valid, String... others) {
        assertEquals(valid, Stream.concat(valid.stream(), Stream.of(others)).filter(predicate).toList());
    }

    @Test
    void idsHaveOneForm() {
        assertEquals(EMPTY, ArchiveFormat.idOf(new byte[0]));
        assertTells(ArchiveFormat::isId, List.of(EMPTY), "", EMPTY + "=", EMPTY.substring(1),
                EMPTY.replace('-', '+'), EMPTY.substring(0, 42) + "V");
    }

    @Test
    void keysNameHosts() {
        assertEquals("P//example.org/a",
                text(ArchiveFormat.key(ArchiveFormat.PATH, ArchiveFormat.path("example.org", "/a"))));
        assertTells(ArchiveFormat::isHost, List.of("example.org", "_default", "a", "127.0.0.1", "[::1]",
                "my_host", "x-1"), "", "Example.org", "a:80", ".a", "a.", "_x", "a/b", "[::1", "caf\u00e9");
    }

    @Test
    void firstRecordNamesTheFormat() throws IOException {
        assertEquals("microhttp site archive 1\n", text(ArchiveFormat.format(false)));
        assertEquals("microhttp site archive 1\nhosts\n", text(ArchiveFormat.format(true)));
        assertFalse(ArchiveFormat.hasHosts(ArchiveFormat.format(false)));
        assertTrue(ArchiveFormat.hasHosts(ArchiveFormat.format(true)));
        byte[] next = "microhttp site archive 2\n".getBytes(UTF_8);
        assertThrows(IOException.class, () -> ArchiveFormat.hasHosts(next));
    }

    @Test
    void linesAreReadAsTheyAreWritten() throws IOException {
        List<String> lines = List.of("/a", "", "/caf\u00e9");
        assertEquals("/a\n\n/caf\u00e9\n", text(ArchiveFormat.bytes(lines)));
        assertEquals(lines, ArchiveFormat.lines(ArchiveFormat.bytes(lines)));
        assertEquals(List.of(), ArchiveFormat.lines(new byte[0]));
        assertThrows(IOException.class, () -> ArchiveFormat.lines("/a\n/b".getBytes(UTF_8)));
        assertThrows(IOException.class, () -> ArchiveFormat.lines("\u00e9\n".getBytes(ISO_8859_1)));
    }

    @Test
    void pathRecordsAreReadAsTheyAreWritten() throws IOException {
        String id = ArchiveFormat.idOf(new byte[1]);
        var record = new PathRecord(List.of(new PathRecord.Entry(Coding.IDENTITY, id, EMPTY),
                new PathRecord.Entry(Coding.BROTLI, EMPTY, id)));
        byte[] bytes = record.bytes();
        assertEquals("identity " + id + " " + EMPTY + "\nbr " + EMPTY + " " + id + "\n",
                text(bytes));
        assertEquals(record, PathRecord.of(bytes));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "gzip ID ID", "gzip ID\n", "gzip ID ID \n", "gzip  ID ID\n",
        "gzip ID x\n", "GZIP ID ID\n", "deflate ID ID\n", "gzip ID ID\ngzip ID ID\n",
        "br ID ID\ngzip ID ID\n", "gzip ID ID\n\n", "gzip ID ID\r\n"})
    void invalidPathRecordsAreRefused(String value) {
        byte[] bytes = value.replace("ID", EMPTY).getBytes(UTF_8);
        assertThrows(IOException.class, () -> PathRecord.of(bytes));
    }

    @Test
    void metadataIsReadAsItIsWritten() throws IOException {
        var metadata = new Metadata(200, List.of(new Header("Content-Type", "text/html; charset=utf-8"),
                new Header("X-Empty", ""), new Header("ETag", "\"" + EMPTY + "\"")));
        byte[] bytes = metadata.bytes();
        assertEquals("200\nContent-Type: text/html; charset=utf-8\nX-Empty: \nETag: \"" + EMPTY + "\"\n",
                text(bytes));
        assertEquals(metadata, Metadata.of(bytes));
        assertEquals("text/html; charset=utf-8", metadata.value("content-type"));
        assertEquals("", metadata.value("X-Empty"));
        assertNull(metadata.value("X"));
        for (String other : List.of("404\n", "410\n", "308\nLocation: /a\n")) {
            assertEquals(other, text(Metadata.of(other.getBytes(UTF_8)).bytes()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "200", "\n", "+200\n", "0200\n", "204\n", "500\n", "200 OK\n", "200\nA\n",
        "200\nA:b\n", "200\nA : b\n", "200\nA:  b\n", "200\nA: b \n", "200\nA: \u00e9\n", "200\n\u00e9: b\n",
        "200\nA: b\r\n", "200\nA: b\u0001\n", "200\n\n", "200\nA: 1\na: 2\n", "200\nContent-Length: 1\n",
        "200\ndate: x\n", "200\nConnection: close\n", "200\nTransfer-Encoding: chunked\n",
        "200\nLocation: /a\n", "301\n", "410\nLocation: /a\n"})
    void invalidMetadataIsRefused(String value) {
        assertThrows(IOException.class, () -> Metadata.of(value.getBytes(UTF_8)));
    }
}

package org.microhttp.tools.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.*;
import java.util.stream.Stream;
import org.microhttp.Header;
import org.microhttp.extras.representation.Coding;
import org.microhttp.tools.cdb.CdbWriter;
import org.microhttp.tools.sitearchive.format.*;

/** An archive that is made record by record, as no site need be for it. */
public final class HandMadeArchive {

    /** By the records' keys as Latin-1, whose characters have the order of bytes. */
    private final Map<String, byte[]> contents = new TreeMap<>();
    private final Map<String, byte[]> metadata = new TreeMap<>();
    private final Map<String, byte[]> paths = new TreeMap<>(
            Comparator.comparingInt((String key) -> "PWN".indexOf(key.charAt(0))).thenComparing(key -> key));

    private final boolean hosts;
    private boolean tagged = true;

    public HandMadeArchive() {
        this(false);
    }

    public HandMadeArchive(boolean hosts) {
        this.hosts = hosts;
    }

    /** Leaves entity tags out of what comes. */
    public HandMadeArchive untagged() {
        tagged = false;
        return this;
    }

    /** Pages of text, each after its path. */
    public HandMadeArchive texts(String... pathsAndTexts) {
        for (int i = 0; i < pathsAndTexts.length; i += 2) {
            text('P', 200, pathsAndTexts[i], pathsAndTexts[i + 1]);
        }
        return this;
    }

    /** @param kind of the record: P, W or N */
    public HandMadeArchive text(char kind, int status, String path, String text) {
        return put(kind, status, path, "Cache-Control: max-age=60", "identity=" + text);
    }

    public HandMadeArchive redirect(String path, int status, String location) {
        return put('P', status, path, "Location: " + location, "identity=");
    }

    /**
     * Any record.
     *
     * @param field    one of its fields
     * @param variants each a coding, an equals sign, and the bytes that are sent in it
     */
    public HandMadeArchive put(char kind, int status, String path, String field, String... variants) {
        List<PathRecord.Entry> entries = new ArrayList<>();
        for (String variant : variants) {
            int equals = variant.indexOf('=');
            Coding coding = coding(variant.substring(0, equals));
            byte[] bytes = variant.substring(equals + 1).getBytes(ISO_8859_1);
            boolean vary = variants.length > 1 || coding != Coding.IDENTITY;
            String content = ArchiveFormat.idOf(bytes);
            contents.put(key("C" + content), bytes);
            byte[] fields = new Metadata(status, fields(field, coding, vary, content)).bytes();
            metadata.put(key("M" + ArchiveFormat.idOf(fields)), fields);
            entries.add(new PathRecord.Entry(coding, ArchiveFormat.idOf(fields), content));
        }
        paths.put(key(kind + path), new PathRecord(entries).bytes());
        return this;
    }

    private List<Header> fields(String field, Coding coding, boolean vary, String content) {
        List<Header> fields = new ArrayList<>();
        int colon = field.indexOf(':');
        fields.add(new Header("Content-Type", "text/plain"));
        fields.add(new Header(field.substring(0, colon), field.substring(colon + 2)));
        if (coding != Coding.IDENTITY) {
            fields.add(new Header("Content-Encoding", coding.token()));
        }
        if (vary) {
            fields.add(new Header("Vary", "Accept-Encoding"));
        }
        if (tagged) {
            fields.add(new Header("ETag", "\"" + content + "\""));
        }
        return fields;
    }

    private static Coding coding(String token) {
        return Stream.of(Coding.values()).filter(coding -> coding.token().equals(token)).findFirst()
                .orElseThrow();
    }

    private static String key(String text) {
        return new String(text.getBytes(UTF_8), ISO_8859_1);
    }

    /** All records in their order, without the digest. */
    public List<Map.Entry<String, byte[]>> records() {
        List<Map.Entry<String, byte[]>> all = new ArrayList<>();
        all.add(Map.entry("format", ArchiveFormat.format(hosts)));
        all.addAll(contents.entrySet());
        all.addAll(metadata.entrySet());
        all.addAll(paths.entrySet());
        return all;
    }

    /** Writes it over whatever is there. */
    public Path write(Path file) throws IOException {
        return write(file, records());
    }

    /** Writes it beside a file, and puts it to its place at once. */
    public Path replace(Path file) throws IOException {
        return Files.move(write(Path.of(file + ".new")), file, ATOMIC_MOVE, REPLACE_EXISTING);
    }

    /** Writes any records, with the digest that they have. */
    public static Path write(Path file, List<Map.Entry<String, byte[]>> records) throws IOException {
        try (var channel = FileChannel.open(file, CREATE, TRUNCATE_EXISTING, READ, WRITE);
                var writer = new CdbWriter(channel)) {
            for (Map.Entry<String, byte[]> record : records) {
                writer.put(record.getKey().getBytes(ISO_8859_1), ByteBuffer.wrap(record.getValue()));
            }
            writer.put("digest".getBytes(UTF_8), ByteBuffer.wrap(digest(records)));
            writer.finish();
        }
        return file;
    }

    private static byte[] digest(List<Map.Entry<String, byte[]>> records) {
        MessageDigest digest = ArchiveFormat.sha256();
        for (Map.Entry<String, byte[]> record : records) {
            byte[] key = record.getKey().getBytes(ISO_8859_1);
            digest.update(number(key.length));
            digest.update(number(record.getValue().length));
            digest.update(key);
            digest.update(record.getValue());
        }
        return ArchiveFormat.idOfDigest(digest.digest()).getBytes(UTF_8);
    }

    private static byte[] number(int number) {
        return HexFormat.of().parseHex(String.format("%08x", Integer.reverseBytes(number)));
    }
}

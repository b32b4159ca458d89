package org.microhttp.tools.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.stream.Stream;
import org.microhttp.extras.representation.Coding;
import org.microhttp.testing.Programs;
import org.microhttp.tools.cdb.CdbReader;
import org.microhttp.tools.sitearchive.format.Metadata;
import org.microhttp.tools.sitearchive.format.PathRecord;
import org.microhttp.tools.sitearchive.making.ArchiveCommand;

/** A site in a folder of a test, what {@code SiteArchive archive} says of it, and what is in the archive. */
public final class SourceSite extends WrittenSite {

    public final Path folder;
    public final Path archive;

    public SourceSite(Path folder) throws IOException {
        super(folder.resolve("sources"), ArchiveCommand::run);
        this.folder = folder;
        archive = folder.resolve("site.cdb");
    }

    /** Writes files with their names as contents, with the folders that they are in. */
    public void writeAll(String... names) throws IOException {
        for (String name : names) {
            write(name, name);
        }
    }

    /** The flags of a run, with these beside those that must be given. */
    public List<String> flags(String... flags) {
        List<String> all = new ArrayList<>(List.of("--sources", "" + root, "--archive", "" + archive));
        Collections.addAll(all, flags);
        return all;
    }

    /** The command of a process that makes the archive. */
    public List<String> command(String... flags) {
        String classes = System.getProperty("java.class.path");
        List<String> all = new ArrayList<>(List.of(Programs.JAVA));
        all.addAll(Programs.SHORT);
        all.addAll(List.of("-cp", classes, "org.microhttp.tools.sitearchive.SiteArchive", "archive"));
        all.addAll(flags(flags));
        return all;
    }

    /** Makes the archive in this JVM, and returns the exit code. */
    public int make(String... flags) {
        return run(flags(flags).toArray(String[]::new));
    }

    /** Makes the archive, and checks that nothing is complained of. */
    public SourceSite expect(String... flags) {
        int status = make(flags);
        assertEquals("", errors);
        assertEquals(0, status);
        return this;
    }

    /**
     * Makes the archive, and checks its exit code and what it complains of, a line each; after a 2 all is as
     * it was.
     */
    public void expect(int status, String complaints, String... flags) throws IOException {
        List<String> beside = beside();
        byte[] content = archiveBytes();
        assertEnded(status, make(flags), complaints);
        if (status == 2) {
            assertEquals(beside, beside());
            assertArrayEquals(content, archiveBytes());
        }
    }

    /** Checks how the last run ended, wherever it was. */
    public void assertEnded(int expected, int status, String complaints) {
        assertEquals(complaints.lines().map(line -> "SiteArchive archive: " + line + "\n").collect(joining()),
                errors);
        assertEquals(expected, status);
    }

    private byte[] archiveBytes() throws IOException {
        return Files.exists(archive) ? Files.readAllBytes(archive) : null;
    }

    /** Checks which paths, wildcards and pages for 404 there are, with a blank between two. */
    public void assertPaths(String keys) throws IOException {
        assertEquals(keys, String.join(" ", paths()));
    }

    /** All records in the order of the file, by their keys. */
    public Map<String, byte[]> records() throws IOException {
        var bytes = new CountingCdbBytes(Files.readAllBytes(archive));
        var reader = new CdbReader(bytes);
        reader.check();
        Map<String, byte[]> records = new LinkedHashMap<>();
        reader.forEach((key, value) ->
                records.put(new String(key, UTF_8), CdbRecords.content(bytes, value)));
        return records;
    }

    /** A record of text. */
    public String stored(String key) throws IOException {
        return new String(records().get(key), UTF_8);
    }

    /** What stands behind this letter in the keys that begin with it. */
    public List<String> names(String letter) throws IOException {
        return records().keySet().stream().filter(key -> key.startsWith(letter))
                .map(key -> key.substring(1)).toList();
    }

    /** The keys of paths, wildcards and pages for 404. */
    public List<String> paths() throws IOException {
        return records().keySet().stream().filter(key -> key.matches("[PWN]/.*")).toList();
    }

    private PathRecord record(String key) throws IOException {
        return PathRecord.of(records().get(key));
    }

    /** The codings of a path, with a blank between two. */
    public String codings(String key) throws IOException {
        return record(key).variants().stream().map(variant -> variant.coding().token()).collect(joining(" "));
    }

    /** The content of a path in a coding. */
    public byte[] content(String key, Coding coding) throws IOException {
        for (PathRecord.Entry variant : record(key).variants()) {
            if (variant.coding() == coding) {
                return records().get("C" + variant.content());
            }
        }
        throw new AssertionError(key + " is not there in " + coding);
    }

    /** The first content of a path. */
    public String text(String key) throws IOException {
        return new String(content(key, record(key).variants().get(0).coding()), UTF_8);
    }

    /** The status and fields of the first variant of a path. */
    public Metadata metadata(String key) throws IOException {
        return Metadata.of(records().get("M" + record(key).variants().get(0).metadata()));
    }

    /** The same as it is stored. */
    public String fields(String key) throws IOException {
        return new String(metadata(key).bytes(), UTF_8);
    }

    /** The value of a field of the first variant; null if it has none of this name. */
    public String field(String key, String name) throws IOException {
        return metadata(key).value(name);
    }

    /** What is in the folder of the archive beside the sources. */
    public List<String> beside() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals("sources")).sorted().toList();
        }
    }
}

package org.microhttp.tools.sitearchive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.microhttp.tools.testing.CompressedSite.TEXT;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.extras.representation.Coding;
import org.microhttp.testing.Programs;
import org.microhttp.testing.Tier;
import org.microhttp.tools.sitearchive.format.ArchiveFormat;
import org.microhttp.tools.sitearchive.format.PathRecord;
import org.microhttp.tools.testing.SourceSite;
import org.microhttp.tools.testing.TinyCdb;

/** What {@code SiteArchive archive} puts into the file: contents, fields, codings, listings. */
@Tier.Program
final class ArchiveCommandTest {

    @TempDir
    private Path folder;
    private SourceSite site;

    @BeforeEach
    void makeSite() throws IOException {
        site = new SourceSite(folder);
    }

    /** The order of records, and that each id is that of what it leads to. */
    @Test
    void recordsAreThoseOfTheFormat() throws Exception {
        site.write("index.html", TEXT);
        site.write("a/b.css", TEXT + "b");
        site.write("a/_404.html", "404");
        site.write("_wildcard.txt", "wild");
        site.write("_redirects", "/old /new 301\n");
        site.expect("--compress", "identity,gzip", "--include-folder-listing");
        Map<String, byte[]> records = site.records();
        List<String> kinds = records.keySet().stream()
                .map(key -> key.matches("[CM].{43}|[PWN]/.*") ? key.substring(0, 1) : key)
                .distinct().toList();
        assertEquals("format C M P W N files folders digest", String.join(" ", kinds));
        List<String> keys = List.copyOf(records.keySet());
        List<String> ids = keys.stream().filter(key -> key.matches("[CM].{43}")).toList();
        assertEquals(ids.stream().sorted().toList(), ids);
        for (String key : ids) {
            assertEquals(key.substring(1), ArchiveFormat.idOf(records.get(key)));
        }
        for (String key : site.paths()) {
            for (PathRecord.Entry variant : PathRecord.of(records.get(key)).variants()) {
                assertTrue(ids.contains("M" + variant.metadata()), key);
                assertTrue(ids.contains("C" + variant.content()), key);
            }
        }
        assertEquals(List.of("N/a/", "P/", "P/a/b.css", "P/index", "P/index.html", "P/old", "W/"),
                site.paths().stream().sorted().toList());
        byte[] file = Files.readAllBytes(site.archive);
        int end = new String(file, ISO_8859_1).indexOf("digest") - 8;
        byte[] digest = ArchiveFormat.sha256().digest(Arrays.copyOfRange(file, 2048, end));
        assertEquals(ArchiveFormat.idOfDigest(digest), new String(records.get("digest"), UTF_8));
    }

    @Test
    void tinycdbReadsEachRecord() throws Exception {
        TinyCdb.assumeInstalled();
        site.write("index.html", TEXT);
        site.write("caf\u00e9/na\u00efve.txt", "x");
        site.expect("--compress", "identity,gzip");
        Map<String, byte[]> records = site.records();
        for (String key : records.keySet()) {
            if (key.chars().allMatch(c -> c < 0x80)) {
                assertArrayEquals(records.get(key), TinyCdb.run("-q", "" + site.archive, key), key);
            }
        }
        String count = TinyCdb.text("-s", "" + site.archive).lines().findFirst().orElseThrow();
        assertEquals("number of records: " + records.size(), count);
        // an empty line is the end
        assertEquals(records.size() + 1, TinyCdb.text("-l", "" + site.archive).lines().count());
        assertTrue(TinyCdb.text("-d", "" + site.archive).contains("->" + TEXT + "\n"));
    }

    @Test
    void aFileHasItsFields() throws Exception {
        site.write("a.html", "text");
        String id = ArchiveFormat.idOf("text".getBytes(UTF_8));
        site.expect();
        assertEquals("200\nContent-Type: text/html; charset=utf-8\nETag: \"" + id + "\"\n"
                + "Cache-Control: public, immutable, max-age=3600\n", site.fields("P/a"));
        site.expect("--include-etag");
        assertEquals("\"" + id + "\"", site.field("P/a", "ETag"));
        site.expect("--exclude-etag");
        assertEquals("200\nContent-Type: text/html; charset=utf-8\n"
                + "Cache-Control: public, immutable, max-age=3600\n", site.fields("P/a"));
        site.expect("--exclude-etag", "--exclude-cache");
        assertEquals("200\nContent-Type: text/html; charset=utf-8\n", site.fields("P/a"));
    }

    @Test
    void mediaTypesAreReadFromAFile() throws Exception {
        site.writeAll("a.x", "b.css");
        Path types = Files.writeString(folder.resolve("types"), "text/x-own x\n");
        site.expect("--mime-types", "" + types);
        assertEquals("text/x-own; charset=utf-8", site.field("P/a.x", "Content-Type"));
        assertEquals("text/css; charset=utf-8", site.field("P/b.css", "Content-Type"));
    }

    /** An entity tag makes fields another record for each content. */
    @Test
    void equalFieldsAndContentsAreStoredOnce() throws Exception {
        site.write("a.html", "one");
        site.write("b.html", "two");
        site.write("c/d.html", "one");
        site.expect();
        assertEquals(2, site.names("C").size());
        assertEquals(2, site.names("M").size());
        site.expect("--exclude-etag");
        assertEquals(2, site.names("C").size());
        assertEquals(1, site.names("M").size());
    }

    @Test
    void eachCodingIsStoredThatWasAskedFor() throws Exception {
        site.write("a.html", TEXT);
        site.expect();
        assertEquals("identity", site.codings("P/a.html"));
        assertNull(site.field("P/a.html", "Vary"));
        site.expect("--compress", "gzip");
        assertEquals("gzip", site.codings("P/a.html"));
        assertEquals("gzip", site.field("P/a.html", "Content-Encoding"));
        assertEquals("Accept-Encoding", site.field("P/a.html", "Vary"));
        assertEquals("\"" + ArchiveFormat.idOf(site.content("P/a.html", Coding.GZIP)) + "\"",
                site.field("P/a.html", "ETag"));
        site.expect("--compress", "gzip,identity");
        assertEquals("identity gzip", site.codings("P/a.html"));
        assertEquals("Accept-Encoding", site.field("P/a.html", "Vary"));
        assertNull(site.field("P/a.html", "Content-Encoding"));
        assertEquals(TEXT, site.text("P/a.html"));
        byte[] gzip = site.content("P/a.html", Coding.GZIP);
        assertEquals(TEXT,
                new String(new GZIPInputStream(new ByteArrayInputStream(gzip)).readAllBytes(), UTF_8));
    }

    @Test
    void programsEncodeInOtherCodings() throws Exception {
        assumeTrue(Programs.isInstalled("brotli"), "no brotli");
        assumeTrue(Programs.isInstalled("zstd"), "no zstd");
        site.write("a.html", TEXT);
        site.expect("--compress", "zstd,brotli");
        assertEquals("br zstd", site.codings("P/a"));
        assertEquals(TEXT, decoded("brotli", site.content("P/a", Coding.BROTLI)));
        assertEquals(TEXT, decoded("zstd", site.content("P/a", Coding.ZSTD)));
    }

    private String decoded(String program, byte[] content) throws Exception {
        Path file = Files.write(folder.resolve("encoded"), content);
        Process process = new ProcessBuilder(program, "-dc").redirectInput(file.toFile()).start();
        String decoded = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertEquals(0, process.waitFor());
        return decoded;
    }

    /** What saves too little, in bytes or in parts, and what is compressed already. */
    @Test
    void incompressibleContentIsStoredPlain() throws Exception {
        byte[] noise = new byte[100_000];
        new Random(7).nextBytes(noise);
        byte[] mixed = noise.clone();
        Arrays.fill(mixed, 0, 4_000, (byte) 'a');
        byte[] better = noise.clone();
        Arrays.fill(better, 0, 6_000, (byte) 'a');
        site.write("few.txt", "a".repeat(120));
        site.write("more.txt", "a".repeat(200));
        site.write("mixed.txt", mixed);
        site.write("better.txt", better);
        site.write("empty.txt", "");
        site.write("a.png", TEXT);
        site.expect("--compress", "gzip", "--exclude-strip");
        assertEquals("gzip", site.codings("P/better.txt"));
        assertEquals("gzip", site.codings("P/more.txt"));
        for (String name : List.of("few.txt", "mixed.txt", "empty.txt", "a.png")) {
            assertEquals("identity", site.codings("P/" + name), name);
            assertNull(site.field("P/" + name, "Vary"), name);
        }
        // the same content is worth it where its type says so
        site.write("a.txt", TEXT);
        site.expect("--compress", "gzip", "--exclude-strip");
        assertEquals("identity", site.codings("P/a.png"));
        assertEquals("gzip", site.codings("P/a.txt"));
    }

    /** Who accepts gzip alone must not be refused what only brotli makes smaller. */
    @Test
    void uselessCodingIsReplacedByThePlainContent() throws Exception {
        assumeTrue(Programs.isInstalled("brotli"), "no brotli");
        // brotli has a dictionary of words, and a shorter frame
        site.write("a.html", "<!DOCTYPE html><html><head><meta http-equiv=\"Content-Type\""
                + " content=\"text/html; charset=utf-8\"><script type=\"text/javascript\""
                + " src=\"http://www.example.com/a\"></script>"
                + "<link rel=\"stylesheet\" type=\"text/css\" href=\"/\">");
        site.expect("--compress", "gzip,brotli");
        assertEquals("identity br", site.codings("P/a"));
        assertEquals("Accept-Encoding", site.field("P/a", "Vary"));
    }

    @Test
    void listingsAreStored() throws Exception {
        site.writeAll("index.html", "a/b.txt", "a/z", "_404.html");
        Files.createDirectory(site.root.resolve("empty"));
        site.expect();
        assertEquals("/a/b.txt\n/a/z\n/index.html\n", site.stored("files"));
        assertFalse(site.records().containsKey("folders"));
        site.expect("--exclude-file-listing", "--include-folder-listing");
        assertFalse(site.records().containsKey("files"));
        assertEquals("/\n/a/\n/empty/\n", site.stored("folders"));
    }

    /** Neither threads, nor times, nor the order of a folder, nor what there was before leave a trace. */
    @Test
    void theSameSiteGivesTheSameFile() throws Exception {
        var random = new Random(7);
        for (int i = 0; i < 40; i++) {
            site.write("f" + random.nextInt(1000) + "/" + i + ".html", TEXT.repeat(i % 7) + i % 5);
        }
        site.expect("--compress", "identity,gzip", "--include-folder-listing", "-j", "1");
        byte[] first = Files.readAllBytes(site.archive);
        var other = new SourceSite(Files.createDirectory(folder.resolve("other")));
        try (Stream<Path> files = Files.walk(site.root)) {
            List<Path> all = files.filter(Files::isRegularFile).sorted((a, b) -> b.compareTo(a)).toList();
            for (Path file : all) {
                other.write("" + site.root.relativize(file), Files.readAllBytes(file));
            }
        }
        other.expect("--compress", "gzip,identity", "--include-folder-listing", "-j", "4");
        assertArrayEquals(first, Files.readAllBytes(other.archive));
        site.expect("--compress", "identity,gzip", "--include-folder-listing", "-j", "3", "--debug");
        assertArrayEquals(first, Files.readAllBytes(site.archive));
    }

    @Test
    void hostsAreInFrontOfPaths() throws Exception {
        site.writeAll("example.org/index.html", "example.org/a/_404.html", "_default/b.txt",
                "_default/_wildcard.txt");
        site.write("example.org/_redirects", "/x /y 302\n");
        site.expect("--hosts", "--include-folder-listing");
        assertEquals("microhttp site archive 1\nhosts\n", site.stored("format"));
        site.assertPaths("P//_default/b P//_default/b.txt P//example.org/ P//example.org/index"
                + " P//example.org/index.html P//example.org/x W//_default/ N//example.org/a/");
        assertEquals("//_default/\n//example.org/\n//example.org/a/\n", site.stored("folders"));
        assertEquals("example.org/index.html", site.text("P//example.org/"));
    }

    @Test
    void debugListsEachFileAndTheTotals() throws Exception {
        site.write("a.html", "a".repeat(1000));
        site.write("b.png", "");
        // what is read and not stored is no file of the archive
        site.write("_redirects", "/x /y 301\n");
        site.writeAll(".well-known/security.txt", "c/change.log");
        site.expect("--compress", "identity,gzip", "--debug");
        int gzip = site.content("P/a", Coding.GZIP).length;
        long size = Files.size(site.archive);
        assertLinesMatch(List.of("/a.html: 1000, identity 1000 (100.0 %), gzip " + gzip + " (" + gzip / 10
                + "." + gzip % 10 + " %)", "/b.png: 0, identity 0", ".well-known: left out for its name",
                "c/change.log: left out for its name", "files: 2 archived, 2 left out, 0 failed",
                "records: 4 of paths, 0 of wildcards and 404s, 4 of metadata, 3 of contents",
                "bytes: 1000 in files, " + (1000 + gzip) + " in contents \\(10.* %\\), " + size
                + " in the archive \\(.*", "time: [0-9]+[.][0-9] s"), site.output.lines().toList());
    }
}

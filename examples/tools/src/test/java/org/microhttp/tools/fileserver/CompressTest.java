package org.microhttp.tools.fileserver;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.microhttp.tools.testing.CompressedSite.TEXT;
import static org.microhttp.tools.testing.CompressedSite.allOf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.*;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.testing.Programs;
import org.microhttp.testing.Tier;
import org.microhttp.tools.testing.CompressedSite;

/** What {@code FileServer compress} puts into the cache, what it leaves there, and what it removes. */
@Tier.Program
final class CompressTest {

    @TempDir
    private Path folder;
    private CompressedSite site;

    @BeforeEach
    void makeSite() throws IOException {
        site = CompressedSite.inAllCodings(folder);
    }

    @Test
    void eachVariantDecodesToItsFileAndHasItsTime() throws Exception {
        var random = new Random(7);
        List<String> names = List.of("index.html", "a/b/c.css", "a/-c.js", "a/two words.svg", "a.br/x.json",
                "a/--help.xml", "a;b'c\"$d.txt", ".well-known/security.txt");
        for (String name : names) {
            Path file = site.write(name, letters(random, 1 + random.nextInt(100_000)));
            Instant time = Instant.ofEpochSecond(random.nextInt(1 << 30), random.nextInt(1_000_000_000));
            Files.setLastModifiedTime(file, FileTime.from(time));
        }
        site.expect("files: 8 compressed, 0 unchanged, 0 skipped, 0 failed; variants: 0 removed");
        assertEquals(names.stream().flatMap(name -> allOf(name).stream()).sorted().toList(), site.variants());
        for (String name : site.variants()) {
            Path variant = site.cache.resolve(name);
            Path file = site.root.resolve(name.substring(0, name.lastIndexOf('.')));
            assertArrayEquals(Files.readAllBytes(file), CompressedSite.decoded(variant), name);
            assertEquals(Files.getLastModifiedTime(file), Files.getLastModifiedTime(variant), name);
            assertTrue(Files.size(variant) <= 0.95 * Files.size(file), name);
        }
    }

    private static byte[] letters(Random random, int length) {
        byte[] letters = new byte[length];
        for (int i = 0; i < length; i++) {
            letters[i] = (byte) ('a' + random.nextInt(5));
        }
        return letters;
    }

    /** RFC 9659 §3: a client has to take a window of 8 MiB, and need not take more. */
    @Test
    void windowsAreNotTooLargeForClients() throws Exception {
        Path file = site.write("large.txt", new byte[9 << 20]);
        site.expect("files: 1 compressed, 0 unchanged, 0 skipped, 0 failed; variants: 0 removed");
        for (String name : site.variants()) {
            byte[] decoded = CompressedSite.decoded(site.cache.resolve(name));
            assertArrayEquals(Files.readAllBytes(file), decoded, name);
        }
        Process process = new ProcessBuilder("zstd", "-dc", "--memory=8MiB", "" + site.cache.resolve(name(2)))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        assertEquals("", new String(process.getErrorStream().readAllBytes()));
        assertEquals(0, process.waitFor());
    }

    private String name(int index) throws IOException {
        return site.variants().get(index);
    }

    @Test
    void incompressibleFileHasAnEmptyVariant() throws Exception {
        byte[] noise = new byte[10_000];
        new Random(7).nextBytes(noise);
        site.write("noise.txt", noise);
        site.write("empty.html", "");
        site.write("short.html", "x");
        site.expect("files: 3 compressed, 0 unchanged, 0 skipped, 0 failed; variants: 0 removed");
        assertEquals(9, site.variants().size());
        for (String name : site.variants()) {
            assertEquals(0, Files.size(site.cache.resolve(name)), name);
        }
        site.expect("files: 0 compressed, 3 unchanged, 0 skipped, 0 failed; variants: 0 removed");
        assertTrue(site.output.contains("\ngzip          0             3               0               0\n"),
                site.output);
    }

    /** Five in a hundred must be saved: of noise and text together there is a mix that just does. */
    @Test
    void variantMustSaveFivePercent() throws Exception {
        byte[] content = new byte[10_000];
        new Random(7).nextBytes(content);
        for (int text : List.of(400, 700)) {
            Arrays.fill(content, 0, text, (byte) 'a');
            site.write(text + ".txt", content);
        }
        assertEquals(0, site.compress());
        for (String name : allOf("")) {
            assertEquals(0, Files.size(site.cache.resolve("400.txt" + name)), name);
            long length = Files.size(site.cache.resolve("700.txt" + name));
            assertTrue(length > 9000 && length <= 9500, name + ": " + length);
        }
    }

    @Test
    void theSameContentMakesTheSameGzip() throws Exception {
        site.write("a.html", TEXT);
        site.write("b/c.txt", TEXT);
        assertEquals(0, site.compress());
        byte[] gzip = Files.readAllBytes(site.cache.resolve("a.html.gz"));
        assertArrayEquals(gzip, Files.readAllBytes(site.cache.resolve("b/c.txt.gz")));
        // RFC 1952 §2.3: no flags and no time
        assertEquals("1f8b080000000000", HexFormat.of().formatHex(gzip, 0, 8));
    }

    @Test
    void onlyChangedFilesAreCompressedAgain() throws Exception {
        site.write("a.html", TEXT);
        Path changed = site.write("b.html", TEXT);
        site.expect("files: 2 compressed, 0 unchanged, 0 skipped, 0 failed; variants: 0 removed");
        Map<String, Object> first = identities();
        site.expect("files: 0 compressed, 2 unchanged, 0 skipped, 0 failed; variants: 0 removed");
        assertEquals(first, identities());
        Files.setLastModifiedTime(changed, FileTime.from(Instant.EPOCH));
        Files.delete(site.cache.resolve("a.html.gz"));
        site.expect("files: 2 compressed, 0 unchanged, 0 skipped, 0 failed; variants: 0 removed");
        Map<String, Object> second = identities();
        second.values().retainAll(first.values());
        assertEquals(List.of("a.html.br", "a.html.zst"), List.copyOf(second.keySet()));
    }

    /** What tells each variant from any other that has its name before or after it. */
    private Map<String, Object> identities() throws IOException {
        Map<String, Object> identities = new TreeMap<>();
        for (String name : site.variants()) {
            // an inode may be that of a file that is gone, and has another time then
            var identity = Files.readAttributes(site.cache.resolve(name), "unix:fileKey,ctime");
            identities.put(name, identity);
        }
        return identities;
    }

    @Test
    void variantsOfMissingFilesAreRemoved() throws Exception {
        Path gone = site.write("a/b/gone.html", TEXT);
        Path retyped = site.write("c/page.html", TEXT);
        site.write("kept.html", TEXT);
        site.write("kept.html.br", TEXT);
        assertEquals(0, site.compress());
        Files.delete(gone);
        Files.move(retyped, retyped.resolveSibling("page.png"));
        site.expect("files: 0 compressed, 1 unchanged, 2 skipped, 0 failed; variants: 6 removed");
        assertEquals(allOf("kept.html"), site.variants());
        try (Stream<Path> left = Files.list(site.cache)) {
            assertEquals(5, left.count());
        }
    }

    @Test
    void otherFilesInTheCacheStay() throws Exception {
        site.write("a.html", TEXT);
        assertEquals(0, site.compress());
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Files.writeString(outside.resolve("b.html.gz"), "mine");
        Files.createSymbolicLink(site.cache.resolve("folder"), outside);
        Files.createSymbolicLink(site.cache.resolve("b.html.gz"), outside.resolve("b.html.gz"));
        Files.writeString(site.cache.resolve("note"), "mine");
        site.expect("files: 0 compressed, 1 unchanged, 0 skipped, 0 failed; variants: 0 removed");
        assertEquals("mine", Files.readString(outside.resolve("b.html.gz")));
        assertTrue(site.variants().containsAll(List.of("b.html.gz", "folder", "note")));
    }

    /** Nor through a link that stands where a folder or a variant should be. */
    @Test
    void nothingIsWrittenOutsideOfTheCache() throws Exception {
        site.write("a/b.html", TEXT);
        Path plain = site.write("c.html", TEXT);
        assertEquals(0, site.compress());
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Path target = Files.writeString(outside.resolve("target"), "mine");
        for (String name : allOf("a/b.html")) {
            Files.delete(site.cache.resolve(name));
        }
        Files.delete(site.cache.resolve("a"));
        Files.createSymbolicLink(site.cache.resolve("a"), outside);
        Files.delete(site.cache.resolve("c.html.gz"));
        Files.createSymbolicLink(site.cache.resolve("c.html.gz"), target);
        Files.setLastModifiedTime(target, Files.getLastModifiedTime(plain));
        assertEquals(1, site.compress());
        String place = site.cache.toRealPath().resolve("a").toString();
        assertTrue(site.errors.startsWith("FileServer compress: a/b.html: " + place + ": in the cache "),
                site.errors);
        assertEquals("mine", Files.readString(target));
        try (Stream<Path> left = Files.list(outside)) {
            assertEquals(List.of(target), left.toList());
        }
        assertTrue(Files.isRegularFile(site.cache.resolve("c.html.gz"),
                NOFOLLOW_LINKS));
    }

    @Test
    void hiddenFilesAreSkipped() throws Exception {
        site.write(".htpasswd.txt", TEXT);
        site.write(".git/a.html", TEXT);
        site.write("a/.b/c.html", TEXT);
        site.write("a/.well-known/c.html", TEXT);
        site.write("a/b.html", TEXT);
        site.expect("files: 1 compressed, 0 unchanged, 1 skipped, 0 failed; variants: 0 removed");
        assertEquals(allOf("a/b.html"), site.variants());
    }

    /** The server takes the variants of what a link leads to. */
    @Test
    void linksAreNotFollowed() throws Exception {
        Path secret = Files.writeString(folder.resolve("secret.html"), TEXT);
        site.write("a/real.html", TEXT);
        Files.createSymbolicLink(site.root.resolve("link.html"), Path.of("a/real.html"));
        Files.createSymbolicLink(site.root.resolve("folder"), Path.of("a"));
        Files.createSymbolicLink(site.root.resolve("secret.html"), secret);
        Files.createSymbolicLink(site.root.resolve("above"), folder);
        Files.createSymbolicLink(site.root.resolve("broken.html"), Path.of("none.html"));
        Files.createSymbolicLink(site.root.resolve("circle"), site.root);
        Files.createSymbolicLink(site.root.resolve("self.html"), Path.of("self.html"));
        site.expect("files: 1 compressed, 0 unchanged, 7 skipped, 0 failed; variants: 0 removed");
        assertEquals(allOf("a/real.html"), site.variants());
    }

    @Test
    void foldersAndFifosAreSkipped() throws Exception {
        assumeTrue(Programs.isInstalled("mkfifo"), "no mkfifo");
        Programs.run(0, "mkfifo", "" + site.root.resolve("a.html"));
        Files.createDirectory(site.root.resolve("b.html"));
        site.expect("files: 0 compressed, 0 unchanged, 1 skipped, 0 failed; variants: 0 removed");
    }

    @Test
    void typesAreThoseOfTheFileThatIsGiven() throws Exception {
        site.write("a.tale", TEXT);
        site.write("b.html", TEXT);
        Path types = Files.writeString(folder.resolve("mime.types"), "text/x-tale tale\nimage/x-none html\n");
        assertEquals(0, site.compress("--mime-types", types.toString()), site.errors);
        assertEquals(allOf("a.tale"), site.variants());
    }

    @Test
    void aCacheInsideTheRootIsNoPartOfTheSite() throws Exception {
        site.write("a.html", TEXT);
        Path cache = site.root.resolve("a/cache");
        for (int run = 0; run < 2; run++) {
            assertEquals(0, site.run("--root", "" + site.root, "--cache", "" + cache), site.errors);
            String counts = "files: " + (1 - run) + " compressed, " + run + " unchanged, 0 skipped, ";
            site.assertSays(counts);
        }
    }

    /** What unpacks or copies files may give them old times. */
    @Test
    void aFileOfAnotherLengthAndTheSameTimeIsDoneAgain() throws Exception {
        Path file = site.write("a.html", TEXT);
        Path other = site.write("b.html", "short");
        site.expect("files: 2 compressed, 0 unchanged, 0 skipped, 0 failed; variants: 0 removed");
        for (Path changed : List.of(file, other)) {
            FileTime time = Files.getLastModifiedTime(changed);
            Files.writeString(changed, TEXT + "more");
            Files.setLastModifiedTime(changed, time);
            site.expect("files: 1 compressed, 1 unchanged, 0 skipped, 0 failed; variants: 0 removed");
        }
        assertEquals(6, site.variants().size());
        for (String name : site.variants()) {
            assertEquals(TEXT + "more", new String(CompressedSite.decoded(site.cache.resolve(name))), name);
        }
        site.expect("files: 0 compressed, 2 unchanged, 0 skipped, 0 failed; variants: 0 removed");
        // the lines of what is gone are gone, and one that a crash has cut is none
        Files.delete(other);
        assertEquals(0, site.compress());
        Path versions = site.cache.resolve(".versions");
        String line = Files.readString(versions);
        assertTrue(line.endsWith(" a.html\n") && line.lines().count() == 1, line);
        Files.writeString(versions, line.substring(0, line.length() - 1));
        site.expect("files: 1 compressed, 0 unchanged, 0 skipped, 0 failed; variants: 0 removed");
        assertEquals(line, Files.readString(versions));
    }

    /** A file and a folder may want the same name in the cache: it is the folder's. */
    @Test
    void aNameThatIsThatOfAFolderIsNotTaken() throws Exception {
        site.write("a.txt", TEXT);
        assertEquals(0, site.compress());
        site.write("a.txt.br/b.txt", TEXT);
        for (int run = 0; run < 2; run++) {
            assertEquals(0, site.compress(), site.errors);
            assertEquals(Stream.concat(allOf("a.txt.br/b.txt").stream(), Stream.of("a.txt.gz", "a.txt.zst"))
                    .toList(), site.variants());
        }
    }

    @Test
    void outputListsTheCache() throws Exception {
        site.write("a.html", "a".repeat(1000));
        site.write("b.txt", "");
        site.write("c.png", "png");
        assertEquals(0, site.compress());
        var expected = new StringBuilder("""
                files: 2 compressed, 0 unchanged, 1 skipped, 0 failed; variants: 0 removed
                          files  not worth it    bytes before     bytes after
                """);
        for (String coding : List.of("gzip   gz", "brotli br", "zstd   zst")) {
            long size = Files.size(site.cache.resolve("a.html." + coding.substring(7)));
            expected.append(coding, 0, 7).append("       1             1            1000")
                    .append(String.format(Locale.ROOT, " %15d %6.1f %%%n", size, size / 10.0));
        }
        assertEquals(expected.toString(), site.output);
    }
}

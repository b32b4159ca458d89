package org.microhttp.tools.sitearchive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.*;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.extras.testing.Rights;
import org.microhttp.testing.RawClient;
import org.microhttp.testing.Tier;
import org.microhttp.tools.testing.*;
import org.microhttp.tools.testing.ArchiveSite.Way;

/** {@code SiteArchive serve --watch} while archives take the place of others. */
@Tier.Program
final class ArchiveSwapTest {

    /** More than the sockets of {@link ArchiveSite} and of {@link #stalled} take. */
    private static final String LARGE = "0123456789".repeat(100_000);
    private static final String LAST = LARGE.substring(LARGE.length() / 2);

    @TempDir
    private Path folder;

    /** Serves pages of text, each after its path, and keeps for some seconds what was replaced. */
    private ArchiveSite serve(Way way, long keeping, String... texts) throws Exception {
        return new ArchiveSite(way.watching(archive(texts).write(file()), Duration.ofSeconds(keeping)));
    }

    private Path file() {
        return folder.resolve("site.cdb");
    }

    private static HandMadeArchive archive(String... texts) {
        return new HandMadeArchive().texts(texts);
    }

    private void replace(String... texts) throws Exception {
        archive(texts).replace(file());
    }

    @ParameterizedTest
    @EnumSource
    void aNewArchiveIsNoticed(Way way) throws Exception {
        try (ArchiveSite site = serve(way, 0, "/a", "first", "/old", "old")) {
            assertEquals("first", site.get("/a").text());
            replace("/a", "second", "/new", "new");
            site.await("/a", 200, "second");
            assertEquals("new", site.get("/new").text());
            assertEquals(404, site.get("/old").status());
            site.awaitMessages(1);
            assertEquals(List.of("SiteArchive: " + file() + " is new, and is served now"), site.messages());
            // a link leads to the one that is meant
            Path link = folder.resolve("link");
            Files.createSymbolicLink(link, archive("/a", "third").write(folder.resolve("third.cdb")));
            Files.move(link, file(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            site.await("/a", 200, "third");
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesABrokenOneOnceAndServesOn(Way way) throws Exception {
        try (ArchiveSite site = serve(way, 0, "/a", "first")) {
            for (String broken : new String[] {"", "no archive"}) {
                Path made = Files.writeString(folder.resolve("made"), broken);
                int said = site.messages().size();
                Files.move(made, file(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                site.awaitMessages(said + 1);
                assertEquals("first", site.get("/a").text());
            }
            Files.delete(file());
            site.awaitMessage(file() + " is gone; the archive that was there is served on");
            assertEquals("first", site.get("/a").text());
            replace("/a", "second");
            site.await("/a", 200, "second");
            site.awaitMessages(4);
            site.assertMessages(4, "");
            site.assertMessages(2, "is refused: ");
        }
    }

    /** What is not in memory has lost what it answered with. */
    @ParameterizedTest
    @EnumSource
    void brokenReplacementInPlaceGets500(Way way) throws Exception {
        try (ArchiveSite site = serve(way, 86_400, "/a", "first")) {
            byte[] bytes = Files.readAllBytes(file());
            bytes[3_000 % bytes.length] ^= 1;
            Files.write(file(), bytes);
            site.awaitMessage("is refused: ");
            boolean kept = way.name().startsWith("MEMORY");
            assertEquals(kept ? 200 : 500, site.get("/a").status());
            assertEquals(kept ? 404 : 500, site.get("/b").status());
            archive("/a", "second", "/c", "c").write(file());
            site.await("/a", 200, "second");
            assertEquals(200, site.get("/c").status());
        }
    }

    /** Its name is another, or its time: it is looked at, and goes on. */
    @Test
    void knowsTheSameOneAgain() throws Exception {
        try (ArchiveSite site = serve(Way.MAPPED, 0, "/a", "first")) {
            Files.setLastModifiedTime(file(), FileTime.fromMillis(1_000_000_000_000L));
            Files.move(file(), folder.resolve("away"));
            site.awaitMessage("is gone");
            Files.move(folder.resolve("away"), file());
            archive("/a", "second").write(folder.resolve("made"));
            site.await("/a", 200, "first");
            Files.move(folder.resolve("made"), file(), StandardCopyOption.REPLACE_EXISTING);
            site.await("/a", 200, "second");
            site.awaitMessage("is new");
            // a request that comes before the next look at the file gets a 500, and that is logged
            List<String> others = site.messages().stream()
                    .filter(line -> !line.contains("it was changed in place")).toList();
            String said = "SiteArchive: " + file() + " is ";
            assertEquals(List.of(said + "gone; the archive that was there is served on",
                    said + "new, and is served now"), others);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FILE", "MEMORY", "MAPPED_INDEXED"})
    void pagesOfTheReplacedArchiveAreKept(Way way) throws Exception {
        String large = "0123456789".repeat(3_000);
        try (ArchiveSite site = serve(way, 2, "/a", "1", "/old.css", large, "/d/", "d")) {
            archive("/a", "2").text('W', 200, "/", "wildcard").replace(file());
            site.await("/a", 200, "2");
            long swapped = System.nanoTime();
            assertEquals(large, site.get("/old.css").text());
            assertEquals("89", site.get("/old.css", "Range: bytes=-2").text());
            assertEquals("/d/", site.get("/d").header("Location"));
            assertEquals("wildcard", site.get("/other").text());
            site.await("/old.css", 200, "wildcard");
            assertTrue(System.nanoTime() - swapped > Duration.ofSeconds(1).toNanos());
        }
    }

    /** It is the one before that is kept, and no other. */
    @Test
    void keepsOneOnly() throws Exception {
        try (ArchiveSite site = serve(Way.FILE, 86_400, "/a", "1", "/1", "x")) {
            replace("/a", "2", "/2", "y");
            site.await("/a", 200, "2");
            assertEquals("x", site.get("/1").text());
            replace("/a", "3");
            site.await("/a", 200, "3");
            assertEquals("y", site.get("/2").text());
            assertEquals(404, site.get("/1").status());
        }
    }

    /** A client that has taken the beginning of a large page, and takes no more for now. */
    private static RawClient stalled(ArchiveSite site) throws Exception {
        RawClient client = site.server.connect(4_096);
        String start = client.get("/large").readWithin(30_000);
        assertTrue(start.startsWith("HTTP/1.1 200 OK\r\n"), start);
        return client;
    }

    private static void assertCut(RawClient client) {
        long count = client.countToEnd();
        assertTrue(count < LARGE.length(), "all of it was sent");
    }

    /** Memory holds one archive that was replaced, and none that was replaced before it. */
    @Test
    void answersOfOlderArchivesAreCut() throws Exception {
        for (long keeping : new long[] {0, 86_400}) {
            try (ArchiveSite site = serve(Way.MEMORY, keeping, "/a", "1", "/large", LARGE)) {
                RawClient first = stalled(site);
                replace("/a", "2", "/large", LARGE);
                site.await("/a", 200, "2");
                RawClient second = stalled(site);
                replace("/a", "3");
                site.await("/a", 200, "3");
                site.awaitMessage("was cut; answers: 1");
                assertCut(first);
                assertTrue(second.halfClose().readToEnd().endsWith(LAST));
            }
        }
    }

    /** Nor where the archive of a host is gone for a while. */
    @Test
    void answersOfOlderArchivesAreCutAfterAHostWasGone() throws Exception {
        Path host = folder.resolve("_default.cdb");
        archive("/a", "1").write(folder.resolve("other.cdb"));
        archive("/a", "1", "/large", LARGE).write(host);
        try (ArchiveSite site = new ArchiveSite(Way.MEMORY.ofAll(folder, true))) {
            RawClient first = stalled(site);
            Files.delete(host);
            site.awaitMessages(1);
            archive("/a", "2", "/large", LARGE).replace(host);
            site.await("/a", 200, "2");
            RawClient second = stalled(site);
            Files.delete(host);
            site.awaitMessage("was cut; answers: 1");
            assertCut(first);
            assertTrue(second.halfClose().readToEnd().endsWith(LAST));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FILE", "MEMORY", "MAPPED"})
    void slowAnswersOfAReplacedArchiveAreCut(Way way) throws Exception {
        archive("/a", "1", "/large", LARGE).write(file());
        try (ArchiveSite site = new ArchiveSite(way.cuttingAfter(file(), Duration.ofMillis(1)))) {
            RawClient client = stalled(site);
            replace("/a", "2");
            site.awaitMessage("was cut; answers: 1");
            assertCut(client);
            assertEquals("2", site.get("/a").text());
        }
    }

    /** The time of modification does not tell, nor does the length. */
    @ParameterizedTest
    @EnumSource(names = {"FILE", "MEMORY", "MAPPED"})
    void overwrittenArchiveIsNotSentWhole(Way way) throws Exception {
        archive("/a", "1", "/large", LARGE).write(file());
        FileTime time = Files.getLastModifiedTime(file());
        byte[] bytes = Files.readAllBytes(file());
        try (ArchiveSite site = new ArchiveSite(way.of(file()))) {
            RawClient client = stalled(site);
            bytes[bytes.length / 2] ^= 1;
            try (var open = FileChannel.open(file(), StandardOpenOption.WRITE)) {
                open.write(ByteBuffer.wrap(bytes));
            }
            Files.setLastModifiedTime(file(), time);
            if (way == Way.MEMORY) {
                assertTrue(client.halfClose().readToEnd().endsWith(LAST));
            } else {
                assertCut(client);
                assertEquals(500, site.get("/a").status());
            }
        }
    }

    /** Other names and rights explain the time of its last change, and hide no write. */
    @ParameterizedTest
    @EnumSource(names = {"FILE", "FILE_INDEXED", "MAPPED"})
    void overwrittenAndLinkedArchiveIsNotSentWhole(Way way) throws Exception {
        archive("/a", "1", "/large", LARGE).write(file());
        FileTime time = Files.getLastModifiedTime(file());
        archive("/a", "2", "/large", "x" + LARGE.substring(1)).write(folder.resolve("other"));
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(folder.resolve("other")));
        try (ArchiveSite site = new ArchiveSite(way.of(file()))) {
            RawClient client = stalled(site);
            try (var open = FileChannel.open(file(), StandardOpenOption.WRITE)) {
                open.write(bytes);
            }
            Files.setLastModifiedTime(file(), time);
            Files.createLink(folder.resolve("before.cdb"), file());
            assertCut(client);
        }
    }

    /** Other names and rights change no byte of it. */
    @ParameterizedTest
    @EnumSource(names = {"FILE", "MAPPED"})
    void newNamesAndRightsDoNotInterrupt(Way way) throws Exception {
        try (ArchiveSite site = serve(way, 0, "/a", "1", "/large", LARGE)) {
            RawClient client = stalled(site);
            Files.createLink(folder.resolve("before.cdb"), file());
            assertEquals(200, site.get("/a").status());
            Rights.give(file(), "r--r-----");
            assertEquals(200, site.get("/a").status());
            assertTrue(client.halfClose().readToEnd().endsWith(LAST));
            assertEquals(List.of(), site.messages());
        }
    }

    /** The loop and the watching thread look at the same time, each at another moment of the change. */
    @ParameterizedTest
    @EnumSource(names = {"FILE", "MAPPED"})
    void answersWhileItGetsOtherNamesAndRights(Way way) throws Exception {
        try (ArchiveSite site = serve(way, 0, "/a", "1")) {
            for (int i = 0; i < 500; i++) {
                Files.createLink(folder.resolve("name" + i), file());
                assertEquals(200, site.get("/a").status());
                Rights.give(file(), i % 2 == 0 ? "r--r-----" : "rw-r--r--");
                assertEquals(200, site.get("/a").status());
            }
            assertEquals(List.of(), site.messages());
        }
    }

    /** What is being sent is sent to its end. */
    @ParameterizedTest
    @EnumSource
    void replacedArchiveIsSentToItsEnd(Way way) throws Exception {
        try (ArchiveSite site = serve(way, 0, "/a", "first", "/large", LARGE)) {
            RawClient client = site.server.connect(4_096);
            String start = client.get("/large").readWithin(30_000);
            assertTrue(start.startsWith("HTTP/1.1 200 OK\r\n"), start);
            replace("/a", "second");
            site.await("/a", 200, "second");
            String answer = start + client.halfClose().readToEnd();
            assertTrue(answer.endsWith("\r\n\r\n" + LARGE), "not all of it, or not the same");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FILE", "MEMORY", "MAPPED_INDEXED"})
    void twoArchivesAreNeverMixed(Way way) throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "no /proc");
        try (var swapped = new SwappedSite(folder, way, 1)) {
            swapped.swap(8);
            swapped.endLoad();
            assertEquals(List.of(), swapped.faults());
            assertTrue(swapped.answers() > 100, () -> "" + swapped.answers());
            int allowed = way == Way.MEMORY ? 0 : 1;
            assertEquals(allowed, swapped.open(allowed));
            long mapped = swapped.mapped();
            assertTrue(mapped <= (way == Way.MAPPED_INDEXED ? 1 : 0), () -> "" + mapped);
        }
    }
}

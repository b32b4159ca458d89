package org.microhttp.extras.files;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.extras.testing.FileSite;
import org.microhttp.testing.*;

/** No name leads {@code FileServer} out of its root, nor to what is hidden, nor to what is no file. */
@Tier.Program
final class FileServerTraversalTest {

    private static final String SECRET = "not for you";

    /** As long as the other, so that lengths tell nothing. */
    private static final String PUBLIC = "you may see";

    /** Names that a line of text cannot have, and long ones. */
    private static final List<String> MORE_NAMES = List.of("/\u00C0\u00AE\u00C0\u00AE/secret",
            "/..\tsecret", "/..\0/secret", "/" + "a".repeat(300), "/" + "a/".repeat(5_000),
            "/" + "d/../".repeat(2_000) + "../secret", "/" + "%2e%2e/".repeat(1_000) + "etc/passwd",
            "/" + "self/".repeat(1_000) + "../secret");

    @TempDir
    private Path folder;

    /** What is there besides: a file, folders, and all that must not be had. */
    private void fill(Path root) throws Exception {
        FileSite.write(root.resolve("x"), PUBLIC.getBytes());
        FileSite.write(root.resolve("d/x"), PUBLIC.getBytes());
        FileSite.write(root.resolve(".well-known/x"), PUBLIC.getBytes());
        for (String hidden : List.of(".hidden", ".git/config", "d/.hidden", ".well-known/.hidden",
                "d/.well-known/x")) {
            FileSite.write(root.resolve(hidden), SECRET.getBytes());
        }
        Path beside = root.getParent();
        for (String outside : List.of("secret", "outside/secret", "root-secret/secret")) {
            FileSite.write(beside.resolve(outside), SECRET.getBytes());
        }
        link(root, "out", "" + beside.resolve("secret"));
        link(root, "relative", "../secret");
        link(root, "outdir", "" + beside.resolve("outside"));
        link(root, "parent", "..");
        link(root, "chain", "chain2");
        link(root, "chain2", "d/../../secret");
        link(root, "tohidden", ".hidden");
        link(root, "loop", "loop2");
        link(root, "loop2", "loop");
        link(root, "self", ".");
        link(root, "procself", "/proc/self");
        link(root, "fdlink", "/dev/fd/0");
        link(root, "zero", "/dev/zero");
        link(root, "null", "/dev/null");
        link(root, "nofile", "nowhere");
        if (Programs.isInstalled("mkfifo")) {
            Programs.run(0, "mkfifo", "" + root.resolve("fifo"));
        }
        // only root may, and not in every container
        new ProcessBuilder("mknod", "" + root.resolve("device"), "c", "1", "5")
                .redirectErrorStream(true).start().waitFor();
        try (var socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            socket.bind(UnixDomainSocketAddress.of(root.resolve("socket")));
        }
    }

    private static void link(Path root, String name, String target) throws IOException {
        Files.createSymbolicLink(root.resolve(name), Path.of(target));
    }

    /** A root as it is, and one that is reached by a link; content kept in memory, and not. */
    @ParameterizedTest
    @CsvSource({"false, 0", "false, 1000000", "true, 0", "true, 1000000"})
    void noNameLeadsOut(boolean linked, long memory) throws Exception {
        fill(Files.createDirectories(folder.resolve("real/root")));
        Path served = folder.resolve("real");
        if (linked) {
            served = Files.createSymbolicLink(folder.resolve("link"), served);
        }
        try (var site = new FileSite(served, memory)) {
            // what may be had is known, so that it is in memory or open; where a link ends counts alone
            for (String name : List.of("/x", "/d/x", "/self/d/x", "/parent/root/x", "/.well-known/x")) {
                assertEquals(PUBLIC, site.get(name).text(), name);
            }
            site.assertNoNameLeadsOut(SECRET, MORE_NAMES);
            assertEquals(PUBLIC, site.get("/x").text());
        }
    }

    /** As a client would to whom an error looks like a reason to go on. */
    @Test
    void fifoDoesNotBlock() throws Exception {
        assumeTrue(Programs.isInstalled("mkfifo"), "no mkfifo");
        try (var site = new FileSite(folder, 0)) {
            fill(site.root);
            for (int i = 0; i < 20; i++) {
                assertEquals(404, site.get("/fifo?" + i).status());
                assertEquals(404, site.get("/fifo/x").status());
            }
        }
    }

    /**
     * Somebody swaps a folder for a link out of the root and back, all the time. Each name is asked for once,
     * so that it has to be looked for.
     */
    @ParameterizedTest
    @CsvSource({"0", "1000000"})
    void swappingFoldersForLinksLeaksNothing(long memory) throws Exception {
        int names = 300;
        try (var site = new FileSite(folder, memory)) {
            Path outside = Files.createDirectory(folder.resolve("outside"));
            for (int i = 0; i < names; i++) {
                site.write("d/f" + i, PUBLIC);
                Files.writeString(outside.resolve("f" + i), SECRET);
            }
            Files.writeString(outside.resolve("secret"), SECRET);
            Path d = site.root.resolve("d");
            Path link = Files.createSymbolicLink(folder.resolve("link"), outside);
            var swapping = new Swapping(d, link, folder.resolve("aside"));
            swapping.start();
            Set<Integer> statuses = new HashSet<>();
            try (var client = new RawClient(site.server.port())) {
                for (int i = 0; i < names; i++) {
                    RawResponse response = client.get("/d/f" + i).response();
                    statuses.add(response.status());
                    assertFalse(response.text().contains(SECRET), "f" + i);
                    if (i % 100 == 0) {
                        assertFalse(client.get("/d/").response().text().contains(">secret<"));
                    }
                }
            } finally {
                swapping.end();
            }
            assertTrue(Set.of(200, 404, 503).containsAll(statuses), "" + statuses);
            assertEquals(PUBLIC, site.get("/d/f1").text());
        }
    }

    /** Renames a folder away, a link to its place, and all back. */
    private static final class Swapping extends Thread {

        private final Path place;
        private final Path link;
        private final Path aside;
        private volatile boolean ended;
        private volatile Exception failure;

        Swapping(Path place, Path link, Path aside) {
            this.place = place;
            this.link = link;
            this.aside = aside;
        }

        @Override
        public void run() {
            try {
                while (!ended) {
                    Files.move(place, aside);
                    Files.move(link, place);
                    Files.move(place, link);
                    Files.move(aside, place);
                }
            } catch (Exception e) {
                failure = e;
            }
        }

        void end() throws Exception {
            ended = true;
            join();
            if (failure != null) {
                throw failure;
            }
        }
    }
}

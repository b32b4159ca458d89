package org.microhttp.tools.fileserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.microhttp.tools.testing.CompressedSite.TEXT;
import static org.microhttp.tools.testing.CompressedSite.allOf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.extras.testing.Rights;
import org.microhttp.testing.Tier;
import org.microhttp.tools.testing.CompressedSite;
import org.microhttp.tools.testing.ScriptedPrograms;

/** {@code FileServer compress} and rights: a variant is read by who may read its file, and by nobody else. */
@Tier.Program
final class CompressRightsTest {

    @RegisterExtension
    final ScriptedPrograms programs = new ScriptedPrograms();

    @TempDir
    private Path folder;
    private CompressedSite site;

    @BeforeEach
    void makeSite() throws IOException {
        site = CompressedSite.inAllCodings(folder);
        programs.makeIn(folder);
    }

    @Test
    void variantsHaveTheRightsOfTheirFile() throws Exception {
        Path file = site.write("a.html", TEXT);
        assumeTrue(Files.getFileStore(file).supportsFileAttributeView("posix"), "no permissions");
        for (String permissions : List.of("rw-r-----", "r--r--r--", "rw-r--r--")) {
            Rights.give(file, permissions);
            Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(permissions.hashCode())));
            assertEquals(0, site.compress());
            for (String name : site.variants()) {
                Path variant = site.cache.resolve(name);
                assertEquals(Files.getLastModifiedTime(file), Files.getLastModifiedTime(variant));
                assertEquals(permissions,
                        Rights.of(variant));
            }
        }
    }

    /** Those that the file has now, though it is not compressed again. */
    @Test
    void rightsAreThoseOfTheFile() throws Exception {
        Path file = site.write("a.html", TEXT);
        assertEquals(0, site.compress());
        for (String rights : List.of("rw-------", "rw-r--r--")) {
            Rights.give(file, rights);
            site.expect("files: 0 compressed, 1 unchanged, 0 skipped, 0 failed; variants: 0 removed");
            for (String name : site.variants()) {
                assertEquals(rights, Rights.of(site.cache.resolve(name)), name);
            }
        }
    }

    /** A server that may read the file as one of its group may read its variants. */
    @Test
    void theGroupIsThatOfTheFile() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "this user can give no group");
        Path file = site.write("a.html", TEXT);
        Rights.give(file, "rw-r-----");
        for (int group : List.of(33, 34)) {
            Files.setAttribute(file, "unix:gid", group);
            assertEquals(0, site.compress(), site.errors);
            assertEquals(3, site.variants().size());
            for (String name : site.variants()) {
                Path variant = site.cache.resolve(name);
                assertEquals("rw-r-----", Rights.of(variant), name);
                assertEquals(group, Files.getAttribute(variant, "unix:gid"), name);
            }
        }
    }

    /** Others could read them in the cache. */
    @Test
    void restrictedFoldersHaveNoVariants() throws Exception {
        site.write("a.html", TEXT);
        site.write("some/b.html", TEXT);
        site.write("some/inner/c.html", TEXT);
        site.write("unlisted/d.html", TEXT);
        Path some = site.root.resolve("some");
        Rights.give(site.root.resolve("unlisted"), "rwx--x--x");
        site.expect("files: 4 compressed, 0 unchanged, 0 skipped, 0 failed; variants: 0 removed");
        for (String rights : List.of("rwxr-x---", "rwx------", "rwxr-xr--", "rwx---r-x")) {
            Rights.give(some, rights);
            assertEquals(0, site.compress());
            assertTrue(site.output.contains("\nfolders: 1 left out, which only some users may enter: some\n"),
                    site.output);
            assertEquals(Stream.concat(allOf("a.html").stream(), allOf("unlisted/d.html").stream()).toList(),
                    site.variants());
            Rights.give(some, "rwxr-xr-x");
            site.expect("files: 2 compressed, 2 unchanged, 0 skipped, 0 failed; variants: 0 removed");
        }
    }

    /** Users who may not enter the root may not enter the cache either. */
    @Test
    void restrictedRootNeedsARestrictedCache() throws Exception {
        site.write("a.html", TEXT);
        site.expect("files: 1 compressed, 0 unchanged, 0 skipped, 0 failed; variants: 0 removed");
        Rights.give(site.root, "rwxr-x---");
        site.expect("files: 0 compressed, 0 unchanged, 0 skipped, 0 failed; variants: 3 removed");
        assertEquals("folders: 1 left out, which only some users may enter: " + site.root.toRealPath(),
                site.output.lines().skip(1).findFirst().orElseThrow());
        // of one user and group, and as closed
        Rights.give(site.cache, "rwxr-x---");
        site.expect("files: 1 compressed, 0 unchanged, 0 skipped, 0 failed; variants: 0 removed");
        Rights.give(site.root, "rwx------");
        site.expect("files: 0 compressed, 0 unchanged, 0 skipped, 0 failed; variants: 3 removed");
        assertEquals(0, site.run("--root", "" + site.root, "--cache", "" + site.root.resolve("cache")));
        site.assertSays("files: 1 compressed, 0 unchanged, 0 skipped, 0 failed; variants: 0 removed\n ");
    }

    @Test
    void ungivableGroupIsReported() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "this user can give no group");
        Path file = site.write("a.html", TEXT);
        Files.setAttribute(file, "unix:gid", 65533);
        programs.script("brotli", "head -c 100 \"$file\"");
        Rights.give(file, "rw-r-----");
        assertEquals(1, programs.run(ScriptedPrograms.without("-chown", site.command()), site));
        assertTrue(site.errors.endsWith("FileServer compress: a.html: this user cannot give what is made of"
                + " it its group, 65533; allowed: root, or a user in that group\n"), site.errors);
        assertEquals(List.of(), site.variants());
        // the group may do just what others may
        Rights.give(file, "rw-r--r--");
        assertEquals(0, programs.run(ScriptedPrograms.without("-chown", site.command()), site));
        assertEquals(List.of("a.html.br", "a.html.gz"), site.variants());
        // none that has rights of before does not stay
        Rights.give(file, "rw-r-----");
        assertEquals(1, programs.run(ScriptedPrograms.without("-chown", site.command()), site));
        assertEquals(List.of(), site.variants());
    }

    /** What can be looked at decides: the rest may be there still. */
    @Test
    void restrictedVariantsAreRemovedDespiteOtherFailures() throws Exception {
        site.write("some/a.html", TEXT);
        site.write("b.html", TEXT);
        site.write("c.html", TEXT);
        assertEquals(0, programs.run(site.command(), site));
        Files.delete(site.root.resolve("b.html"));
        Rights.give(Files.createDirectory(site.root.resolve("none")), "--x--x--x");
        Rights.give(site.root.resolve("some"), "rwx------");
        var unprivileged = ScriptedPrograms.without("-dac_override,-dac_read_search", site.command());
        assertEquals(1, programs.run(unprivileged, site));
        assertTrue(site.errors.startsWith("FileServer compress: none: permission denied\n"), site.errors);
        assertEquals(List.of("b.html.gz", "c.html.gz"), site.variants());
    }
}

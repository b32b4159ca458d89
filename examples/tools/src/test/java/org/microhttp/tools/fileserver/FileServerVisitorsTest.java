package org.microhttp.tools.fileserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.*;
import java.util.*;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.testing.*;
import org.microhttp.tools.testing.CompressedSite;
import org.microhttp.tools.testing.ToolProcesses;

/** Programs that people use visit {@code examples/sitefiles}; the access log tells what they did. */
@Tier.Program
final class FileServerVisitorsTest {

    private static final Path SITE = Readme.ROOT.resolve("examples/sitefiles");

    /** Of a line of the log: target, status and length. */
    private static final Pattern LINE = Pattern.compile(".*\"GET (\\S+) HTTP/1\\.1\" ([0-9]+) ([0-9]+) .*");

    @RegisterExtension
    final ToolProcesses servers = new ToolProcesses("org.microhttp.tools.fileserver.FileServer");

    @TempDir
    private Path folder;
    private CompressedSite site;
    private ServerProcess server;
    private String address;

    @BeforeEach
    void startServer() throws IOException {
        site = new CompressedSite(folder);
        for (String name : names(SITE)) {
            Files.createDirectories(site.root.resolve(name).getParent());
            Files.copy(SITE.resolve(name), site.root.resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
        }
        assertEquals(0, site.compress());
        server = servers.serve("--root", "" + site.root, "--cache", "" + site.cache, "--list",
                "--cache-control", "*=no-cache", "--log", "" + folder.resolve("log"));
        address = "http://127.0.0.1:" + server.port + "/";
    }

    /** The names of all files below a folder. */
    private static Set<String> names(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return new HashSet<>(files.filter(Files::isRegularFile)
                    .map(file -> root.relativize(file).toString()).toList());
        }
    }

    @Test
    void curlGetsTheFileInWhateverCoding() throws Exception {
        byte[] page = Files.readAllBytes(SITE.resolve("index.html"));
        for (String flag : List.of("--compressed", "--http1.0", "--raw")) {
            assertArrayEquals(page, run("curl", "-sS", flag, address), flag);
        }
        assertArrayEquals(Arrays.copyOfRange(page, 10, 20), run("curl", "-sS", "-r", "10-19", address));
        Path part = Files.write(folder.resolve("part"), Arrays.copyOf(page, 100));
        run("curl", "-sS", "-C", "-", "-o", "" + part, address);
        assertArrayEquals(page, Files.readAllBytes(part));
    }

    @Test
    void curlGets304ForItsCopy() throws Exception {
        String tag = folder.resolve("tag").toString();
        String copy = folder.resolve("copy").toString();
        String status = "%{http_code}";
        byte[] first = run("curl", "-sS", "-R", "-w", status, "-o", copy, "--etag-save", tag, address);
        assertEquals("200", new String(first, UTF_8));
        byte[] compared = run("curl", "-sS", "-w", status, "--etag-compare", tag, address);
        assertEquals("304", new String(compared, UTF_8));
        byte[] since = run("curl", "-sS", "-w", status, "-z", copy, address);
        assertEquals("304", new String(since, UTF_8));
    }

    /** Also the page that lists a folder leads to all that is in it. */
    @Test
    void wgetMirrorsTheSite() throws Exception {
        Path mirror = Files.createDirectory(folder.resolve("mirror"));
        String[] command = {"wget", "-nv", "-r", "-l", "inf", "-N", "-nH", "-P", "" + mirror, address};
        run(command);
        Set<String> expected = names(SITE);
        expected.remove("404.html");
        expected.add("notes/index.html");
        assertEquals(expected, names(mirror));
        expected.remove("notes/index.html");
        for (String name : expected) {
            assertEquals(-1, Files.mismatch(SITE.resolve(name), mirror.resolve(name)), name);
        }
        // wget asks with the time of what it has, and is content
        run(command);
        List<String> log = log();
        assertEquals("/ 304 0", log.get(log.size() - 1));
    }

    /** Ten seconds, so it is left out unless all is asked for. */
    @Test
    void chromiumLoadsPagesAgainAndAFilmByParts() throws Exception {
        assumeTrue(Boolean.getBoolean("microhttp.full"), "takes long");
        List<String> codings = new ArrayList<>();
        for (String name : List.of("index.html", "css/style.css", "js/lights.js", "img/lighthouse.svg",
                "data/lights.json")) {
            codings.add("/" + name.replace("index.html", "") + " 200 "
                    + Files.size(site.cache.resolve(name + ".br")));
        }
        assertTrue(visit("").contains("Cape Farther"));
        visit("");
        visit("film.html");
        List<String> log = log();
        assertTrue(log.containsAll(codings), log + ", not all of " + codings);
        assertTrue(log.containsAll(List.of("/ 304 0", "/css/style.css 304 0", "/js/lights.js 304 0")),
                log::toString);
        String film = "/film/beam.webm 206 " + Files.size(SITE.resolve("film/beam.webm"));
        assertTrue(log.contains(film), log::toString);
    }

    /** What Chromium makes of a page, in a profile that stays. */
    private String visit(String page) throws Exception {
        return new String(run("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
                "--no-first-run", "--disable-background-networking", "--disable-component-update",
                "--disable-sync", "--user-data-dir=" + folder.resolve("profile"),
                "--virtual-time-budget=5000", "--dump-dom", address + page), UTF_8);
    }

    /** The output of a program that ends well. */
    private byte[] run(String... command) throws Exception {
        assumeTrue(Programs.isInstalled(command[0]), "no " + command[0]);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.to(folder.resolve("errors").toFile())).start();
        byte[] output = process.getInputStream().readAllBytes();
        assertEquals(0, process.waitFor(), Files.readString(folder.resolve("errors")));
        return output;
    }

    /** What was asked for and how it was answered, when the server has ended. */
    private List<String> log() throws Exception {
        server.terminate();
        server.process.waitFor();
        return Files.readAllLines(folder.resolve("log")).stream().map(LINE::matcher).filter(Matcher::matches)
                .map(line -> line.group(1) + " " + line.group(2) + " " + line.group(3)).toList();
    }
}

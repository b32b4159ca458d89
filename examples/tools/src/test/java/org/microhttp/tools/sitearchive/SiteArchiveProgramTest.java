package org.microhttp.tools.sitearchive;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.extras.testing.*;
import org.microhttp.testing.*;
import org.microhttp.tools.testing.*;

/** {@code SiteArchive} as a program: from a folder to answers, and what it tells meanwhile. */
@Tier.Program
final class SiteArchiveProgramTest {

    private static final Map<String, String> SECURITY = Map.of(
            "Referrer-Policy", "strict-origin-when-cross-origin",
            "X-Content-Type-Options", "nosniff",
            "X-XSS-Protection", "1; mode=block",
            "X-Frame-Options", "sameorigin");

    private static final Map<String, String> SECURITY_TLS = Map.of(
            "Strict-Transport-Security", "max-age=31536000",
            "Content-Security-Policy", "upgrade-insecure-requests");

    private static final Pattern REPORT = Pattern.compile("in \\d+\\.\\d s: +(\\d+) requests +(\\d+) bytes"
            + " +(\\d+) 304s +(\\d+) misses +(\\d+) failures");

    @RegisterExtension
    final ToolProcesses servers = new ToolProcesses("org.microhttp.tools.sitearchive.SiteArchive");

    @TempDir
    private Path folder;

    private static HandMadeArchive home(String text) {
        return new HandMadeArchive().texts("/", text);
    }

    private String home() throws IOException {
        return home("<p>home").write(folder.resolve("site.cdb")).toString();
    }

    private ServerProcess serve(String... flags) throws Exception {
        Stream<String> first = Stream.of("serve", "--bind", "127.0.0.1:0");
        return servers.start(Stream.concat(first, Stream.of(flags)).toArray(String[]::new)).listening();
    }

    private RawResponse get(String target, String... fields) throws Exception {
        try (var client = servers.connect()) {
            return client.send(FileSite.request("GET", target, fields)).response();
        }
    }

    /**
     * Before the first request clients have all of them. All is answered, and a new archive comes when there
     * is a descriptor to open it with.
     */
    @Test
    void answersOutOfDescriptors() throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "no /proc");
        String archive = home();
        ServerProcess server = servers.shell("exec bash -c \"ulimit -n 100; exec $0 serve --threads 1"
                + " --bind 127.0.0.1:0 --watch --archive '" + archive + "'\"").listening();
        List<RawClient> clients = new ArrayList<>();
        try {
            RawClient first = servers.connect();
            clients.add(first);
            while (openOf(server) < 100) {
                clients.add(servers.connect());
            }
            home("<p>new").replace(Path.of(archive));
            assertEquals("<p>home", first.get("/").response().text());
            assertEquals(404, first.get("/none").response().status());
            assertTrue(server.nextError().contains("refused: Too many open files; the archive before"));
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
        assertTrue(server.nextError().endsWith(" is new, and is served now"));
        assertEquals("<p>new", get("/").text());
    }

    /** Clients that take no more of those that were replaced keep no new one out of memory. */
    @Test
    void hasRoomForEachNewOneInMemory() throws Exception {
        String large = "0123456789".repeat(600_000);
        Path archive = folder.resolve("site.cdb");
        home("0").texts("/large", large).write(archive);
        ServerProcess server = servers.startJvm("-XX:MaxDirectMemorySize=14m", "serve", "--bind",
                "127.0.0.1:0", "--threads", "1", "--watch", "--archive-inmem", "--archive", "" + archive);
        server.listening();
        List<RawClient> clients = new ArrayList<>();
        try {
            for (int i = 1; i < 5; i++) {
                var client = new RawClient(server.port, 4_096);
                clients.add(client);
                assertTrue(client.get("/large").readWithin(30_000).startsWith("HTTP/1.1 200 OK\r\n"));
                home("" + i).texts("/large", large).replace(archive);
                String said = server.nextError();
                while (said.contains(" was cut; answers: 1")) {
                    said = server.nextError();
                }
                assertTrue(said.endsWith(" is new, and is served now"), said);
            }
            assertTrue(clients.get(0).countToEnd() < large.length());
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    private static long openOf(ServerProcess server) throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc", "" + server.process.pid(), "fd"))) {
            return open.count();
        }
    }

    /** The example site, with curl as a visitor. */
    @ParameterizedTest
    @ValueSource(strings = {"--archive-mmap", "--archive-inmem", "--archive-preload"})
    void servesASiteAsItsFilesAre(String how) throws Exception {
        assumeTrue(Programs.isInstalled("curl"), "no curl");
        List<String> codings = new ArrayList<>(List.of("identity", "gzip"));
        Stream.of("brotli", "zstd").filter(Programs::isInstalled).forEach(codings::add);
        Path sources = Readme.ROOT.resolve("examples/sitefiles");
        String file = folder.resolve("site.cdb").toString();
        ToolRun made = ToolRun.of("SiteArchive", "archive", "--sources", "" + sources, "--archive", file,
                "--compress", String.join(",", codings));
        assertEquals(0, made.code(), made.errors());
        try (var site = ArchiveSite.of("--archive", file, how, "--index-all")) {
            assertServed(site, sources);
            for (String coding : codings.subList(1, codings.size())) {
                String token = coding.replace("brotli", "br");
                RawResponse home = site.get("/", "Accept-Encoding: " + token);
                assertEquals(token, home.header("Content-Encoding"));
                assertEquals("Accept-Encoding", home.header("Vary"));
            }
            assertEquals(404, site.get("/none").status());
            assertEquals(List.of(), site.messages());
        }
    }

    private void assertServed(ArchiveSite site, Path sources) throws Exception {
        for (String name : List.of("index.html", "css/style.css", "film/beam.jpg", "notes/fog.txt")) {
            for (String accepted : List.of("--compressed", "-HAccept-Encoding: identity")) {
                Path got = folder.resolve("got");
                String address = "http://127.0.0.1:" + site.server.port() + "/" + name;
                var curl = new ProcessBuilder("curl", "-sf", accepted, "-o", "" + got, address);
                assertEquals(0, curl.start().waitFor(), name);
                assertEquals(-1, Files.mismatch(sources.resolve(name), got), name + " " + accepted);
            }
        }
    }

    private static void assertEnded(ServerProcess server) throws Exception {
        server.terminate();
        assertEquals("", server.errors());
        assertEquals(143, server.process.waitFor());
    }

    /** Its lines are those of both requests, and its profile is that of the processor alone. */
    @Test
    void theDummyHasNoFieldsBesideTheServers() throws Exception {
        Path cpu = folder.resolve("cpu.jfr");
        ServerProcess server = serve("--dummy", "-t", "1", "--debug", "--profile-cpu", "" + cpu);
        try (var client = servers.connect()) {
            String answer = client.send("POST /any?x HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx"
                    + "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").readToEnd();
            String date = "Date: \\w{3}, \\d{2} \\w{3} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT\r\n";
            String one = "HTTP/1.1 200 OK\r\nContent-Length: 13\r\n" + date + "\r\nhello world!\n";
            assertTrue(answer.replace("Connection: close\r\n", "").matches(one + one), answer);
        }
        for (String line : List.of("> POST /any?x HTTP/1.1", "> GET / HTTP/1.1", "< HTTP/1.1 200 OK")) {
            assertEquals("#0 " + line, server.nextLine());
        }
        assertEnded(server);
        assertTrue(recorded(cpu).getOrDefault("jdk.ExecutionSample", false));
    }

    @Test
    void answersHaveTheFieldsForSecurity() throws Exception {
        assertFields(SECURITY, SECURITY_TLS);
        assertFields(SECURITY, Map.of(), "--security-headers-tls");
        assertFields(SECURITY_TLS, Map.of(), "--security-headers-tls");
        assertFields(Map.of(), SECURITY, "--security-headers-disable");
        assertFields(Map.of(), SECURITY_TLS, "--security-headers-disable");
        assertFields(SECURITY_TLS, SECURITY, "--security-headers-disable", "--security-headers-tls");
    }

    /** Also where nothing is found. */
    private void assertFields(Map<String, String> there, Map<String, String> missing, String... flags)
            throws Exception {
        Stream<String> archive = Stream.of("--archive", home());
        try (var site = ArchiveSite.of(Stream.concat(archive, Stream.of(flags)).toArray(String[]::new))) {
            for (String target : List.of("/", "/none")) {
                RawResponse response = site.get(target);
                there.forEach((name, value) -> assertEquals(value, response.header(name), target));
                missing.keySet().forEach(name -> assertNull(response.header(name), target));
            }
        }
    }

    /** In its own file, with a profile of the memory that has nothing of the processor. */
    @Test
    void reportsEachSecondAndWritesAnAccessLog() throws Exception {
        Path log = folder.resolve("log");
        Path memory = folder.resolve("memory.jfr");
        ServerProcess server = serve("--archive", home(), "--report", "--log", "" + log, "--log-style",
                "common", "--trust", "127.0.0.1", "--profile-mem", "" + memory, "--threads", "2");
        String tag = get("/?x", "X-Forwarded-For: 192.0.2.1").header("ETag");
        assertEquals(304, get("/", "If-None-Match: " + tag).status());
        get("/none");
        assertTotals(server);
        assertEnded(server);
        List<String> lines = Files.readAllLines(log);
        assertEquals(3, lines.size());
        // two loops write in whatever order
        String first = "192\\.0\\.2\\.1 - - \\[.*] \"GET /\\?x HTTP/1\\.1\" 200 7";
        assertTrue(lines.stream().anyMatch(line -> line.matches(first)), lines::toString);
        Map<String, Boolean> enabled = recorded(memory);
        assertTrue(enabled.getOrDefault("jdk.ObjectAllocationSample", false));
        assertEquals(false, enabled.getOrDefault("jdk.ExecutionSample", false));
    }

    private static void assertTotals(ServerProcess server) throws IOException {
        long[] totals = new long[5];
        while (totals[0] < 3) {
            String line = server.nextLine();
            Matcher report = REPORT.matcher(line);
            assertTrue(report.matches(), line);
            for (int i = 0; i < totals.length; i++) {
                totals[i] += Long.parseLong(report.group(i + 1));
            }
        }
        assertTrue(totals[1] > 100, totals[1] + " bytes");
        assertEquals(List.of(3L, 1L, 1L, 0L), List.of(totals[0], totals[2], totals[3], totals[4]));
    }

    @Test
    void reportsAsObjects() throws Exception {
        ServerProcess server = servers.start("serve", "--dummy", "-p", "0", "--report",
                "--log-format", "json");
        assertTrue(server.nextLine().contains("\"event\":\"listening\""));
        String line = server.nextLine();
        assertTrue(line.matches("\\{\"time\":\"[^\"]+\",\"event\":\"report\",\"requests\":0,\"bytes\":0,"
                + "\"304s\":0,\"misses\":0,\"failures\":0,\"seconds\":[0-9.]+}"), line);
    }

    /** Which events a recording has, as it says itself. */
    private static Map<String, Boolean> recorded(Path file) throws IOException {
        Map<Long, String> names = new TreeMap<>();
        Map<String, Boolean> enabled = new TreeMap<>();
        try (var recording = new RecordingFile(file)) {
            recording.readEventTypes().forEach(type -> names.put(type.getId(), type.getName()));
            while (recording.hasMoreEvents()) {
                RecordedEvent event = recording.readEvent();
                if (event.getEventType().getName().equals("jdk.ActiveSetting")
                        && event.getString("name").equals("enabled")) {
                    enabled.put(names.get(event.getLong("id")), event.getString("value").equals("true"));
                }
            }
        }
        return enabled;
    }
}

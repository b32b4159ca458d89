package org.microhttp.examples;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.*;
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
import org.microhttp.examples.tools.*;
import org.microhttp.tools.*;

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
    final ResponseServerProcesses servers = new ResponseServerProcesses("sitearchive.SiteArchive");

    @TempDir
    private Path folder;

    /** An archive of the example site, or of another folder. */
    private String archive(Path sources, String... flags) throws Exception {
        String file = folder.resolve("site.cdb").toString();
        Stream<String> first = Stream.of("archive", "--sources", "" + sources, "--archive", file);
        ToolRun made = ToolRun.of("SiteArchive",
                Stream.concat(first, Stream.of(flags)).toArray(String[]::new));
        assertEquals(0, made.code(), made.errors());
        return file;
    }

    private String home() throws Exception {
        Path site = Files.createDirectories(folder.resolve("site"));
        Files.writeString(site.resolve("index.html"), "<p>home");
        return archive(site);
    }

    private ExampleProcess serve(String... flags) throws Exception {
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
        Path next = Files.copy(Path.of(archive), folder.resolve("first.cdb"));
        Files.writeString(folder.resolve("site/index.html"), "<p>new");
        archive(folder.resolve("site"));
        Files.move(Path.of(archive), folder.resolve("next.cdb"));
        Files.move(next, Path.of(archive));
        ExampleProcess server = servers.shell("exec bash -c \"ulimit -n 100; exec $0 serve --threads 1"
                + " --bind 127.0.0.1:0 --watch --archive '" + archive + "'\"").listening();
        List<RawClient> clients = new ArrayList<>();
        try {
            RawClient first = servers.connect();
            clients.add(first);
            while (openOf(server) < 100) {
                clients.add(servers.connect());
            }
            Files.move(folder.resolve("next.cdb"), Path.of(archive), StandardCopyOption.REPLACE_EXISTING);
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

    private static long openOf(ExampleProcess server) throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc", "" + server.process.pid(), "fd"))) {
            return open.count();
        }
    }

    /** As the two commands of the page have it, and curl as a visitor. */
    @ParameterizedTest
    @ValueSource(strings = {"--archive-mmap", "--archive-inmem", "--archive-preload"})
    void servesASiteAsItsFilesAre(String how) throws Exception {
        assumeTrue(Programs.isInstalled("curl"), "no curl");
        List<String> codings = new ArrayList<>(List.of("identity", "gzip"));
        for (String program : List.of("brotli", "zstd")) {
            if (Programs.isInstalled(program)) {
                codings.add(program);
            }
        }
        Path sources = Readme.ROOT.resolve("examples/sitefiles");
        String file = archive(sources, "--compress", String.join(",", codings));
        ExampleProcess server = serve("--archive", file, how, "--index-all", "--threads", "2");
        for (String name : List.of("index.html", "css/style.css", "film/beam.jpg", "notes/fog.txt")) {
            for (String accepted : List.of("--compressed", "-HAccept-Encoding: identity")) {
                Path got = folder.resolve("got");
                String address = "http://127.0.0.1:" + server.port + "/" + name;
                var curl = new ProcessBuilder("curl", "-sf", accepted, "-o", "" + got, address);
                assertEquals(0, curl.start().waitFor(), name);
                assertEquals(-1, Files.mismatch(sources.resolve(name), got), name + " " + accepted);
            }
        }
        for (String coding : codings.subList(1, codings.size())) {
            String token = coding.replace("brotli", "br");
            RawResponse home = get("/", "Accept-Encoding: " + token);
            assertEquals(token, home.header("Content-Encoding"));
            assertEquals("Accept-Encoding", home.header("Vary"));
        }
        assertEquals(404, get("/none").status());
        server.end();
        assertEquals("", server.errors());
    }

    @Test
    void theDummyHasNoFieldsBesideTheServers() throws Exception {
        ExampleProcess server = serve("--dummy", "-t", "1");
        try (var client = servers.connect()) {
            String answer = client.send("POST /any?x HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx"
                    + "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").readToEnd();
            String date = "Date: \\w{3}, \\d{2} \\w{3} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT\r\n";
            String one = "HTTP/1.1 200 OK\r\nContent-Length: 13\r\n" + date + "\r\nhello world!\n";
            assertTrue(answer.replace("Connection: close\r\n", "").matches(one + one), answer);
        }
        server.terminate();
        assertEquals("", server.errors());
    }

    @Test
    void answersHaveTheFieldsForSecurity() throws Exception {
        String file = home();
        serve("--archive", file);
        assertFields(SECURITY, SECURITY_TLS);
        serve("--archive", file, "--security-headers-tls");
        assertFields(SECURITY, Map.of());
        assertFields(SECURITY_TLS, Map.of());
        serve("--archive", file, "--security-headers-disable");
        assertFields(Map.of(), SECURITY);
        assertFields(Map.of(), SECURITY_TLS);
        serve("--archive", file, "--security-headers-disable", "--security-headers-tls");
        assertFields(SECURITY_TLS, SECURITY);
    }

    /** Also where nothing is found. */
    private void assertFields(Map<String, String> there, Map<String, String> missing) throws Exception {
        for (String target : List.of("/", "/none")) {
            RawResponse response = get(target);
            there.forEach((name, value) -> assertEquals(value, response.header(name), target));
            missing.keySet().forEach(name -> assertNull(response.header(name), target));
        }
    }

    @Test
    void reportsEachSecond() throws Exception {
        ExampleProcess server = serve("--archive", home(), "--report");
        String tag = get("/").header("ETag");
        assertEquals(304, get("/", "If-None-Match: " + tag).status());
        get("/none");
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
        ExampleProcess server = servers.start("serve", "--dummy", "-p", "0", "--report",
                "--log-format", "json");
        assertTrue(server.nextLine().contains("\"event\":\"listening\""));
        String line = server.nextLine();
        assertTrue(line.matches("\\{\"time\":\"[^\"]+\",\"event\":\"report\",\"requests\":0,\"bytes\":0,"
                + "\"304s\":0,\"misses\":0,\"failures\":0,\"seconds\":[0-9.]+}"), line);
    }

    @Test
    void writesAnAccessLog() throws Exception {
        Path log = folder.resolve("log");
        ExampleProcess server = serve("--archive", home(), "--log", "" + log, "--log-style", "common",
                "--trust", "127.0.0.1");
        get("/?x", "X-Forwarded-For: 192.0.2.1");
        server.end();
        List<String> lines = Files.readAllLines(log);
        assertEquals(1, lines.size());
        assertTrue(lines.get(0).matches("192\\.0\\.2\\.1 - - \\[.*] \"GET /\\?x HTTP/1\\.1\" 200 7"),
                lines.get(0));
    }

    @Test
    void debugPrintsStartLines() throws Exception {
        ExampleProcess server = serve("--dummy", "--debug");
        get("/a");
        assertEquals("#0 > GET /a HTTP/1.1", server.nextLine());
        assertEquals("#0 < HTTP/1.1 200 OK", server.nextLine());
    }

    /** Of each recording its own settings, as it says itself. */
    @Test
    void recordsWhereTimeAndMemoryGo() throws Exception {
        Path cpu = folder.resolve("cpu.jfr");
        assertTrue(recorded("--profile-cpu", cpu).getOrDefault("jdk.ExecutionSample", false));
        Path memory = folder.resolve("memory.jfr");
        Map<String, Boolean> enabled = recorded("--profile-mem", memory);
        assertTrue(enabled.getOrDefault("jdk.ObjectAllocationSample", false));
        assertEquals(false, enabled.getOrDefault("jdk.ExecutionSample", false));
    }

    private Map<String, Boolean> recorded(String flag, Path file) throws Exception {
        ExampleProcess server = serve("--dummy", flag, "" + file);
        get("/");
        server.end();
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

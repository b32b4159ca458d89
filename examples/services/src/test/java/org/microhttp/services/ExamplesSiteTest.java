package org.microhttp.services;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.*;
import java.net.http.*;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.testing.*;
import org.microhttp.tools.testing.ToolProcesses;

/** Runs {@code examples/site}, and visits the site in both ways. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Gate
final class ExamplesSiteTest {

    /** A free port that was looked up may be taken by another program before it is used. */
    private static final int ATTEMPTS = 5;

    private static final Pattern HTTP = Pattern.compile("HTTP:  http://localhost:([0-9]+)/");

    @RegisterExtension
    final ToolProcesses processes = new ToolProcesses();

    @TempDir
    private Path folder;
    private ServerProcess site;
    private int http;
    private int https;

    /** What the script printed before it was ready. */
    private String output = "";

    @Test
    void servesTheSiteByHttpAndByHttps() throws Exception {
        startSite();
        assertTrue(output.matches("(?s)files: [1-9][0-9]* compressed, 0 unchanged, .*"), output);
        byte[] page = Files.readAllBytes(Readme.ROOT.resolve("examples/sitefiles/index.html"));
        try (var client = new RawClient(http)) {
            assertArrayEquals(page, client.get("/").response().body());
        }
        HttpResponse<byte[]> response = visit();
        assertEquals(200, response.statusCode());
        assertEquals(HttpClient.Version.HTTP_2, response.version());
        assertEquals("gzip", response.headers().firstValue("Content-Encoding").orElseThrow());
        var decoded = new GZIPInputStream(new ByteArrayInputStream(response.body()));
        assertArrayEquals(page, decoded.readAllBytes());
        endBoth();
        List<String> log = Files.readAllLines(place().resolve("access.log"));
        assertEquals(2, log.size());
        // whom the client says that it is, nobody believes
        String line = "127\\.0\\.0\\.1 .*\"GET / HTTP/1\\.1\" 200 " + response.body().length + " .*";
        assertTrue(log.get(1).matches(line), log::toString);
        startAgain();
    }

    /** What is there is not made again; one part that ends is the end of the other. */
    private void startAgain() throws Exception {
        String certificate = Files.readString(place().resolve("certificate.pem"));
        startSite();
        assertTrue(output.matches("(?s)files: 0 compressed, [1-9][0-9]* unchanged, .*"), output);
        assertEquals(certificate, Files.readString(place().resolve("certificate.pem")));
        site.process.descendants().filter(part -> part.info().command().orElse("").endsWith("/haproxy"))
                .findFirst().orElseThrow().destroy();
        assertTrue(site.errors().contains("examples/site: one of the two has ended, with "));
        assertEquals(1, site.process.waitFor());
        assertThrows(ConnectException.class, () -> new RawClient(http).close());
    }

    private void endBoth() throws Exception {
        List<ProcessHandle> parts = site.process.descendants().toList();
        assertTrue(parts.size() >= 2, parts::toString);
        site.terminate();
        assertEquals("", site.output());
        assertEquals(143, site.process.waitFor());
        for (ProcessHandle part : parts) {
            part.onExit().join();
        }
        assertThrows(ConnectException.class, () -> new RawClient(http).close());
        assertThrows(ConnectException.class, () -> new RawClient(https).close());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "--http x      | --http is \"x\"; allowed: 0 to 65535",
        "--http 65536  | --http is \"65536\"; allowed: 0 to 65535",
        "--https 0     | --https is \"0\"; allowed: 1 to 65535",
        "--http        | --http needs a value: PORT",
        "--https       | --https needs a value: PORT",
        "LICENSE       | \"LICENSE\" is no folder",
        "--bogus       | --bogus is no flag; --help lists them",
        "a b           | \"b\" is one folder too many"})
    void wrongFlagIsReportedInOneLine(String flags, String message) throws Exception {
        start(flags.split(" ")).expectEnd(2, "", "examples/site: " + message);
    }

    @Test
    void usedPortIsReportedAtFirst() throws Exception {
        try (var other = new ServerSocket(0)) {
            start("--https", "" + other.getLocalPort(), folder.toString()).expectEnd(2, "",
                    "examples/site: --https is \"" + other.getLocalPort() + "\", a port that is in use");
            assertEquals(0, folder.toFile().list().length);
        }
    }

    @Test
    void helpHasTheDefaults() throws Exception {
        ServerProcess help = start("--http", "0", "--help");
        String output = help.output();
        assertTrue(output.contains("default 8080; 0 takes a free port\n"), output);
        assertTrue(output.contains("default 8443\n"), output);
        assertEquals(0, help.process.waitFor());
    }

    /** With what a shell, or HAProxy, takes for something else where it is not quoted. */
    private Path place() {
        return folder.resolve("a b's \"$site\" \\ #1");
    }

    @Test
    void lineBreakInTheFoldersNameIsReported() throws Exception {
        start(folder + "\n").expectEnd(2, "",
                "examples/site: the name of the folder has a line break, which HAProxy cannot have");
    }

    private void startSite() throws Exception {
        assumeTrue(Programs.isInstalled("openssl"), "no openssl");
        boolean haproxy = Programs.isInstalled("haproxy") || Files.isExecutable(Path.of("/usr/sbin/haproxy"));
        assumeTrue(haproxy, "no haproxy");
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            https = freePort();
            site = start("--http", "0", "--https", "" + https, place().toString());
            if (isReady()) {
                return;
            }
        }
        throw new AssertionError(site.errors());
    }

    /** Reads what it prints until it says where the log is, which is its last line. */
    private boolean isReady() throws IOException {
        var printed = new StringBuilder();
        String line = site.nextLine();
        while (line != null && !line.startsWith("log: ")) {
            printed.append(line).append('\n');
            line = site.nextLine();
        }
        output = printed.toString();
        Matcher address = HTTP.matcher(output);
        if (line == null || !address.find()) {
            return false;
        }
        http = Integer.parseInt(address.group(1));
        return true;
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private ServerProcess start(String... arguments) throws IOException {
        Stream<String> words = Stream.concat(Stream.of("examples/site"), Stream.of(arguments));
        return processes.bash(words.toArray(String[]::new));
    }

    /** A client that trusts the certificate of the site, and no other. */
    private HttpClient client() throws Exception {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        // the key, which follows, is not read
        String pem = Files.readString(place().resolve("certificate.pem"));
        var certificate = new ByteArrayInputStream(pem.getBytes(UTF_8));
        trusted.setCertificateEntry("site",
                CertificateFactory.getInstance("X.509").generateCertificate(certificate));
        var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context).build();
    }

    private HttpResponse<byte[]> visit() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://localhost:" + https + "/"))
                .header("Accept-Encoding", "gzip")
                .header("X-Forwarded-For", "192.0.2.1")
                .header("Forwarded", "for=192.0.2.2").build();
        return client().send(request, BodyHandlers.ofByteArray());
    }
}

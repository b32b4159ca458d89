package org.microhttp.tools.sitearchive;

import static org.junit.jupiter.api.Assertions.*;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.Inside;
import org.microhttp.Options;
import org.microhttp.testing.Tier;
import org.microhttp.tools.commandline.CommandLine;
import org.microhttp.tools.commandline.Flags;
import org.microhttp.tools.testing.*;

/** The command line of {@code SiteArchive}: its two commands, and the flags of {@code serve}. */
@Tier.Program
final class SiteArchiveFlagsTest {

    private static final String PROXY =
            "put a proxy in front that does it, as HAProxy or nginx; examples/site shows how";

    @RegisterExtension
    final ToolProcesses servers = new ToolProcesses("org.microhttp.tools.sitearchive.SiteArchive");

    private static ToolRun run(String... arguments) {
        return ToolRun.of("SiteArchive", arguments);
    }

    @Test
    void helpNamesBothCommands() {
        for (String flag : List.of("-h", "--help")) {
            String help = run(flag).output();
            String usage = "usage: SiteArchive archive [FLAGS]\n       SiteArchive serve [FLAGS]\n";
            assertTrue(help.startsWith(usage), help);
            assertEquals(0, run(flag).code());
        }
        String version = "SiteArchive of microhttp ";
        assertTrue(run("--version").output().startsWith(version));
        assertTrue(run("-V").output().startsWith(version));
    }

    /** As a message of one line, which the command line is read with. */
    private static String refused(String... flags) {
        try {
            options(flags);
            return "";
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    private static Options options(String... flags) {
        return ServeArguments.change(line(flags), new Options());
    }

    private static CommandLine line(String... flags) {
        return new CommandLine(new Flags("SiteArchive serve", ServeFlags.ALL), flags);
    }

    @Test
    void flagsOfAProxyAreRefused() {
        for (String flag : List.of("--bind-tls", "--bind-tls-2", "--tls", "--tls-bundle", "--tls-public",
                "--tls-private", "--tls-self-rsa", "--tls-self-ed25519", "--cert", "--key")) {
            assertEquals(flag + " is not available: TLS has --tls-certificate and --tls-key here",
                    refused(flag, "x"));
        }
        for (String flag : List.of("--http2", "--http2-disable")) {
            assertEquals(flag + " is not available: this is an HTTP/1.1 server without HTTP/2; " + PROXY,
                    refused(flag));
        }
        for (String flag : List.of("--bind-quic", "--quic", "--http3", "--http3-alt-svc")) {
            assertEquals(flag + " is not available: there is no QUIC and no HTTP/3 here; " + PROXY,
                    refused(flag, "x"));
        }
        assertEquals("--http1-disable is not available: HTTP/1.1 is all there is here; " + PROXY,
                refused("--http1-disable"));
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1:8080, 127.0.0.1, 8080", "[::1]:0, ::1, 0", "localhost:65535, localhost, 65535",
        ":80, , 80"})
    void bindsToAnAddress(String given, String host, int port) {
        Options options = options("--bind", given);
        assertEquals(host, options.host());
        assertEquals(port, options.port());
    }

    @Test
    void invalidAddressesAreRefused() {
        for (String wrong : List.of("", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:x", "::1:80",
                "[::1]", "[]:80", "8080", "a:123456")) {
            assertEquals("--bind is \"" + wrong + "\"; allowed: IP:PORT, as 127.0.0.1:8080, [::1]:8080 or,"
                    + " for every interface, :8080; a port up to 65535", refused("--bind", wrong));
        }
    }

    @Test
    void timeoutsAreTheLongestIfAsked() {
        assertEquals(Inside.leastTimeout(new Options()), Inside.leastTimeout(options()));
        Duration longest = Inside.leastTimeout(options("--timeout-disable"));
        assertEquals(Duration.ofDays(365), longest);
        Duration more = longest.plusMillis(1);
        assertThrows(IllegalArgumentException.class, () -> new Options().withSocketTimeout(more));
    }

    @ParameterizedTest
    @CsvSource({"--profile-cpu, jdk.jfr", "--processes, java.management"})
    void aModuleThatThisJavaLacksIsNamed(String flag, String module) throws Exception {
        String message = flag + " needs the module " + module + ", which this Java has not";
        servers.startJvm("--limit-modules=java.base", "serve", "--dummy", "-p", "0", flag, "2")
                .expectEnd(2, "", "SiteArchive serve: " + message);
    }

    @Test
    void helpOfServeIsPrinted() {
        String help = run("serve", "--help").output();
        String usage = "usage: SiteArchive serve [FLAGS]\n       SiteArchive archive [FLAGS]\n"
                + "      --archive ";
        assertTrue(help.startsWith(usage), help);
        assertEquals(List.of(), help.lines().filter(line -> line.length() > 100).toList());
        assertFalse(help.contains("tls-bundle"));
    }

    @Test
    void helpOfArchiveIsPrinted() {
        String help = run("archive", "--help").output();
        assertTrue(help.startsWith("usage: SiteArchive archive [FLAGS]\n"), help);
    }
}

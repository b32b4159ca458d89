package org.microhttp.tools.responseserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.extras.testing.Rights;
import org.microhttp.testing.*;
import org.microhttp.tools.testing.*;

/** The flags of {@code ResponseServer}; most of what is wrong with them is in WrongCommandLinesTest. */
@Tier.Program
final class ResponseServerFlagsTest {

    @RegisterExtension
    final ToolProcesses servers = new ToolProcesses();

    private static void assertRefused(String message, String... flags) {
        assertEquals(new ToolRun(2, "", "ResponseServer: " + message + "\n"), run(flags));
    }

    private static ToolRun run(String... flags) {
        return ToolRun.of("ResponseServer", flags);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--http2", "--runtime tokio", "--runtime=tokio",
        "--uring-entries 1", "--uring-sqpoll 1", "--cert c", "--key k"})
    void flagsOfTheReferenceAreNotAvailable(String flags) {
        ToolRun run = run(flags.split(" "));
        String flag = flags.split("[ =]")[0];
        String message = "ResponseServer: " + flag + " is not available: .{20,}\n";
        assertTrue(run.errors().matches(message), run.errors());
        assertEquals(2, run.code());
    }

    @Test
    void unreadableFileIsRefused(@TempDir Path folder) throws Exception {
        Path secret = Files.createFile(folder.resolve("secret"));
        assumeTrue(secret.getFileSystem().supportedFileAttributeViews().contains("posix"), "no permissions");
        Rights.give(secret, "---------");
        assumeTrue(!Files.isReadable(secret), "this user may read everything");
        assertRefused("--body cannot read \"" + secret + "\": permission denied", "-b", "@" + secret);
    }

    @Test
    void portInUseIsRefused() throws Exception {
        int port = servers.serve().port;
        for (String threads : List.of("1", "4")) {
            assertRefused("cannot listen on /127.0.0.1:" + port + ": Address already in use",
                    "-a", "127.0.0.1", "-p", "" + port, "-t", threads);
        }
        assertRefused("cannot listen on 0.0.0.0/0.0.0.0:" + port + ": Address already in use",
                "-p", "" + port);
    }

    @Test
    void addressThatThePlatformLacksIsRefused() throws Exception {
        ServerProcess server = servers.startJvm("-Djava.net.preferIPv4Stack=true", "-a", "::1", "-p", "0");
        String errors = server.errors();
        assertTrue(errors.matches("ResponseServer: cannot listen on .+: (there|this system) .+ addresse?s?"),
                errors);
        assertEquals(2, server.process.waitFor());
    }

    @Test
    void moreLoopsThanMemoryAllowsAreRefused() throws Exception {
        ServerProcess server = servers.startJvm("-XX:MaxDirectMemorySize=1m", "-p", "0", "-t", "20");
        String errors = server.errors();
        assertTrue(errors.matches("ResponseServer: .*memory.*"), errors);
        assertEquals("", server.output());
        assertEquals(2, server.process.waitFor());
    }

    @Test
    void characterThatTheLocaleLacksIsRefused() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc")), "another system's locales");
        ServerProcess server = servers.shell("LC_ALL=C exec $0 -p 0 -b \"$(printf '\\303\\251')\"");
        server.expectEnd(2, "", "ResponseServer: --body has a character that this locale has not;"
                + " take one of UTF-8, as by LC_ALL=C.UTF-8");
    }

    @Test
    void helpNamesEveryFlag() {
        for (String flag : List.of("-h", "--help")) {
            ToolRun run = run("-m", flag, "-v");
            String help = run.output();
            assertTrue(help.startsWith("usage: ResponseServer "), help);
            for (String name : List.of("-t, --threads N", "-p, --port N", "-a, --address NAME",
                    "-s, --status N", "-b, --body TEXT", "-H, --header 'NAME: VALUE'",
                    "-d, --delay TIME", "-m, --meter", "-v, --verbose",
                    "    --receive-buffer-size BYTES", "    --send-buffer-size BYTES",
                    "    --listen-backlog N", "    --tcp-nodelay",
                    "    --route 'METHOD /PATH=STATUS:BODY'", "    --body-delay TIME",
                    "    --drip BYTES/TIME", "    --cut-after N",
                    "    --reset-after N", "    --never",
                    "    --log-format text|json",
                    "    --log-time", "-h, --help", "-V, --version")) {
                assertTrue(help.contains("\n  " + name), name);
            }
            assertEquals(List.of(), help.lines().filter(line -> line.length() > 100).toList());
            assertTrue(!help.contains("--http2"));
            assertEquals(0, run.code());
        }
    }

    @Test
    void theVersionIsThatOfThePom() {
        String pom = Readme.read(Readme.ROOT.resolve("pom.xml"));
        var version = Pattern.compile("<version>([^<]+)</version>").matcher(pom);
        assertTrue(version.find());
        for (String flag : List.of("-V", "--version")) {
            assertEquals(new ToolRun(0, "ResponseServer of microhttp " + version.group(1) + ", Java "
                    + Runtime.version() + "\n", ""), run(flag));
        }
    }
}

package org.microhttp.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.examples.tools.ResponseServerProcesses;
import org.microhttp.examples.tools.ToolFlags;
import org.microhttp.tools.ExampleProcess;
import org.microhttp.tools.Readme;
import org.microhttp.tools.Tier;

/** The flags of the example {@code ResponseServer}: what is wrong is said in one line, and ends it with 2. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Gate
final class ResponseServerFlagsTest {

    @RegisterExtension
    final ResponseServerProcesses servers = new ResponseServerProcesses();

    private void assertRefused(String message, String... flags) throws Exception {
        ExampleProcess server = servers.start(flags);
        assertEquals("ResponseServer: " + message, server.errors());
        assertEquals("", server.output());
        assertEquals(2, server.process.waitFor());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "x                    | \"x\" is no flag; --help lists them",
        "--bogus              | --bogus is no flag; --help lists them",
        "--bogus=1            | --bogus is no flag; --help lists them",
        "-mz                  | -z is no flag; --help lists them",
        "--                   | -- is no flag; --help lists them",
        "--port               | --port needs a value: N",
        "-p                   | --port needs a value: N",
        "--meter=1            | --meter takes no value",
        "-m --meter           | --meter is given twice",
        "--log-time=utc       | --log-time takes no value",
        "-p 0 --port 0        | --port is given twice",
        "--port x             | --port is \"x\"; allowed: 0 to 65535",
        "--port 65536         | --port is \"65536\"; allowed: 0 to 65535",
        "--port -1            | --port is \"-1\"; allowed: 0 to 65535",
        "--port=              | --port is \"\"; allowed: 0 to 65535",
        "--threads 0          | --threads is \"0\"; allowed: 1 to 1024",
        "--threads 1025       | --threads is \"1025\"; allowed: 1 to 1024",
        "--status 199         | --status is \"199\"; allowed: 200 to 599",
        "--status 600         | --status is \"600\"; allowed: 200 to 599",
        "-s 204 -b x          | --body gives a body, but a 204 has none",
        "--delay 1            | --delay is \"1\"; allowed: 0us to 24h, in us, ms, s, m or h, as in 500us",
        "--delay 25h          | --delay is \"25h\"; allowed: 0us to 24h, in us, ms, s, m or h, as in 500us",
        "--delay -1s          | --delay is \"-1s\"; allowed: 0us to 24h, in us, ms, s, m or h, as in 500us",
        "--body-delay 1s5|--body-delay is \"1s5\"; allowed: 0us to 24h, in us, ms, s, m or h, as in 500us",
        "--body-delay 25h|--body-delay is \"25h\"; allowed: 0us to 24h, in us, ms, s, m or h, as in 500us",
        "--send-buffer-size 0 | --send-buffer-size is \"0\"; allowed: 1 to 2147483647",
        "--listen-backlog x   | --listen-backlog is \"x\"; allowed: 1 to 2147483647",
        "--receive-buffer-size 9999999999|--receive-buffer-size is \"9999999999\"; allowed: 1 to 2147483647",
        "--log-format xml     | --log-format is \"xml\"; allowed: text or json",
        "--header A           | --header is \"A\"; allowed: 'NAME: VALUE'",
        "--header :b          | --header \":b\": field name is \"\"; allowed: a token",
        "--route /a           | --route is \"/a\"; allowed: METHOD /PATH=STATUS:BODY, as in 'GET /a=200:ok'",
    })
    void flagsThatAreWrong(String flags, String message) throws Exception {
        assertRefused(message, flags.split(" "));
    }

    @Test
    void fieldsAndRoutesThatAreWrong() throws Exception {
        assertRefused("--header \"A B: c\": field name is \"A B\"; allowed: a token", "-H", "A B: c");
        String text = "allowed: tab, 0x20 to 0x7E and 0x80 to 0xFF, without white space at its ends";
        assertRefused("--header \"A: b??c: d\": A is \"b??c: d\"; " + text, "-H", "A: b\r\nc: d");
        for (String name : List.of("transfer-encoding", "Content-Length")) {
            assertRefused("--header is " + name + ", but the server frames the response, by the length of its"
                    + " body", "-H", name + ": 1");
        }
        for (String route : List.of("G(T /a=200:", "GET a=200:", "GET *=200:", "GET /a b=200:")) {
            String errors = servers.start("--route", route).errors();
            assertTrue(errors.startsWith("ResponseServer: --route "), errors);
        }
        assertRefused("--route is \"GET /=600:\"; allowed: METHOD /PATH=STATUS:BODY, as in 'GET /a=200:ok'",
                "--route", "GET /=600:");
        assertRefused("--route gives a body, but a 304 has none", "--route", "GET /=304:x");
        assertRefused("--route is given twice for GET /a", "--route", "GET /a=200:",
                "--route", "GET /a=201:");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--http2", "--runtime tokio", "--runtime=tokio",
        "--uring-entries 1", "--uring-sqpoll 1", "--cert c", "--key k"})
    void flagsOfTheReferenceThatHaveNoMeaningHere(String flags) throws Exception {
        ExampleProcess server = servers.start(flags.split(" "));
        String errors = server.errors();
        String flag = flags.split("[ =]")[0];
        assertTrue(errors.matches("ResponseServer: " + flag + " is not available: .{20,}"), errors);
        assertEquals(2, server.process.waitFor());
    }

    @Test
    void filesThatCannotBeRead(@TempDir Path folder) throws Exception {
        Path none = folder.resolve("none");
        assertRefused("--body cannot read \"" + none + "\": there is no such file", "-b", "@" + none);
        assertRefused("--body cannot read \"" + folder + "\": Is a directory", "-b", "@" + folder);
        assertRefused("--route is \"@\"; allowed: text, or @ and the name of a file",
                "--route", "GET /=200:@");
    }

    @Test
    void filesThatMustNotBeRead(@TempDir Path folder) throws Exception {
        Path secret = Files.createFile(folder.resolve("secret"));
        assumeTrue(secret.getFileSystem().supportedFileAttributeViews().contains("posix"), "no permissions");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("---------"));
        assumeTrue(!Files.isReadable(secret), "this user may read everything");
        assertRefused("--body cannot read \"" + secret + "\": permission denied", "-b", "@" + secret);
    }

    @Test
    void aPortInUseAnAddressThatIsNotOursAndAHostThatIsNotKnown() throws Exception {
        int port = servers.serve().port;
        for (String threads : List.of("1", "4")) {
            assertRefused("cannot listen on /127.0.0.1:" + port + ": Address already in use",
                    "-a", "127.0.0.1", "-p", "" + port, "-t", threads);
        }
        assertRefused("cannot listen on 0.0.0.0/0.0.0.0:" + port + ": Address already in use",
                "-p", "" + port);
        assertRefused("cannot listen on 1::2::3/<unresolved>:0: java.nio.channels.UnresolvedAddressException",
                "-a", "1::2::3", "-p", "0");
        assertRefused("--address is \"\"; allowed: a name or an address", "-a", "");
    }

    @Test
    void addressesThatThePlatformLacks() throws Exception {
        ExampleProcess server = servers.startJvm("-Djava.net.preferIPv4Stack=true", "-a", "::1", "-p", "0");
        String errors = server.errors();
        assertTrue(errors.matches("ResponseServer: cannot listen on .+: java.nio.channels.Un.+Exception"),
                errors);
        assertEquals(2, server.process.waitFor());
    }

    @Test
    void moreLoopsThanThereIsMemoryFor() throws Exception {
        ExampleProcess server = servers.startJvm("-XX:MaxDirectMemorySize=1m", "-p", "0", "-t", "20");
        String errors = server.errors();
        assertTrue(errors.matches("ResponseServer: .*memory.*"), errors);
        assertEquals("", server.output());
        assertEquals(2, server.process.waitFor());
    }

    @Test
    void aCharacterThatTheLocaleLacks() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc")), "another system's locales");
        ExampleProcess server = servers.shell("LC_ALL=C exec $0 -p 0 -b \"$(printf '\\303\\251')\"");
        assertEquals("ResponseServer: --body has a character that this locale has not;"
                + " take one of UTF-8, as by LC_ALL=C.UTF-8", server.errors());
        assertEquals(2, server.process.waitFor());
    }

    @Test
    void helpNamesEveryFlag() throws Exception {
        for (String flag : List.of("-h", "--help")) {
            ExampleProcess server = servers.start("-m", flag, "-v");
            String help = server.output();
            assertTrue(help.startsWith("usage: ResponseServer "), help);
            for (String name : List.of("-t, --threads N", "-p, --port N", "-a, --address NAME",
                    "-s, --status N", "-b, --body TEXT", "-H, --header 'NAME: VALUE'",
                    "-d, --delay TIME", "    --body-delay TIME", "-m, --meter", "-v, --verbose",
                    "    --receive-buffer-size BYTES", "    --send-buffer-size BYTES",
                    "    --listen-backlog N", "    --tcp-nodelay",
                    "    --route 'METHOD /PATH=STATUS:BODY'", "    --log-format text|json",
                    "    --log-time", "-h, --help", "-V, --version")) {
                assertTrue(help.contains("\n  " + name), name);
            }
            assertEquals(List.of(), help.lines().filter(line -> line.length() > 100).toList());
            assertTrue(!help.contains("--http2"));
            assertEquals(0, server.process.waitFor());
        }
    }

    @Test
    void thePageOfTheExamplesNamesEveryFlag() throws Exception {
        assertEquals(ToolFlags.shown(servers.start("--help").output()),
                ToolFlags.written("flag", "flag of every tool"));
    }

    @Test
    void theVersionIsThatOfThePom() throws Exception {
        String pom = Readme.read(Readme.ROOT.resolve("pom.xml"));
        var version = Pattern.compile("<version>([^<]+)</version>").matcher(pom);
        assertTrue(version.find());
        for (String flag : List.of("-V", "--version")) {
            ExampleProcess server = servers.start(flag);
            assertEquals("ResponseServer of microhttp " + version.group(1) + ", Java " + Runtime.version(),
                    server.output());
            assertEquals(0, server.process.waitFor());
        }
    }
}

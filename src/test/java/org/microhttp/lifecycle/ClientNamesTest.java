package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.EventLoop;
import org.microhttp.testing.*;

/**
 * R27: a client of a Unix domain socket may bind its own socket to a name of any bytes. That harms nobody:
 * where the JVM could not decode such a name, the server does not start.
 */
@Tier.Program
final class ClientNamesTest {

    /** More clients than the server has descriptors, each with another name that is no text of UTF-8. */
    private static final String HOSTILE = """
            use strict; use Socket;
            my ($server, $folder) = @ARGV;
            for my $i (1 .. 120) {
                my $name = "$folder/" . join '', map { $_ == 47 ? '_' : chr } 255, $i, 127 + $i;
                socket(my $client, PF_UNIX, SOCK_STREAM, 0) or die $!;
                bind($client, pack_sockaddr_un($name)) or die $!;
                connect($client, pack_sockaddr_un($server)) or die $!;
                syswrite $client, "GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n";
                close $client;
                unlink $name;
            }
            """;

    private static final String LATIN_1 = "latin1";

    @TempDir
    private Path folder;

    /** The last is what Java makes of Latin-1 from version 18 on: it decodes names by another encoding. */
    @ParameterizedTest
    @CsvSource({
        // locale, file.encoding, whether the channel is bound before, whether the server starts
        "C.UTF-8, UTF-8, false, true", "C.UTF-8, UTF-8, true, true", LATIN_1 + ", ISO-8859-1, false, true",
        "C, US-ASCII, false, false", "C, UTF-8, true, false", LATIN_1 + ", UTF-8, false, false",
    })
    void noNameStopsTheServerOrIsSeen(String locale, String encoding, boolean bound, boolean starts)
            throws Exception {
        ServerProcess.assumePossible();
        assumeTrue(Programs.isInstalled("perl"), "no perl");
        if (locale.equals(LATIN_1)) makeLatin1();
        String socket = folder.resolve("socket").toString();
        var command = new ArrayList<>(List.of("bash", "-c", "ulimit -n 100; exec \"$@\"", "server"));
        command.addAll(ServerProcess.command("-Dfile.encoding=" + encoding, "-cp",
                ServerProcess.classPathWithJar(), Main.class.getName(), socket, "" + bound));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LC_ALL", locale);
        if (locale.equals(LATIN_1)) builder.environment().put("LOCPATH", folder.toString());
        try (var server = new ServerProcess(builder)) {
            String first = server.nextLine();
            if (!starts) {
                assertTrue(first.startsWith("java.io.IOException: at a Unix domain socket"), first);
                assertTrue(first.endsWith("LC_ALL=C.UTF-8"), first);
                assertEquals(1, server.process.waitFor());
                return;
            }
            assertEquals("listening", first);
            for (int round = 0; round < 2; round++) {
                Programs.run(0, "perl", "-e", HOSTILE, socket, folder.toString());
                try (var client = new RawClient(UnixDomainSocketAddress.of(socket))) {
                    assertEquals("errors: [], names: []", client.get("/").response().text());
                }
            }
        }
    }

    /** A locale that few machines have; it warns of itself, and so ends with 1. */
    private void makeLatin1() throws Exception {
        assumeTrue(Programs.isInstalled("localedef"), "no localedef");
        String target = folder.resolve(LATIN_1).toString();
        new ProcessBuilder("localedef", "-c", "-i", "en_US", "-f", "ISO-8859-1", target)
                .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
        assumeTrue(Files.exists(Path.of(target)), "no sources of locales");
    }

    /** A server at a path that says which names and errors its log has. */
    static final class Main {

        private Main() {
        }

        public static void main(String[] arguments) throws IOException {
            var log = new RecordingLogger();
            Path path = Path.of(arguments[0]);
            var options = TestServer.options().withUnixSocket(path);
            if (Boolean.parseBoolean(arguments[1])) {
                options = options.withListener(ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                        .bind(UnixDomainSocketAddress.of(path)));
            }
            try (var loop = new EventLoop(options, log, (request, callback) -> {
                List<String> names = Stream.concat(Stream.of(request.remoteAddress().toString()),
                        log.events().stream().flatMap(e -> Stream.of("peer", "remote_address").map(e::value)))
                        .filter(Objects::nonNull).filter(name -> !name.isEmpty()).distinct().toList();
                // to be out of descriptors for a moment is no harm
                List<Throwable> errors = log.events().stream().map(RecordingLogger.Event::cause)
                        .filter(cause -> cause != null && !(cause instanceof IOException)).toList();
                callback.accept(TestServer.ok("errors: " + errors + ", names: " + names));
            })) {
                System.out.println("listening");
                loop.start();
            } catch (IOException e) {
                System.out.println(e);
                System.exit(1);
            }
        }
    }
}

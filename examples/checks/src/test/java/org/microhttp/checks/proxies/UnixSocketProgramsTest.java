package org.microhttp.checks.proxies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.EventLoop;
import org.microhttp.NoopLogger;
import org.microhttp.lifecycle.tools.SocketParent;
import org.microhttp.testing.*;

/** A server at a Unix domain socket between programs of others: a client, and what starts the server. */
@Tier.Program
final class UnixSocketProgramsTest {

    @TempDir
    private Path folder;

    @Test
    void servesCurl() throws Exception {
        assumeTrue(Programs.isInstalled("curl"), "no curl");
        Path socket = folder.resolve("socket");
        var options = TestServer.options().withUnixSocket(socket);
        try (var server = new TestServer(options, TestServer::echoTarget)) {
            assertEquals("/a/b", Programs.run(0, "curl", "-sS", "--noproxy", "*", "--unix-socket",
                    socket.toString(), "http://x/a", "http://x/b"));
            server.awaitEvent("close");
            assertEquals(1, server.log.count("accept"), "connections");
            assertEquals(2, server.log.count("exchange"), "requests");
        }
    }

    @Test
    void isStartedBySystemd() throws Exception {
        assumeTrue(Programs.isInstalled("systemd-socket-activate"), "no systemd-socket-activate");
        Path socket = folder.resolve("socket");
        var command = new ArrayList<>(List.of("systemd-socket-activate", "--inetd", "-l", socket.toString(),
                "-E", "LC_ALL=C.UTF-8"));
        command.addAll(SocketParent.program(Main.class.getName()));
        Process process = Programs.withoutJavaOptions(new ProcessBuilder(command)).start();
        try {
            // it says where it listens, and starts the server when somebody connects
            process.errorReader().readLine();
            try (var client = RawClient.to(UnixDomainSocketAddress.of(socket))) {
                assertEquals("" + process.pid(), client.get("/").response().text());
            }
        } finally {
            process.destroy();
            assertTrue(process.waitFor(30, TimeUnit.SECONDS));
        }
    }

    /** A server that says which process it is. */
    static final class Main {

        private Main() {
        }

        public static void main(String[] arguments) throws IOException {
            var options = TestServer.options().withListener((ServerSocketChannel) System.inheritedChannel());
            new EventLoop(options, new NoopLogger(), (request, callback) ->
                    callback.accept(TestServer.ok("" + ProcessHandle.current().pid()))).start();
        }
    }
}

package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.*;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.Options;
import org.microhttp.Response;
import org.microhttp.testing.*;

/** R26: the file of a Unix domain socket: what is replaced, what is never touched, and when it goes. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SocketFileTest {

    @TempDir
    private Path folder;
    private Path socket;

    @BeforeEach
    void choose() {
        socket = folder.resolve("socket");
    }

    private static Options options(Path path) {
        return TestServer.options().withUnixSocket(path);
    }

    private static TestServer serve(Path path) throws IOException {
        return new TestServer(options(path), TestServer::echoTarget);
    }

    private TestServer serve() throws IOException {
        return serve(socket);
    }

    private static boolean isThere(Path path) {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }

    private static Object key(Path path) throws IOException {
        return Files.getAttribute(path, "fileKey", LinkOption.NOFOLLOW_LINKS);
    }

    /** A server that cannot listen there says so, names the path, and leaves what is there as it was. */
    private static IOException assertRefused(Path path) throws IOException {
        Object before = isThere(path) ? key(path) : null;
        long sockets = Freed.open("socket:").size();
        var thrown = assertThrows(IOException.class, () -> {
            serve(path).close();
        });
        String message = thrown.getMessage();
        assertTrue(message.startsWith("cannot listen on " + path + ": "), message);
        assertFalse(message.endsWith("null") || message.endsWith("on " + path + ": " + path), message);
        assertEquals(before, isThere(path) ? key(path) : null);
        // who listens there, if anybody, closes the connection that asked, soon after
        while (Freed.open("socket:").size() > sockets) {
            Thread.onSpinWait();
        }
        return thrown;
    }

    /** What a server leaves that ends in any other way than by closing. */
    private static void leaveStale(Path path) throws IOException {
        try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(path));
        }
        assertTrue(isThere(path));
    }

    /** The usual mistake: a stale file that the user of the server may not remove, or not even see. */
    @ParameterizedTest
    @ValueSource(strings = {"r-x------", "---------"})
    void saysThatItMayNot(String rights) throws Exception {
        Path closed = Files.createDirectory(folder.resolve("closed"));
        leaveStale(closed.resolve("socket"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString(rights));
        try {
            assumeTrue(!Files.isWritable(closed), "may everything");
            var thrown = assertThrows(IOException.class, () -> serve(closed.resolve("socket")).close());
            assertTrue(thrown.getMessage().contains(": java.nio.file.AccessDeniedException: "),
                    thrown.getMessage());
        } finally {
            Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
        }
    }

    @Test
    void isThereWhileTheServerIs() throws Exception {
        try (var server = serve()) {
            assertTrue(isThere(socket));
            server.assertServes();
        }
        assertFalse(isThere(socket));
    }

    @Test
    void isReplacedIfNobodyListens() throws Exception {
        leaveStale(socket);
        try (var server = serve()) {
            server.assertServes();
        }
        assertFalse(isThere(socket));
    }

    @Test
    void isNotReplacedWhileSomebodyListens() throws Exception {
        try (var server = serve()) {
            assertTrue(assertRefused(socket).getMessage().contains("in use"));
            server.assertServes();
        }
    }

    /** Its clients wait for it, and it may be held for long. */
    @Test
    void isNotReplacedNorWaitedForWhileTheQueueIsFull() throws Exception {
        var waiting = new ArrayList<SocketChannel>();
        var address = UnixDomainSocketAddress.of(socket);
        try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(address, 1);
            fill(address, waiting);
            assertRefused(socket);
        } finally {
            for (SocketChannel channel : waiting) {
                channel.close();
            }
        }
    }

    /** Until the next would have to wait, which a socket that may not wait says by failing. */
    private static void fill(UnixDomainSocketAddress address, ArrayList<SocketChannel> waiting) {
        assertThrows(IOException.class, () -> {
            while (waiting.size() < 10_000) {
                SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
                waiting.add(channel);
                channel.configureBlocking(false);
                channel.connect(address);
            }
        });
    }

    @Test
    void neverReplacesARegularFile() throws Exception {
        byte[] content = {1, 2, 3};
        Files.write(socket, content);
        assertRefused(socket);
        assertArrayEquals(content, Files.readAllBytes(socket));
        Files.write(socket, new byte[0]);
        assertRefused(socket);
    }

    @Test
    void neverReplacesAFolder() throws Exception {
        Files.createDirectory(socket);
        assertRefused(socket);
    }

    @Test
    void neverReplacesAPipe() throws Exception {
        assumeTrue(Programs.isInstalled("mkfifo"), "no mkfifo");
        assertEquals(0, new ProcessBuilder("mkfifo", socket.toString()).inheritIO().start().waitFor());
        assertRefused(socket);
    }

    /** Of a program that takes no streams. */
    @Test
    void neverReplacesASocketForDatagrams() throws Exception {
        assumeTrue(Programs.isInstalled("perl"), "no perl");
        String program = "use Socket; $| = 1; socket(my $s, PF_UNIX, SOCK_DGRAM, 0) or die; "
                + "bind($s, pack_sockaddr_un($ARGV[0])) or die; print qq(bound\\n); <STDIN>";
        Process process = new ProcessBuilder("perl", "-e", program, socket.toString()).start();
        try {
            assertEquals("bound", process.inputReader().readLine());
            assertRefused(socket);
        } finally {
            process.destroyForcibly().waitFor();
            // else they are closed by another thread, and counted by another test
            process.getInputStream().close();
            process.getOutputStream().close();
            process.getErrorStream().close();
        }
    }

    /** Wherever it leads: to nothing, to a file, to a socket that is stale or not. */
    @ParameterizedTest
    @ValueSource(strings = {"none", "file", "stale", "live"})
    void neverReplacesALink(String target) throws Exception {
        Path file = folder.resolve(target);
        Files.createSymbolicLink(socket, file);
        switch (target) {
            case "file" -> Files.write(file, new byte[1]);
            case "stale" -> leaveStale(file);
            default -> { }
        }
        if (target.equals("live")) {
            try (var server = serve(file)) {
                assertRefused(socket);
                server.assertServes();
            }
        } else {
            boolean before = isThere(file);
            assertRefused(socket);
            assertEquals(before, isThere(file));
        }
        assertTrue(Files.isSymbolicLink(socket));
    }

    /** Which is how a path that is too long can be had. */
    @Test
    void mayBeInAFolderThatIsALink() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"),
                Files.createDirectory(folder.resolve("folder")));
        leaveStale(link.resolve("socket"));
        try (var server = serve(link.resolve("socket"))) {
            server.assertServes();
            assertTrue(isThere(folder.resolve("folder/socket")));
        }
        assertFalse(isThere(folder.resolve("folder/socket")));
    }

    @Test
    void isRefusedWhereItsPathIsTooLong() throws Exception {
        Path path = folder.resolve("s".repeat(108));
        assertTrue(assertRefused(path).getMessage().contains("too long"));
        assertFalse(isThere(path));
    }

    @Test
    void isRefusedWhereItsFolderIsMissing() throws Exception {
        assertTrue(assertRefused(folder.resolve("none/socket")).getMessage().contains("No such file"));
        Files.write(folder.resolve("file"), new byte[1]);
        assertRefused(folder.resolve("file/socket"));
    }

    /** Not for the superuser, who may write everywhere. */
    @Test
    void isRefusedWhereItsFolderMayNotBeWritten() throws Exception {
        Path closed = Files.createDirectory(folder.resolve("closed"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-xr-xr-x"));
        assumeTrue(!Files.isWritable(closed), "may everything");
        assertTrue(assertRefused(closed.resolve("socket")).getMessage().contains("denied"));
    }

    @Test
    void staysIfItIsAnothersByThen() throws Exception {
        var first = serve();
        Files.delete(socket);
        try (var second = serve()) {
            first.stop();
            assertTrue(isThere(socket));
            second.assertServes();
        }
        assertFalse(isThere(socket));
        var third = serve();
        Files.delete(socket);
        Files.write(socket, new byte[1]);
        third.stop();
        assertTrue(Files.isRegularFile(socket));
    }

    @Test
    void isNotMissedIfItIsGoneByThen() throws Exception {
        var server = serve();
        Files.delete(socket);
        server.stop();
    }

    @Test
    void goesWithALoopThatNeverRuns() throws Exception {
        for (ServerKind kind : ServerKind.values()) {
            kind.make(options(socket), TestServer::echoTarget).close();
            assertFalse(isThere(socket));
        }
    }

    @Test
    void goesWhenTheServerBeginsToLeave() throws Exception {
        var handler = new HoldingHandler();
        var server = new TestServer(options(socket), handler);
        RawClient client = server.connect().get("/later");
        Consumer<Response> callback = handler.pending.take();
        var stopping = server.beginToLeave(Duration.ofSeconds(40));
        try (var next = nextServer()) {
            callback.accept(TestServer.ok("late"));
            assertEquals("late", client.response().text());
            client.close();
            assertEquals(0, stopping.dropped());
            server.join();
            next.assertServes();
            assertTrue(isThere(socket), "the next one's");
        }
    }

    /** The file goes in the turn in which the event comes, perhaps behind it. */
    private TestServer nextServer() throws IOException {
        while (isThere(socket)) {
            Thread.onSpinWait();
        }
        return serve();
    }

    @Test
    void nothingIsLeftOfAHundredServers() throws Exception {
        runOnce();
        long descriptors = Freed.descriptors();
        for (int i = 0; i < 100; i++) {
            runOnce();
        }
        Freed.assertDescriptors(descriptors);
        try (var files = Files.list(folder)) {
            assertEquals(0, files.count());
        }
    }

    private void runOnce() throws IOException {
        try (var server = new TestServer(ServerKind.GROUP, options(socket), TestServer::echoTarget)) {
            server.connect().get("/a").expectOk("/a");
            server.connect().get("/b").expectOk("/b");
        }
        assertFalse(isThere(socket));
    }
}

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
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.Options;
import org.microhttp.Response;
import org.microhttp.testing.*;

/** R26: the file of a Unix domain socket: what is replaced, what is never touched, and when it goes. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SocketFileTest {

    /** Makes what is at the path. */
    private interface Maker {
        void make(SocketFileTest test) throws Exception;
    }

    /** What is at the path when a server is made, and what its message contains; null if it listens. */
    enum Found {

        NOTHING(null, test -> { }),
        STALE(null, test -> leaveStale(test.socket)),
        // so a server can have a path that is too long
        STALE_IN_A_LINKED_FOLDER(null, test -> {
            Path link = test.folder.resolve("link");
            Files.createSymbolicLink(link, Files.createDirectory(test.target));
            test.socket = link.resolve("socket");
            leaveStale(test.socket);
        }),
        SERVER("in use", test -> test.open.add(serve(test.socket))),
        SERVER_WITH_A_FULL_QUEUE("", SocketFileTest::fillQueue),
        FILE("", test -> Files.write(test.socket, new byte[] {1, 2, 3})),
        EMPTY_FILE("", test -> Files.createFile(test.socket)),
        FOLDER("", test -> Files.createDirectory(test.socket)),
        PIPE("", test -> {
            assumeTrue(Programs.isInstalled("mkfifo"), "no mkfifo");
            Programs.run(0, "mkfifo", test.socket.toString());
        }),
        DATAGRAM_SOCKET("", SocketFileTest::bindForDatagrams),
        LINK_TO_NOTHING("", SocketFileTest::link),
        LINK_TO_A_FILE("", test -> Files.createFile(test.link())),
        LINK_TO_A_STALE_SOCKET("", test -> leaveStale(test.link())),
        LINK_TO_A_SERVER("", test -> test.open.add(serve(test.link()))),
        TOO_LONG("too long", test -> test.socket = test.folder.resolve("s".repeat(108))),
        NO_FOLDER("No such file", test -> test.socket = test.target.resolve("socket")),
        FILE_AS_FOLDER("", test -> test.socket = Files.createFile(test.target).resolve("socket")),
        READ_ONLY_FOLDER("denied", test -> test.close("r-x------", false)),
        // the usual mistake: a stale file that the server's user may not remove, or not even see
        STALE_IN_A_READ_ONLY_FOLDER("AccessDeniedException: ", test -> test.close("r-x------", true)),
        STALE_IN_A_CLOSED_FOLDER("AccessDeniedException: ", test -> test.close("---------", true));

        private final String message;
        private final Maker maker;

        Found(String message, Maker maker) {
            this.message = message;
            this.maker = maker;
        }
    }

    @TempDir
    private Path folder;
    private Path socket;
    private Path target;
    private final List<AutoCloseable> open = new ArrayList<>();

    @BeforeEach
    void choose() {
        socket = folder.resolve("socket");
        target = folder.resolve("target");
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable resource : open) {
            resource.close();
        }
    }

    private static Options options(Path path) {
        return TestServer.options().withUnixSocket(path);
    }

    private static TestServer serve(Path path) throws IOException {
        return new TestServer(options(path), TestServer::echoTarget);
    }

    private static boolean isThere(Path path) {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }

    /** Distinguishes a file from a later one at the same path. */
    private static Object key(Path path) throws IOException {
        return isThere(path) ? Files.getAttribute(path, "fileKey", LinkOption.NOFOLLOW_LINKS) : null;
    }

    @ParameterizedTest
    @EnumSource
    void isReplacedOnlyIfItIsAStaleSocket(Found found) throws Exception {
        found.maker.make(this);
        if (found.message == null) {
            try (var server = serve(socket)) {
                assertTrue(isThere(socket));
                server.assertServes();
            }
            assertFalse(isThere(socket));
            return;
        }
        Object before = key(socket);
        Object targetBefore = key(target);
        long sockets = Leaks.open("socket:").size();
        String message = assertThrows(IOException.class, () -> serve(socket).close()).getMessage();
        assertTrue(message.startsWith("cannot listen on " + socket + ": "), message);
        assertFalse(message.endsWith("null") || message.endsWith("on " + socket + ": " + socket), message);
        assertTrue(message.contains(found.message), message);
        assertEquals(before, key(socket));
        assertEquals(targetBefore, key(target));
        if (found == Found.FILE) assertArrayEquals(new byte[] {1, 2, 3}, Files.readAllBytes(socket));
        // a server that listens there closes the connection that asked, soon after
        while (Leaks.open("socket:").size() > sockets) {
            Thread.onSpinWait();
        }
        for (AutoCloseable resource : open) {
            if (resource instanceof TestServer server) server.assertServes();
        }
    }

    /** What a server leaves that ends in any other way than by closing. */
    private static void leaveStale(Path path) throws IOException {
        try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(path));
        }
        assertTrue(isThere(path));
    }

    private Path link() throws IOException {
        Files.createSymbolicLink(socket, target);
        return target;
    }

    /** Not for the superuser, who may write everywhere. */
    private void close(String rights, boolean stale) throws IOException {
        Path closed = Files.createDirectory(target);
        socket = closed.resolve("socket");
        if (stale) leaveStale(socket);
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString(rights));
        open.add(() -> Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------")));
        assumeTrue(!Files.isWritable(closed), "may everything");
    }

    /** Until the next client would have to wait, which a socket that may not wait reports by failing. */
    private void fillQueue() throws IOException {
        var address = UnixDomainSocketAddress.of(socket);
        var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address, 1);
        open.add(server);
        assertThrows(IOException.class, () -> {
            while (open.size() < 10_000) {
                SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
                open.add(channel);
                channel.configureBlocking(false);
                channel.connect(address);
            }
        });
    }

    /** Of a program that takes no streams. */
    private void bindForDatagrams() throws IOException {
        assumeTrue(Programs.isInstalled("perl"), "no perl");
        String program = "use Socket; $| = 1; socket(my $s, PF_UNIX, SOCK_DGRAM, 0) or die; "
                + "bind($s, pack_sockaddr_un($ARGV[0])) or die; print qq(bound\\n); <STDIN>";
        Process process = new ProcessBuilder("perl", "-e", program, socket.toString()).start();
        // its streams would else be closed by another thread, and counted by another test
        open.addAll(List.of(process.getInputStream(), process.getOutputStream(), process.getErrorStream()));
        open.add(() -> process.destroyForcibly().waitFor());
        assertEquals("bound", process.inputReader().readLine());
    }

    @Test
    void staysIfAnotherServerReplacedIt() throws Exception {
        var first = serve(socket);
        Files.delete(socket);
        try (var second = serve(socket)) {
            first.stop();
            assertTrue(isThere(socket));
            second.assertServes();
        }
        assertFalse(isThere(socket));
        var third = serve(socket);
        Files.delete(socket);
        Files.write(socket, new byte[1]);
        third.stop();
        assertTrue(Files.isRegularFile(socket));
    }

    @Test
    void mayBeGoneByThen() throws Exception {
        var server = serve(socket);
        Files.delete(socket);
        server.stop();
    }

    @Test
    void goesWhenAGracefulStopBegins() throws Exception {
        var handler = new HoldingHandler();
        var server = new TestServer(options(socket), handler);
        RawClient client = server.connect().get("/later");
        Consumer<Response> callback = handler.pending.take();
        var stopping = server.beginGracefulStop(Duration.ofSeconds(40));
        // in the turn in which the event comes, perhaps after it
        while (isThere(socket)) {
            Thread.onSpinWait();
        }
        try (var next = serve(socket)) {
            callback.accept(TestServer.ok("late"));
            assertEquals("late", client.response().text());
            client.close();
            assertEquals(0, stopping.dropped());
            server.join();
            next.assertServes();
            assertTrue(isThere(socket), "the next one's");
        }
    }

    @Test
    void nothingIsLeftOfManyServers() throws Exception {
        long descriptors = 0;
        for (int i = 0; i < 100; i++) {
            for (ServerKind kind : ServerKind.values()) {
                kind.make(options(socket), TestServer::echoTarget).close();
                assertFalse(isThere(socket), "of one that never ran");
            }
            try (var server = new TestServer(ServerKind.GROUP, options(socket), TestServer::echoTarget)) {
                server.connect().get("/a").expectOk("/a");
                server.connect().get("/b").expectOk("/b");
            }
            assertFalse(isThere(socket));
            if (i == 0) descriptors = Leaks.descriptors();
        }
        Leaks.assertDescriptors(descriptors);
        try (var files = Files.list(folder)) {
            assertEquals(0, files.count());
        }
    }
}

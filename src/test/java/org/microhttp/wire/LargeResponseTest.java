package org.microhttp.wire;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.*;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.*;
import org.microhttp.testing.RawClient;
import org.microhttp.testing.TestServer;

/** A response that does not fit the socket leaves in parts, whole, and without holding up others. */
class LargeResponseTest {

    private static final int LENGTH = 8 << 20;
    private static final byte[] CONTENT = new byte[LENGTH];

    static {
        new SplittableRandom(8).nextBytes(CONTENT);
    }

    @TempDir
    private Path folder;
    private FileChannel file;
    private ByteBuffer mapped;

    @BeforeEach
    void makeFile() throws IOException {
        Path path = Files.write(folder.resolve("file"), CONTENT);
        file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        mapped = file.map(FileChannel.MapMode.READ_ONLY, 0, LENGTH);
    }

    @AfterEach
    void close() throws IOException {
        file.close();
    }

    private static Response ok(Body body) {
        return new Response(200, "OK", List.of(), body);
    }

    /** The same bytes from each kind of body; a file and a mapping the kernel moves itself. */
    private void handle(Request request, Consumer<Response> callback) {
        callback.accept(switch (request.target()) {
            case "/bytes" -> new Response(200, "OK", List.of(), CONTENT);
            case "/file" -> ok(Body.of(file, 0, LENGTH));
            case "/mapped" -> ok(Body.of(mapped));
            default -> TestServer.ok("small");
        });
    }

    private TestServer serve() throws IOException {
        return new TestServer(this::handle);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/bytes", "/file", "/mapped"})
    void servesOthersWhileASlowReaderTakesItsTime(String target) throws Exception {
        try (var server = serve()) {
            RawClient slow = server.connect(4096).get(target).get("/").get(target);
            server.awaitEvent("write");
            for (int i = 0; i < 20; i++) {
                long began = System.nanoTime();
                server.connect().get("/").expectOk("small");
                long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
                assertTrue(millis < 10_000, "waited " + millis + " ms");
            }
            server.awaitEvent("write_response", 20);
            assertEquals(20, server.log.count("write_response"), "the large one is still on its way");
            assertArrayEquals(CONTENT, slow.response().body());
            slow.expectOk("small");
            assertArrayEquals(CONTENT, slow.response().body());
        }
    }

    @Test
    void servesManyLargeResponsesOnOneConnection() throws Exception {
        try (var server = serve()) {
            RawClient client = server.connect();
            for (String target : List.of("/bytes", "/file", "/mapped", "/bytes")) {
                client.get(target).get("/").get(target);
                assertArrayEquals(CONTENT, client.response().body());
                client.expectOk("small");
                assertArrayEquals(CONTENT, client.response().body());
            }
        }
    }

    @Test
    void lastsUntilTheEndWhenTheClientHasEndedItsSide() throws Exception {
        try (var server = new TestServer(TestServer.options().withSendBufferSize(4096), this::handle)) {
            RawClient client = server.connect(4096).get("/bytes").halfClose();
            assertArrayEquals(CONTENT, client.response().body());
            client.expectEnd();
        }
    }

    @Test
    void doesNotHoldTheLoopForAFastReader() throws Exception {
        try (var server = serve()) {
            assertArrayEquals(CONTENT, server.connect().get("/bytes").response().body());
            long most = server.log.events().stream().filter(e -> e.name().equals("write"))
                    .mapToLong(e -> Long.parseLong(e.value("num_bytes"))).max().orElseThrow();
            assertTrue(most <= 256 * 1024, "one write of " + most + " bytes");
        }
    }

    @Test
    void sendsARegionBeyondFourGiB() throws Exception {
        long far = 5L << 30;
        file.write(ByteBuffer.wrap(CONTENT), far);
        Response response = ok(Body.of(file, far, LENGTH));
        try (var server = new TestServer((request, callback) -> callback.accept(response))) {
            assertArrayEquals(CONTENT, server.connect().get("/").response().body());
        }
    }

    /** A client that has read some of it is cut off, and nobody else notices. */
    @Test
    void closesTheConnectionsOfAFileThatIsCut() throws Exception {
        try (var server = serve()) {
            for (String target : List.of("/file", "/mapped")) {
                RawClient client = server.connect(4096).get(target);
                server.awaitEvent("write");
                file.truncate(1 << 20);
                assertTrue(client.countToEnd() < LENGTH, "what is not there is not sent");
                server.connect().get("/").expectOk("small");
                file.write(ByteBuffer.wrap(CONTENT), 0);
            }
            assertEquals(2, server.log.count("body_error"));
            server.assertServes();
        }
    }

    /** What a copy of it would be is garbage, so nothing is copied. */
    @Test
    void answersWith500WhereAMappingIsGoneOrCutsTheBody() throws Exception {
        try (var server = serve()) {
            file.truncate(0);
            String request = "GET /mapped HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
            String received = server.connect().send(request).readUntilItFails();
            // the kernel may take the head of the one write, or nothing
            boolean cut = received.startsWith("HTTP/1.1 200 OK\r\n") && received.endsWith("\r\n\r\n");
            assertTrue(cut || received.startsWith("HTTP/1.1 500 "), received);
            server.connect().get("/").expectOk("small");
        }
    }

    @Test
    void releasesAFileWhoseClientIsGone() throws Exception {
        var released = new CountDownLatch(20);
        Response response = ok(Body.of(file, 0, LENGTH).onReleased(released::countDown));
        try (var server = new TestServer((request, callback) -> callback.accept(response))) {
            for (int i = 0; i < 20; i++) {
                RawClient client = server.connect(4096).get("/");
                server.awaitEvent("write", i + 1);
                client.reset();
            }
            released.await();
        }
    }
}

package org.microhttp.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.Body;
import org.microhttp.Handler;
import org.microhttp.Response;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.TestServer;

/** Files and buffers as bodies over real sockets, whose kernel moves them itself. */
class FileResponseTest {

    private static final int LENGTH = 8 << 20;

    @TempDir
    private Path folder;
    private final byte[] content = new byte[LENGTH];
    private FileChannel file;
    private ByteBuffer mapped;

    @BeforeEach
    void makeFile() throws IOException {
        var random = new SplittableRandom(8);
        for (int i = 0; i < LENGTH; i++) {
            content[i] = (byte) random.nextInt();
        }
        Path path = folder.resolve("file");
        Files.write(path, content);
        file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        mapped = file.map(MapMode.READ_ONLY, 0, LENGTH);
    }

    @AfterEach
    void close() throws IOException {
        file.close();
    }

    private static Response ok(Body body) {
        return new Response(200, "OK", List.of(), body);
    }

    private Handler handler() {
        Response ofFile = ok(Body.of(file, 0, LENGTH));
        Response ofMapping = ok(Body.of(mapped));
        Response small = TestServer.ok("small");
        return (request, callback) -> callback.accept(switch (request.uri()) {
            case "/file" -> ofFile;
            case "/mapped" -> ofMapping;
            default -> small;
        });
    }

    @Test
    void servesOthersWhileSlowReadersTakeTheirTime() throws Exception {
        try (var server = new TestServer(handler())) {
            RawClient ofFile = server.connect(4096).get("/file").get("/").get("/mapped");
            RawClient ofMapping = server.connect(4096).get("/mapped").get("/").get("/file");
            server.awaitEvent("write", 2);
            server.connect().get("/").expectOk("small");
            for (RawClient client : List.of(ofFile, ofMapping)) {
                assertArrayEquals(content, client.response().body());
                client.expectOk("small");
                assertArrayEquals(content, client.response().body());
            }
        }
    }

    @Test
    void sendsARegionBeyondFourGiB() throws Exception {
        long far = 5L << 30;
        file.write(ByteBuffer.wrap(content), far);
        Response response = ok(Body.of(file, far, LENGTH));
        try (var server = new TestServer((request, callback) -> callback.accept(response))) {
            assertArrayEquals(content, server.connect().get("/").response().body());
        }
    }

    /** A client that has read some of it is cut off, and nobody else notices. */
    @Test
    void closesTheConnectionsOfAFileThatIsCut() throws Exception {
        try (var server = new TestServer(handler())) {
            for (String target : List.of("/file", "/mapped")) {
                RawClient client = server.connect(4096).get(target);
                server.awaitEvent("write");
                file.truncate(1 << 20);
                assertTrue(client.countToEnd() < LENGTH, "what is not there is not sent");
                server.connect().get("/").expectOk("small");
                file.write(ByteBuffer.wrap(content), 0);
            }
            assertEquals(2, server.log.count("close"));
            server.assertServes();
        }
    }

    /** What a copy of it would be is garbage, so nothing is copied. */
    @Test
    void closesTheConnectionsOfAMappingThatIsGone() throws Exception {
        try (var server = new TestServer(handler())) {
            file.truncate(0);
            RawClient client = server.connect().get("/mapped");
            String received = client.readUntilItFails();
            // the kernel may take the head of the one write, or nothing
            boolean none = received.isEmpty() || received.endsWith("\r\n\r\n");
            assertTrue(none, received.length() + " octets");
            server.connect().get("/").expectOk("small");
        }
    }

    @Test
    void letsGoOfAFileWhoseClientIsGone() throws Exception {
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

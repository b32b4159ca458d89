package org.microhttp.faults;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.*;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.*;
import org.microhttp.faults.tools.OneBuffer;
import org.microhttp.testing.*;

/**
 * R31: a program gives the buffer of a mapped file, wherever one can be given, and the file is cut.
 * Only the kernel may read such a buffer: of a read by Java the JVM tells at any time later, in whatever the
 * loop does then, and what was to be read is what the target had before, an answer to somebody else.
 */
@Tier.Gate
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class MappedFilesTest {

    private static final int LENGTH = 200_000;

    private static final int TIMES = 100;

    /** Where the buffer is given. */
    private enum Place {

        BODY, COUNTED, CHUNKED, UPGRADED, READ_LATER;

        private void give(ByteBuffer buffer, Consumer<Response> callback) {
            try {
                callback.accept(response(buffer));
            } catch (IOException e) {
                callback.accept(Response.failed(e));
            }
        }

        private Response response(ByteBuffer buffer) throws IOException {
            return switch (this) {
                case BODY -> new Response(200, List.of(), Body.of(buffer));
                case COUNTED -> new Response(200, List.of(), Body.of(new OneBuffer(buffer), LENGTH));
                case CHUNKED -> new Response(200, List.of(), Body.of(new OneBuffer(buffer)));
                case UPGRADED -> Response.upgrade("x", List.of(), new OneBuffer(buffer),
                        HttpResponse.BodySubscribers.discarding());
                case READ_LATER -> new Response(200, List.of(), copy(Body.of(buffer)));
            };
        }

        private static byte[] copy(Body body) throws IOException {
            ByteBuffer copy = ByteBuffer.allocate((int) body.length());
            while (copy.hasRemaining()) {
                body.read(copy.position(), copy);
            }
            return copy.array();
        }
    }

    @TempDir
    private Path folder;

    /** A mapped file, of which so much is left; what of its last page is there still reads as zeros. */
    private ByteBuffer mapped(int left) throws IOException {
        Path path = Files.createTempFile(folder, "mapped", null);
        Files.write(path, "m".repeat(LENGTH).getBytes());
        try (var file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer mapped = file.map(FileChannel.MapMode.READ_ONLY, 0, LENGTH);
            file.truncate(left);
            return mapped;
        }
    }

    @ParameterizedTest
    @EnumSource
    void costsOnlyItsConnection(Place place) throws Exception {
        ByteBuffer whole = mapped(LENGTH);
        ByteBuffer cut = mapped(64 * 1024);
        String others = "others".repeat(LENGTH / 6);
        try (var server = new TestServer((request, callback) -> {
            switch (request.path()) {
                case "/whole" -> place.give(whole, callback);
                case "/cut" -> place.give(cut, callback);
                default -> callback.accept(Response.text(200, others));
            }
        })) {
            assertTrue(ask(server, "/whole").contains("m".repeat(1000)));
            RawClient other = server.connect();
            for (int i = 0; i < TIMES; i++) {
                assertTrue(others.equals(new String(other.get("/").response().body())));
                String received = ask(server, "/cut");
                assertFalse(received.contains("others"), "what others were sent");
                assertTrue(received.length() < LENGTH, "no truncated body is as long as a whole one");
                assertFalse(received.endsWith("0\r\n\r\n"), "no truncated body has a last chunk");
            }
            assertEquals(List.of(), server.log.events().stream()
                    .filter(event -> event.cause() instanceof Error).toList());
        }
    }

    /** Returns all that a client of its own receives. */
    private static String ask(TestServer server, String path) throws IOException {
        try (RawClient client = server.connect()) {
            client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n");
            return client.halfClose().readUntilItFails();
        }
    }
}

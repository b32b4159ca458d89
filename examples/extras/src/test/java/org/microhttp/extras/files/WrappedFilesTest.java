package org.microhttp.extras.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.*;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.*;
import org.microhttp.extras.testing.FileSite;
import org.microhttp.testing.*;

/** Handlers around that of {@code FileServer} copy, read and keep back responses, and leave no file open. */
@Tier.Program
final class WrappedFilesTest {

    private static final int FILES = 10, ROUNDS = 40;
    private static final String CONTENT = "a line of a file\n".repeat(20_000);

    @TempDir
    private Path folder;

    private final AtomicInteger numbers = new AtomicInteger();

    private static Handler changed(Handler handler, UnaryOperator<Response> change) {
        return (request, callback) -> handler.handle(request,
                response -> callback.accept(change.apply(response)));
    }

    private Handler wrapped(Handler files) {
        Handler shared = changed(files, response -> response.withHeader("Access-Control-Allow-Origin", "*"));
        Handler secure = changed(shared, response -> response.withHeader("X-Content-Type-Options", "nosniff")
                .withoutHeader("Last-Modified"));
        Handler numbered = changed(secure,
                response -> response.withAddedHeader("X-Request-Id", "" + numbers.incrementAndGet()));
        return (request, callback) -> numbered.handle(request, response -> {
            if (request.target().endsWith("?known")) {
                response.release();
                callback.accept(new Response(304, response.headers(), new byte[0]));
            } else if (request.target().endsWith("?packed")) {
                callback.accept(compressed(response));
            } else {
                callback.accept(response);
            }
        });
    }

    private static Response compressed(Response response) {
        Body body = response.body();
        var bytes = new ByteArrayOutputStream();
        ByteBuffer part = ByteBuffer.allocate(10_000);
        try (var gzip = new GZIPOutputStream(bytes)) {
            for (long at = 0; at < body.length();) {
                at += body.read(at, part.clear());
                gzip.write(part.array(), 0, part.position());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            response.release();
        }
        return new Response(response.status(), response.headers(), bytes.toByteArray())
                .withHeader("Content-Encoding", "gzip");
    }

    @Test
    void leaveNoFileOpenWhateverClientsDo() throws Exception {
        Path root = Files.createDirectories(folder.resolve("root")).toRealPath();
        for (int i = 0; i < FILES; i++) {
            FileSite.settle(FileSite.write(root.resolve(i + ".txt"), CONTENT.getBytes()));
        }
        ExecutorService executor = Executors.newFixedThreadPool(4);
        FileHandler files = FileHandler.of(root).withMemory(1).withExecutor(executor).build();
        try (var server = new TestServer(wrapped(files))) {
            for (int i = 0; i < ROUNDS * FILES; i++) {
                RawClient client = server.connect(4096).get("/" + i % FILES + ".txt" + query(i));
                switch (i % 4) {
                    case 0 -> assertWhole(client.response());
                    case 1 -> client.reset();
                    case 2 -> client.read(1_000);
                    default -> assertTrue(client.response().status() != 500);
                }
                client.close();
            }
        }
        executor.shutdown();
        assertTrue(executor.awaitTermination(30, TimeUnit.SECONDS));
        files.close();
        assertEquals(List.of(), Leaks.open(folder.toRealPath().toString()));
    }

    private static String query(int number) {
        return number % 4 < 3 ? "" : number % 8 == 3 ? "?known" : "?packed";
    }

    private static void assertWhole(RawResponse response) {
        assertEquals(CONTENT, response.text());
        assertEquals("*", response.header("Access-Control-Allow-Origin"));
        assertEquals("nosniff", response.header("X-Content-Type-Options"));
        assertEquals(null, response.header("Last-Modified"));
        assertTrue(Integer.parseInt(response.header("X-Request-Id")) > 0);
    }
}

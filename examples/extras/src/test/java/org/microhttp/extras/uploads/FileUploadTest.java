package org.microhttp.extras.uploads;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.*;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.*;
import org.microhttp.extras.testing.Rights;
import org.microhttp.extras.uploads.UploadResult.*;
import org.microhttp.testing.*;

/** Uploads over sockets: a file is complete, or not there. */
@Tier.Program
final class FileUploadTest {

    private static final int LIMIT = 1_000_000;
    private static final String HEAD = "PUT / HTTP/1.1\r\nHost: x\r\n";

    private final ExecutorService executor = Executors.newFixedThreadPool(2);
    private final BlockingQueue<FileUpload> uploads = new LinkedBlockingQueue<>();

    @TempDir
    private Path folder;
    private Path file;
    private volatile Function<Request, FileUpload> start;
    private TestServer server;

    @BeforeEach
    void start() throws IOException {
        file = folder.resolve("file");
        start = request -> new FileUpload(request, file, LIMIT, executor);
        server = new TestServer(Handler.receiving(request -> {
            FileUpload upload = start.apply(request);
            uploads.add(upload);
            return upload;
        }, (request, upload, callback) ->
                upload.result().thenAccept(result -> callback.accept(result.response()))));
    }

    @AfterEach
    void end() throws IOException {
        server.close();
        executor.shutdownNow();
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(each -> "" + each.getFileName()).toList();
        }
    }

    private UploadResult result() throws Exception {
        return uploads.poll(20, TimeUnit.SECONDS).result().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    /** Sends a head, and what there is of the body. */
    private RawClient send(String framing, String body) throws IOException {
        return server.connect().send(HEAD + framing + "\r\n\r\n" + body);
    }

    private static String counted(int length) {
        return "Content-Length: " + length;
    }

    private static String chunk(String body) {
        return Integer.toHexString(body.length()) + "\r\n" + body + "\r\n";
    }

    @Test
    void aFileIsStoredWhole() throws Exception {
        Files.writeString(file, "before");
        String body = "0123456789".repeat(LIMIT / 10);
        assertEquals(201, send(counted(LIMIT), body).response().status());
        assertEquals(new Stored(file, LIMIT), result());
        assertEquals(body, Files.readString(file));
        assertEquals(201, send("Transfer-Encoding: chunked", chunk("ab") + chunk("c") + "0\r\n\r\n")
                .response().status());
        assertEquals(new Stored(file, 3), result());
        assertEquals("abc", Files.readString(file));
        assertEquals(List.of("file"), files());
    }

    @Test
    void onlyTheUserOfTheServerMayRead() throws Exception {
        assumeTrue(folder.getFileSystem().supportedFileAttributeViews().contains("posix"), "no rights");
        RawClient client = send("Expect: 100-continue\r\n" + counted(3), "");
        // it is requested, so there is the file
        client.readUntil("100 Continue\r\n\r\n");
        List<String> parts = files();
        assertEquals(1, parts.size());
        assertTrue(parts.get(0).startsWith(".upload-"), parts.get(0));
        assertEquals("rw-------", Rights.of(folder.resolve(parts.get(0))));
        assertEquals(201, client.send("abc").response().status());
        assertEquals("rw-------", Rights.of(file));
    }

    @Test
    void tooLargeUploadGets413() throws Exception {
        RawClient waiting = send("Expect: 100-continue\r\n" + counted(LIMIT + 1), "");
        // and no 100 before it
        assertEquals(413, waiting.response().status());
        assertEquals(new TooLarge(LIMIT), result());
        String body = chunk("x".repeat(LIMIT)) + chunk("x");
        assertEquals(413, send("Transfer-Encoding: chunked", body).response().status());
        assertEquals(new TooLarge(LIMIT), result());
        assertEquals(List.of(), files());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void cutUploadLeavesNothing(boolean reset) throws Exception {
        for (String framing : List.of(counted(9), "Transfer-Encoding: chunked")) {
            RawClient client = send("Expect: 100-continue\r\n" + framing, "");
            client.readUntil("100 Continue\r\n\r\n");
            client.send(framing.startsWith("T") ? "9\r\nabc" : "abc");
            if (reset) {
                client.reset();
            } else {
                client.halfClose();
            }
            assertInstanceOf(Failed.class, result());
            assertEquals(List.of(), files());
        }
    }

    /** A limit is passed, and the client does not wait for what is said about it. */
    @Test
    void tooLargeCutUploadLeavesNothing() throws Exception {
        send("Transfer-Encoding: chunked", chunk("x".repeat(LIMIT + 1))).reset();
        assertNotEquals(Stored.class, result().getClass());
        assertEquals(List.of(), files());
    }

    @Test
    void uploadCutByAStopLeavesNothing() throws Exception {
        RawClient client = send("Expect: 100-continue\r\n" + counted(9), "");
        client.readUntil("100 Continue\r\n\r\n");
        server.stop();
        assertInstanceOf(Failed.class, result());
        assertEquals(List.of(), files());
    }

    /** The last to be complete stays, and neither is a mixture. */
    @Test
    void twoUploadsToOneFileDoNotMix() throws Exception {
        RawClient first = send(counted(6), "aaa");
        RawClient second = send(counted(6), "bbb");
        assertEquals(201, second.send("bbb").response().status());
        assertEquals("bbbbbb", Files.readString(file));
        assertEquals(201, first.send("aaa").response().status());
        assertEquals("aaaaaa", Files.readString(file));
        send(counted(6), "ccc").reset();
        result();
        result();
        assertInstanceOf(Failed.class, result());
        assertEquals("aaaaaa", Files.readString(file));
        assertEquals(List.of("file"), files());
    }

    @Test
    void refusedUploadIsNotReceived() throws Exception {
        Response refusal = Response.text(401, "a token is needed\n");
        start = request -> FileUpload.refused(refusal);
        RawClient client = send("Expect: 100-continue\r\n" + counted(9), "");
        assertEquals(401, client.response().status());
        client.expectEnd();
        assertEquals(new Refused(refusal), result());
    }

    @Test
    void aFolderThatIsNotThereIsAFailure() throws Exception {
        start = request -> new FileUpload(request, folder.resolve("a/b"), LIMIT, executor);
        assertEquals(500, send(counted(3), "abc").response().status());
        assertInstanceOf(Failed.class, result());
        assertEquals("handler_error", server.awaitEvent("handler_error").name());
    }

    @Test
    void aFileDoesNotReplaceAFolder() throws Exception {
        Files.createDirectories(file.resolve("inner"));
        assertEquals(500, send(counted(3), "abc").response().status());
        assertInstanceOf(Failed.class, result());
        assertEquals(List.of("file"), files());
    }

    /** At first, after some of the body, and after its end. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void anExecutorThatTakesNoMoreIsAFailure(int taken) throws Exception {
        var count = new Semaphore(taken);
        start = request -> new FileUpload(request, file, LIMIT, task -> {
            if (!count.tryAcquire()) {
                throw new RejectedExecutionException("no more");
            }
            executor.execute(task);
        });
        assertEquals(500, send(counted(3), "abc").response().status());
        Failed failed = assertInstanceOf(Failed.class, result());
        assertInstanceOf(RejectedExecutionException.class, failed.cause());
        assertEquals(List.of(), files());
    }

    /** The client goes, and nobody is there to delete but the loop. */
    @Test
    void cutUploadIsDeletedWithoutAnExecutor() throws Exception {
        var count = new Semaphore(1);
        start = request -> new FileUpload(request, file, LIMIT, task -> {
            if (!count.tryAcquire()) {
                throw new RejectedExecutionException("no more");
            }
            executor.execute(task);
        });
        RawClient client = send("Expect: 100-continue\r\n" + counted(3), "");
        client.readUntil("100 Continue\r\n\r\n");
        client.reset();
        assertInstanceOf(Failed.class, result());
        assertEquals(List.of(), files());
    }

    @Test
    void aSizeIsNotNegative() {
        assertThrows(IllegalArgumentException.class, () -> new FileUpload(null, file, -1, executor));
    }

    @Test
    void curlUploads() throws Exception {
        assumeTrue(Programs.isInstalled("curl"), "no curl");
        Path large = Files.write(folder.resolve("large"), new byte[LIMIT]);
        Path larger = Files.write(folder.resolve("larger"), new byte[LIMIT + 1]);
        assertEquals("stored\n201", curl(large));
        assertArrayEquals(new byte[LIMIT], Files.readAllBytes(file));
        assertEquals("a file may have 1000000 bytes\n413", curl(larger));
        assertEquals("a file may have 1000000 bytes\n413", curl(larger, "-H", "Transfer-Encoding: chunked"));
    }

    private String curl(Path body, String... more) throws Exception {
        var command = new java.util.ArrayList<>(List.of("curl", "-sS", "--noproxy", "*", "-w",
                "%{http_code}", "-T", "" + body, "http://127.0.0.1:" + server.port() + "/"));
        command.addAll(List.of(more));
        return Programs.run(0, command.toArray(String[]::new));
    }
}

package org.microhttp.extras.forms;

import static org.junit.jupiter.api.Assertions.*;
import static org.microhttp.extras.testing.FormService.*;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.*;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.*;
import java.util.concurrent.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.*;
import org.microhttp.extras.testing.FormService;
import org.microhttp.testing.*;

/** Forms over sockets: their limits, what the program gets, and that nothing is left behind. */
@Tier.Program
final class FormHandlerTest {

    @TempDir
    private Path folder;
    private FormService forms;

    @BeforeEach
    void start() throws IOException {
        forms = new FormService(folder);
    }

    @AfterEach
    void end() throws IOException {
        forms.close();
    }

    /** At each limit, and one above. */
    @Test
    void limitsWhatAFormTakes() throws IOException {
        String field = part(FIELD + "a", "");
        String end = "(?s).*may have ";
        assertEquals(200, forms.post(body(field, field, field, field, field)).status());
        assertRefused(end + "5 parts\n", body(field, field, field, field, field, field));

        String lines = FIELD + "a; x=";
        String longest = lines + "y".repeat(LIMITS.head() - lines.length() - 4);
        assertEquals(200, forms.post(body(part(longest, ""))).status());
        assertRefused(end + "200 bytes\n", body(part(longest + "y", "")));

        int room = LIMITS.memory() - 2 * (field.length());
        assertEquals(200, forms.post(body(field + "v".repeat(room - 1), field + "v")).status());
        assertRefused(end + "1000 bytes\n", body(field + "v".repeat(room), field + "v"));

        String file = "v".repeat((int) LIMITS.file());
        assertEquals(200, forms.post(body(part(FILE, file))).status());
        assertRefused(end + "10000 bytes\n", body(part(FILE, file + "v")));
        assertRefused(end + "20000 bytes\n", body(part(FILE, file), part(FILE, file)));
    }

    private void assertRefused(String message, String body) throws IOException {
        RawResponse response = forms.post(body);
        assertEquals(413, response.status(), message);
        assertTrue(response.text().matches(message), response.text());
    }

    /** In chunks nobody knows the size before. */
    @Test
    void limitsTheWholeOfAFormThatDoesNotSayItsSize() throws IOException {
        RawClient client = forms.server.connect().send(head("multipart/form-data; boundary=b",
                "Transfer-Encoding: chunked"));
        int most = (int) LIMITS.total();
        client.send(Integer.toHexString(most) + "\r\n" + "p".repeat(most) + "\r\n1\r\np\r\n");
        assertEquals(413, client.response().status());
    }

    @Test
    void deletesFilesThatTheProgramDoesNotMove() throws IOException {
        var paths = new ArrayBlockingQueue<Path>(2);
        forms.function = form -> {
            form.files().forEach(file -> paths.add(file.path()));
            return Response.text(200, "" + Files.exists(form.file("f").path()));
        };
        assertEquals("true", forms.post(body(part(FILE, "x"), part(FILE, ""))).text());
        assertEquals(2, paths.size());
        assertTrue(paths.stream().noneMatch(Files::exists));
    }

    /** While it comes, and when the program has it. */
    @Test
    void onlyThisUserMayReadAFile() throws Exception {
        forms.function = form -> Response.text(200, rights(form.file("f").path()));
        String whole = body(part(FILE, "x"));
        int cut = whole.indexOf("x\r\n") + 1;
        RawClient client = forms.send(TYPE, "Content-Length: " + whole.length(), whole.substring(0, cut));
        forms.awaitFiles(1);
        assertEquals("rw-------", rights(forms.left().get(0)));
        assertEquals("rw-------", client.send(whole.substring(cut)).response().text());
    }

    private static String rights(Path file) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void keepsFilesThatTheProgramMoves(@TempDir Path elsewhere) throws IOException {
        forms.function = form -> {
            try {
                Files.move(form.file("f").path(), elsewhere.resolve("kept"));
                return Response.text(201, "");
            } catch (IOException e) {
                return Response.failed(e);
            }
        };
        assertEquals(201, forms.post(body(part(FILE, "x"))).status());
        assertEquals("x", Files.readString(elsewhere.resolve("kept")));
    }

    @Test
    void aFunctionThatFailsIs500AndLogged() throws IOException {
        forms.function = form -> {
            throw new IllegalStateException("mine");
        };
        assertEquals(500, forms.post(body(part(FILE, "x"))).status());
        forms.server.awaitEvent("handler_error");
    }

    /** It may throw what it likes, as a responder. */
    @Test
    void withoutAnExecutorFormsAreAnsweredWhereHandlersBlock() throws Exception {
        var threads = new LinkedBlockingQueue<Thread>();
        var handler = new FormHandler(folder, LIMITS, (request, form) -> {
            threads.add(Thread.currentThread());
            throw new IOException("mine");
        });
        var blocked = new FutureTask<>(Thread::currentThread);
        Handler.blockingExecutor().execute(blocked);
        try (var other = new TestServer(handler)) {
            String body = body(part(FILE, "x"));
            RawClient client = other.connect().send(head(TYPE, "Content-Length: " + body.length()) + body);
            assertEquals(500, client.response().status());
            assertEquals("mine", other.awaitEvent("handler_error").cause().getMessage());
            assertEquals(blocked.get().getName(), threads.take().getName());
        }
        assertFalse(Handler.blockingExecutor() instanceof ExecutorService, "who has it could end it");
    }

    @Test
    void aFolderThatIsGoneIs500() throws IOException {
        Files.delete(folder);
        assertEquals(500, forms.post(body(part(FILE, "x"))).status());
        Files.createDirectory(folder);
    }

    /** With an exception that nobody declares. */
    @Test
    void aFolderOfAClosedFileSystemIs500() throws IOException {
        Path closed;
        Path zip = folder.resolve("z.zip");
        try (FileSystem files = FileSystems.newFileSystem(zip, Map.of("create", "true"))) {
            closed = files.getPath("/");
        }
        Files.delete(zip);
        var handler = new FormHandler(closed, LIMITS, forms.executor, (request, form) -> null);
        try (var other = new TestServer(handler)) {
            String body = body(part(FILE, "x"));
            RawClient client = other.connect().send(head(TYPE, "Content-Length: " + body.length()) + body);
            assertEquals(500, client.response().status());
            other.awaitEvent("handler_error");
        }
    }

    /** Cut in each state of a form, by a reset and by the end of the client's side. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void leavesNothingOfAFormThatIsCut(boolean reset) throws Exception {
        String whole = body(part(FIELD + "a", "x"), part(FILE, "y"));
        String head = head(TYPE, "Content-Length: " + whole.length());
        forms.function = form -> fail("an incomplete form");
        for (int i = 1; i < whole.length(); i += 7) {
            RawClient client = forms.server.connect().send(head + whole.substring(0, i));
            if (i > whole.indexOf("filename=\"n\"\r\n\r\n") + 16) {
                forms.awaitFiles(1);
            }
            if (reset) {
                client.reset();
            } else {
                client.halfClose().readUntilItFails();
            }
            forms.awaitFiles(0);
        }
    }

    @Test
    void leavesNothingWhenTheServerEnds() throws Exception {
        String head = head(TYPE, "Content-Length: 999");
        RawClient client = forms.server.connect().send(head + "--b\r\n" + part(FILE, "y"));
        forms.awaitFiles(1);
        forms.server.close();
        client.readUntilItFails();
        forms.awaitFiles(0);
    }

    @Test
    void cleansWhatAKilledProcessHasLeft() throws Exception {
        var made = new ArrayBlockingQueue<String>(1);
        forms.function = form -> {
            made.add("" + form.file("f").path().getFileName());
            return Response.text(200, "");
        };
        forms.post(body(part(FILE, "x")));
        Path left = Files.createFile(folder.resolve(made.take()));
        Path other = Files.createFile(folder.resolve("other"));
        FormHandler.clean(folder);
        assertFalse(Files.exists(left));
        Files.delete(other);
    }

    /** As many small parts as may be, and a field that does not end, on each of many connections. */
    @Test
    void formsInMemoryTakeWhatTheLimitsSay() throws Exception {
        int count = 40;
        FormLimits limits = FormLimits.DEFAULT;
        var form = new StringBuilder("--b\r\n");
        for (int i = 2; i < limits.parts(); i++) {
            form.append(part(FIELD + "a" + i, "") + "\r\n--b\r\n");
        }
        form.append(part(FIELD + "a", "x".repeat(limits.memory() - form.length() - 100)));
        var handler = new FormHandler(folder, limits, forms.executor, (request, complete) -> null);
        String head = head(TYPE, "Content-Length: 1000000");
        try (var other = new TestServer(handler)) {
            long before = Heap.live();
            for (int i = 0; i < count; i++) {
                other.connect().send(head + form);
            }
            while (other.itself.stats().bytesIn() < (long) count * form.length()) {
                Thread.onSpinWait();
            }
            long each = (Heap.live() - before) / count;
            // an array that grows is twice as long at most, and each part has objects of its own
            assertTrue(each < 2L * limits.memory() + limits.parts() * 1000L, each + " bytes for each form");
            assertTrue(each > limits.memory() / 2, "nothing is kept");
        }
    }

    /** No more is read than is written: the executor's threads are held, and the client's sends wait. */
    @Test
    void waitsForASlowDisk() throws Exception {
        var held = new CountDownLatch(1);
        for (int i = 0; i < 2; i++) {
            forms.executor.execute(() -> TestServer.await(held));
        }
        var large = new FormLimits(1, 200, 1000, 1L << 30, 1L << 30);
        int size = 50_000_000;
        byte[] content = new byte[size];
        try (var other = new TestServer(new FormHandler(folder, large, forms.executor,
                (request, form) -> Response.text(200, "" + form.file("f").size())))) {
            String begin = "--b\r\n" + part(FILE, "");
            int length = begin.length() + size + "\r\n--b--".length();
            RawClient client = other.connect().send(head("multipart/form-data; boundary=b",
                    "Content-Length: " + length) + begin);
            CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> {
                try {
                    client.send(content).send("\r\n--b--");
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            assertThrows(TimeoutException.class, () -> sent.get(500, TimeUnit.MILLISECONDS));
            assertTrue(other.itself.stats().bytesIn() < 1_000_000, "read though nothing is written");
            held.countDown();
            assertEquals("" + size, client.response().text());
            sent.get(20, TimeUnit.SECONDS);
        }
    }
}

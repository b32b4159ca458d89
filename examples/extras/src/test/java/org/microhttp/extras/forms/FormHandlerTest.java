package org.microhttp.extras.forms;

import static org.junit.jupiter.api.Assertions.*;
import static org.microhttp.extras.testing.FormService.*;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.*;
import org.microhttp.extras.testing.FormService;
import org.microhttp.extras.testing.Rights;
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

    /** At each limit, and one above: the response names it, and the part. */
    @Test
    void formHasLimits() throws IOException {
        String field = part(FIELD + "a", "");
        assertEquals(200, forms.post(body(field, field, field, field, field)).status());
        assertRefused("a form may have 5 parts (part 6)", field, field, field, field, field, field);

        String file = part(FILE, "x");
        String none = part(FIELD + "f; filename=\"\"", "");
        assertEquals(200, forms.post(body(file, none, file, none, file)).status());
        assertRefused("a form may have 3 files (part 5, \"f\")", file, file, none, file, file);

        String lines = FIELD + "a; x=";
        String longest = lines + "y".repeat(LIMITS.head() - lines.length() - 4);
        assertEquals(200, forms.post(body(field, part(longest, ""))).status());
        assertRefused("the lines of a part may have 200 bytes (after part 1)", field,
                part(longest + "y", ""));

        int left = LIMITS.memory() - 2 * (field.length());
        assertEquals(200, forms.post(body(field + "v".repeat(left - 1), field + "v")).status());
        assertRefused("the fields of a form may have 1000 bytes (part 2, \"a\")",
                field + "v".repeat(left), field + "v");

        String largest = part(FILE, "v".repeat((int) LIMITS.file()));
        assertEquals(200, forms.post(body(largest)).status());
        assertRefused("the file may have 10000 bytes (part 2, \"f\")", field, largest + "v");
        assertRefused("a form may have 20000 bytes", largest, largest);
    }

    private void assertRefused(String message, String... parts) throws IOException {
        RawResponse response = forms.post(body(parts));
        assertEquals(413, response.status(), message);
        assertEquals(message + "\n", response.text());
    }

    /** A limit of a name counts instead of that of files; it never allows more fields than memory does. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "20 | f; filename=n | 200 |", "21 | f; filename=n | 413 | the file may have 20 bytes (part 1, \"f\")",
        "20 | f | 200 |", "21 | f | 413 | the field may have 20 bytes (part 1, \"f\")",
        "15 | \"g h\" | 200 |", "16 | \"g h\" | 413 | the field may have 15 bytes (part 1)",
        "11000 | large; filename=n | 200 |", "1000 | large | 413 | the fields of a form may have 1000 bytes"
            + " (part 1, \"large\")",
        "10001 | other; filename=n | 413 | the file may have 10000 bytes (part 1, \"other\")"})
    void limitsPartsByTheirName(int size, String name, int status, String message) throws IOException {
        FormLimits limits = LIMITS.withPart("f", 20).withPart("g h", 15).withPart("large", 11_000);
        var handler = new FormHandler(folder, limits, (request, form) -> Response.text(200, ""));
        try (var other = new TestServer(handler)) {
            String body = body(part(FIELD + name, "v".repeat(size)));
            RawClient client = other.connect().send(head(TYPE, "Content-Length: " + body.length()) + body);
            RawResponse response = client.response();
            assertEquals(status, response.status());
            assertEquals(message == null ? "" : message + "\n", response.text());
        }
    }

    @Test
    void limitsAreOneOrMore() {
        assertThrows(IllegalArgumentException.class, () -> LIMITS.withFiles(0));
        var thrown = assertThrows(IllegalArgumentException.class, () -> LIMITS.withPart("photo", 0));
        assertEquals("the limit photo is 0; allowed: 1 or more", thrown.getMessage());
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
            return Rights.of(file);
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

    @Test
    void cleanRemovesFilesOfAKilledProcess() throws Exception {
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

    /** {@return as many small parts as may be, and a field that does not end} */
    private static String largest(FormLimits limits) {
        var form = new StringBuilder("--b\r\n");
        for (int i = 2; i < limits.parts(); i++) {
            form.append(part(FIELD + "a" + i, "") + "\r\n--b\r\n");
        }
        return form.append(part(FIELD + "a", "x".repeat(limits.memory() - form.length() - 100))).toString();
    }

    /** On each of many connections; and next to nothing when they have ended, if the executor is stuck. */
    @Test
    void formsInMemoryKeepTheirLimits() throws Exception {
        int count = 40;
        FormLimits limits = FormLimits.DEFAULT;
        String form = largest(limits);
        var stuck = new AtomicBoolean();
        var running = new AtomicInteger();
        var tasks = new ConcurrentLinkedQueue<Runnable>();
        var handler = new FormHandler(folder, limits, task -> {
            if (stuck.get()) {
                tasks.add(task);
                return;
            }
            running.incrementAndGet();
            forms.executor.execute(() -> {
                task.run();
                running.decrementAndGet();
            });
        }, (request, complete) -> null);
        try (var other = new TestServer(handler)) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                clients.add(other.connect());
            }
            long before = Heap.live();
            for (RawClient client : clients) {
                client.send(head(TYPE, "Content-Length: 1000000") + form);
            }
            awaitBytes(other, (long) count * form.length());
            // what an earlier test has left may go meanwhile
            long full = Heap.live();
            long each = (full - before) / count;
            // an array that grows is twice as long at most, and each part has objects of its own
            assertTrue(each < 2L * limits.memory() + limits.parts() * 1000L, each + " bytes for each form");
            while (running.get() > 0) {
                Thread.onSpinWait();
            }
            stuck.set(true);
            // a form whose task still runs when more comes needs no other, so it may take some times, but not
            // so many that its field is too large
            for (int i = 1; tasks.size() < count; i++) {
                for (RawClient client : clients) {
                    client.send("x");
                }
                awaitBytes(other, (long) count * (form.length() + i));
            }
            other.stop();
            awaitHeap(before + count * 10_000);
            assertTrue(full - Heap.live() > count * limits.memory() / 2L, "nothing was kept");
        }
    }

    private static void awaitBytes(TestServer server, long least) {
        while (server.itself.stats().bytesIn() < least) {
            Thread.onSpinWait();
        }
    }

    private static void awaitHeap(long most) {
        while (Heap.live() > most) {
            Thread.onSpinWait();
        }
    }

    /** No more is read than is written: the executor's threads are held, and the client's sends wait. */
    @Test
    void waitsForASlowDisk() throws Exception {
        var held = new CountDownLatch(1);
        for (int i = 0; i < 2; i++) {
            forms.executor.execute(() -> TestServer.await(held));
        }
        var large = FormLimits.DEFAULT.withFile(1L << 30).withTotal(1L << 30);
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

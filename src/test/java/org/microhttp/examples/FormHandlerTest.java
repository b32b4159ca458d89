package org.microhttp.examples;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.Function;
import java.util.stream.Stream;
import multipart.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.*;
import org.microhttp.tools.*;

/** Forms over sockets: what the program gets of them, what is refused, and that nothing is left behind. */
@Tier.Program
final class FormHandlerTest {

    private static final FormLimits LIMITS = new FormLimits(5, 200, 1000, 10_000, 20_000);
    private static final String FIELD = "Content-Disposition: form-data; name=";
    private static final String FILE = FIELD + "\"f\"; filename=\"n\"";

    @TempDir
    private Path folder;
    private final ExecutorService executor = Executors.newFixedThreadPool(2);
    private TestServer server;

    /** What the function that answers forms is given; a latch holds it up. */
    private volatile Function<Form, Response> function = form -> Response.text(200, shown(form));

    @BeforeEach
    void start() throws IOException {
        server = new TestServer(new FormHandler(folder, LIMITS, executor,
                (request, form) -> function.apply(form)));
    }

    @AfterEach
    void end() throws Exception {
        server.close();
        executor.shutdown();
        assertTrue(executor.awaitTermination(20, TimeUnit.SECONDS));
        assertEquals(List.of(), left(), "files are left");
    }

    private List<Path> left() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    /** A line for each of the fields a, b, and for each file, with its content. */
    private static String shown(Form form) {
        var shown = new StringBuilder();
        for (String name : List.of("title", "text", "a%22b", "a", "b", "none")) {
            form.all(name).forEach(value -> shown.append(name + "=" + value + "\n"));
        }
        try {
            for (FormFile file : form.files()) {
                byte[] content = Files.readAllBytes(file.path());
                assertEquals(file.size(), content.length);
                shown.append(file.field() + ": " + file.name() + ", " + file.type() + ", "
                        + HexFormat.of().formatHex(content) + "\n");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return "" + shown;
    }

    private static String head(String type, String framing) {
        return "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: " + type + "\r\n" + framing + "\r\n\r\n";
    }

    private RawResponse post(String type, byte[] body) throws IOException {
        return server.connect().send(head(type, "Content-Length: " + body.length)).send(body).response();
    }

    private RawResponse post(String body) throws IOException {
        return post("multipart/form-data; boundary=b", body.getBytes(ISO_8859_1));
    }

    /** A body of parts, each with its lines and its content. */
    private static String body(String... parts) {
        return "--b\r\n" + String.join("\r\n--b\r\n", parts) + "\r\n--b--\r\n";
    }

    private static String part(String lines, String content) {
        return lines + "\r\n\r\n" + content;
    }

    /** What Chromium sends, of a page in UTF-8: a line break is CRLF, and a quote %22. */
    @Test
    void understandsABrowser() throws IOException {
        String boundary = "----WebKitFormBoundaryKVCt4MxCvuFIRaVF";
        String body = """
                --B
                Content-Disposition: form-data; name="title"

                café "x"
                --B
                Content-Disposition: form-data; name="text"

                two
                lines --

                --B
                Content-Disposition: form-data; name="a%22b"

                1
                --B
                Content-Disposition: form-data; name="file"; filename="naïve %22q%22.bin"
                Content-Type: image/png

                \0
                --ÿ
                ------WebKit
                --B
                Content-Disposition: form-data; name="none"; filename=""
                Content-Type: application/octet-stream


                --B--
                """.replace("--B", "--" + boundary).replace("\n", "\r\n");
        byte[] bytes = body.replace("é", "\u00C3\u00A9").replace("ï", "\u00C3\u00AF").getBytes(ISO_8859_1);
        assertEquals("""
                title=café "x"
                text=two\r
                lines --\r

                a%22b=1
                file: naïve %22q%22.bin, image/png, 000d0a2d2dff0d0a2d2d2d2d2d2d5765624b6974
                """, new String(post("multipart/form-data; boundary=" + boundary, bytes).body(), UTF_8));
    }

    /** What curl sends: first by default, then with --form-escape. */
    @Test
    void understandsCurl() throws IOException {
        String boundary = "------------------------bc61a29017e2e993";
        String body = """
                --B
                Content-Disposition: form-data; name="title"

                x
                --B
                Content-Disposition: form-data; name="file"; filename="a %22q%22.bin"
                Content-Type: application/octet-stream

                \0
                --
                --B
                Content-Disposition: form-data; name="file"; filename="a \\"q\\" \\\\z.bin"
                Content-Type: application/octet-stream


                --B--
                """.replace("--B", "--" + boundary).replace("\n", "\r\n");
        assertEquals("""
                title=x
                file: a %22q%22.bin, application/octet-stream, 000d0a2d2d
                file: a "q" \\z.bin, application/octet-stream,\s
                """, post("multipart/form-data; boundary=" + boundary, body.getBytes(ISO_8859_1)).text());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "multipart/form-data; boundary=b", "Multipart/Form-Data;BOUNDARY=b",
        "multipart/form-data;boundary=\"b\"", "multipart/form-data; charset=utf-8; boundary=b;"})
    void knowsItsType(String type) throws IOException {
        String body = body(part(FIELD + "a", "1"), part(FIELD + "\"a\";x=\"\\\"\"", "2"));
        assertEquals("a=1\na=2\n", post(type, body.getBytes(ISO_8859_1)).text());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "415 | text/plain", "415 | multipart/mixed; boundary=b", "415 | multipart/form-data2; boundary=b",
        "400 | multipart/form-data", "400 | multipart/form-data; boundary",
        "400 | multipart/form-data; boundary=",
        "400 | multipart/form-data; boundary=\"b", "400 | multipart/form-data; boundary=\"b \"",
        "400 | multipart/form-data; boundary=\"b@\"", "400 | multipart/form-data; boundary=b; boundary=c",
        "415 | multipart/form-data boundary=b", "400 | multipart/form-data; boundary=b x"})
    void refusesOtherTypesBeforeTheBody(int status, String type) throws IOException {
        RawClient client = server.connect().send(head(type, "Content-Length: 10\r\nExpect: 100-continue"));
        assertEquals(status, client.response().status());
        client.expectEnd();
    }

    @Test
    void refusesAFormWithoutABody() throws IOException {
        assertEquals(400, post("").status());
        String boundary = "multipart/form-data; boundary=" + "b".repeat(71);
        assertEquals(400, post(boundary, new byte[] {1}).status());
        assertEquals("", post("--b--").text());
        assertEquals(415, server.connect().send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx")
                .response().status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"X: y", "Content-Disposition: form-data",
        "Content-Disposition: attachment; name=a",
        FIELD, FIELD + "\"a", FIELD + "a b", FIELD + "\"a\"b", FIELD + "a; name=b",
        FIELD + "a\r\n" + FIELD + "b", FIELD + "\"\u00FF\"", FIELD + "\"a\0\"",
        "no colon", " " + FIELD + "a", FIELD + "a\r\n folded: x",
        "Content-Disposition : form-data; name=a", ": x",
        FIELD + "a\r\nContent-Transfer-Encoding: base64"})
    void refusesPartsThatAreNoneOfAForm(String lines) throws IOException {
        RawResponse response = post(body(part(lines, "x")));
        assertEquals(400, response.status(), lines);
        assertTrue(response.text().chars().allMatch(c -> c >= ' ' && c < 0x7F || c == '\n'), response.text());
    }

    @Test
    void refusesFieldsThatAreNotUtf8ButNoFiles() throws IOException {
        assertEquals(400, post(body(part(FIELD + "a", "\u00FF"))).status());
        assertEquals("f: n, null, ff\n", post(body(part(FILE, "\u00FF"))).text());
    }

    /** At each limit, and one above. */
    @Test
    void limitsWhatAFormTakes() throws IOException {
        String field = part(FIELD + "a", "");
        String end = "(?s).*may have ";
        assertEquals(200, post(body(field, field, field, field, field)).status());
        assertRefused(end + "5 parts\n", body(field, field, field, field, field, field));

        String lines = FIELD + "a; x=";
        String longest = lines + "y".repeat(LIMITS.head() - lines.length() - 4);
        assertEquals(200, post(body(part(longest, ""))).status());
        assertRefused(end + "200 bytes\n", body(part(longest + "y", "")));

        int room = LIMITS.memory() - 2 * (field.length());
        assertEquals(200, post(body(field + "v".repeat(room - 1), field + "v")).status());
        assertRefused(end + "1000 bytes\n", body(field + "v".repeat(room), field + "v"));

        String file = "v".repeat((int) LIMITS.file());
        assertEquals(200, post(body(part(FILE, file))).status());
        assertRefused(end + "10000 bytes\n", body(part(FILE, file + "v")));
        assertRefused(end + "20000 bytes\n", body(part(FILE, file), part(FILE, file)));
    }

    private void assertRefused(String message, String body) throws IOException {
        RawResponse response = post(body);
        assertEquals(413, response.status(), message);
        assertTrue(response.text().matches(message), response.text());
    }

    /** In chunks nobody knows the size before. */
    @Test
    void limitsTheWholeOfAFormThatDoesNotSayItsSize() throws IOException {
        RawClient client = server.connect().send(head("multipart/form-data; boundary=b",
                "Transfer-Encoding: chunked"));
        int most = (int) LIMITS.total();
        client.send(Integer.toHexString(most) + "\r\n" + "p".repeat(most) + "\r\n1\r\np\r\n");
        assertEquals(413, client.response().status());
    }

    @Test
    void deletesFilesThatTheProgramDoesNotMove() throws IOException {
        var paths = new ArrayBlockingQueue<Path>(2);
        function = form -> {
            form.files().forEach(file -> paths.add(file.path()));
            return Response.text(200, "" + Files.exists(form.file("f").path()));
        };
        assertEquals("true", post(body(part(FILE, "x"), part(FILE, ""))).text());
        assertEquals(2, paths.size());
        assertTrue(paths.stream().noneMatch(Files::exists));
    }

    @Test
    void keepsFilesThatTheProgramMoves(@TempDir Path elsewhere) throws IOException {
        function = form -> {
            try {
                Files.move(form.file("f").path(), elsewhere.resolve("kept"));
                return Response.text(201, "");
            } catch (IOException e) {
                return Response.failed(e);
            }
        };
        assertEquals(201, post(body(part(FILE, "x"))).status());
        assertEquals("x", Files.readString(elsewhere.resolve("kept")));
    }

    @Test
    void aFunctionThatFailsIs500AndLogged() throws IOException {
        function = form -> {
            throw new IllegalStateException("mine");
        };
        assertEquals(500, post(body(part(FILE, "x"))).status());
        server.awaitEvent("handler_error");
    }

    @Test
    void aFolderThatIsGoneIs500() throws IOException {
        Files.delete(folder);
        assertEquals(500, post(body(part(FILE, "x"))).status());
        Files.createDirectory(folder);
    }

    /** Cut in each state of a form, by a reset and by the end of the client's side. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void leavesNothingOfAFormThatIsCut(boolean reset) throws Exception {
        String whole = body(part(FIELD + "a", "x"), part(FILE, "y"));
        String head = head("multipart/form-data; boundary=b", "Content-Length: " + whole.length());
        function = form -> fail("an incomplete form");
        for (int i = 1; i < whole.length(); i += 7) {
            RawClient client = server.connect().send(head + whole.substring(0, i));
            if (i > whole.indexOf("filename=\"n\"\r\n\r\n") + 16) {
                awaitFiles(1);
            }
            if (reset) {
                client.reset();
            } else {
                client.halfClose().readUntilItFails();
            }
            awaitFiles(0);
        }
    }

    /** Waits until the folder has so many files. */
    private void awaitFiles(int count) throws Exception {
        try (WatchService changes = folder.getFileSystem().newWatchService()) {
            folder.register(changes, StandardWatchEventKinds.ENTRY_CREATE,
                    StandardWatchEventKinds.ENTRY_DELETE);
            while (left().size() != count) {
                WatchKey key = changes.poll(20, TimeUnit.SECONDS);
                assertNotNull(key, left() + ", not " + count);
                key.pollEvents();
                key.reset();
            }
        }
    }

    @Test
    void leavesNothingWhenTheServerEnds() throws Exception {
        String head = head("multipart/form-data; boundary=b", "Content-Length: 999");
        RawClient client = server.connect().send(head + "--b\r\n" + part(FILE, "y"));
        awaitFiles(1);
        server.close();
        client.readUntilItFails();
        awaitFiles(0);
    }

    @Test
    void cleansWhatAKilledProcessHasLeft() throws Exception {
        var made = new ArrayBlockingQueue<String>(1);
        function = form -> {
            made.add("" + form.file("f").path().getFileName());
            return Response.text(200, "");
        };
        post(body(part(FILE, "x")));
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
        var handler = new FormHandler(folder, limits, executor, (request, complete) -> null);
        String head = head("multipart/form-data; boundary=b", "Content-Length: 1000000");
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
            executor.execute(() -> TestServer.await(held));
        }
        var large = new FormLimits(1, 200, 1000, 1L << 30, 1L << 30);
        int size = 50_000_000;
        byte[] content = new byte[size];
        try (var other = new TestServer(new FormHandler(folder, large, executor,
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

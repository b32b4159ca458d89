package notes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.*;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.testing.*;
import org.microhttp.tools.testing.*;

/** The service of notes, by the JDK's client: its routes in this JVM, its end as a process. */
@Tier.Program
final class NotesServerTest {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String JSON = "application/json";
    private static final String FORM = "multipart/form-data; boundary=b";

    @RegisterExtension
    final ToolProcesses processes = new ToolProcesses("notes.NotesServer");

    @TempDir
    private Path data;

    private TestServer server() throws IOException {
        return new TestServer(NotesServer.handler(data));
    }

    private static HttpResponse<String> send(int port, String method, String target, String type, String body)
            throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + target))
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (type != null) {
            request.header("Content-Type", type);
        }
        return CLIENT.send(request.build(), BodyHandlers.ofString());
    }

    private static String field(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse(null);
    }

    private static String note(String title) {
        return "{\"title\":\"" + title + "\",\"text\":\"t\"}";
    }

    private static String form(String title, String file) {
        String field = "--b\r\nContent-Disposition: form-data; name=";
        return field + "\"title\"\r\n\r\n" + title + "\r\n" + field
                + "\"file\"; filename=\"C:/x/<é>.html\"\r\n\r\n" + file + "\r\n--b--\r\n";
    }

    private Set<String> stored() throws IOException {
        try (Stream<Path> files = Files.list(data)) {
            return new TreeSet<>(files.map(file -> "" + file.getFileName()).toList());
        }
    }

    @Test
    void aNoteIsMadeReadChangedAndRemoved() throws Exception {
        try (var server = server()) {
            HttpResponse<String> made = send(server.port(), "POST", "/notes", JSON, note("caf\u00e9"));
            assertEquals(201, made.statusCode());
            assertEquals("/notes/1", field(made, "Location"));
            assertEquals("nosniff", field(made, "X-Content-Type-Options"));
            assertEquals("{\"id\":1,\"title\":\"caf\\u00e9\",\"text\":\"t\",\"file\":null}\n", made.body());
            assertEquals(made.body(), send(server.port(), "GET", "/notes/1", null, null).body());
            String changed = send(server.port(), "PUT", "/notes/1", JSON, note("new")).body();
            assertEquals(changed, send(server.port(), "GET", "/notes/1", null, null).body());
            assertTrue(changed.contains("\"new\""), changed);
            assertEquals(204, send(server.port(), "DELETE", "/notes/1", null, null).statusCode());
            for (String method : List.of("GET", "DELETE")) {
                assertEquals(404, send(server.port(), method, "/notes/1", null, null).statusCode());
            }
            HttpResponse<String> next = send(server.port(), "POST", "/notes", JSON, note("b"));
            assertEquals("/notes/2", field(next, "Location"));
        }
        assertEquals(Set.of("2.json"), stored());
    }

    @Test
    void notesAreThereAfterARestart() throws Exception {
        try (var server = server()) {
            send(server.port(), "POST", "/notes", JSON, note("first"));
            send(server.port(), "POST", "/", FORM, form("second", "content"));
        }
        try (var server = server()) {
            String all = send(server.port(), "GET", "/notes", null, null).body();
            List<?> notes = (List<?>) JsonReader.read(all);
            assertEquals(List.of("second", "first"),
                    notes.stream().map(note -> ((Map<?, ?>) note).get("title")).toList());
            assertEquals("content", send(server.port(), "GET", "/notes/2/file", null, null).body());
        }
    }

    @Test
    void searchFindsTitlesUpToTheLimit() throws Exception {
        try (var server = server()) {
            for (String title : List.of("ab", "bc", "c&d")) {
                send(server.port(), "POST", "/notes", JSON, note(title));
            }
            Map<String, String> found = Map.of("", "c&d bc ab", "?q=b", "bc ab", "?q=b&limit=1", "bc",
                    "?q=%26", "c&d", "?q=nothing", "", "?limit=2", "c&d bc");
            for (var one : found.entrySet()) {
                String body = send(server.port(), "GET", "/notes" + one.getKey(), null, null).body();
                List<String> titles = ((List<?>) JsonReader.read(body)).stream()
                        .map(note -> "" + ((Map<?, ?>) note).get("title")).toList();
                assertEquals(one.getValue(), String.join(" ", titles), one.getKey());
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "POST | /notes | application/json | {} | 400",
        "POST | /notes | application/json | `{\"title\":\"a\"}` | 400",
        "POST | /notes | application/json | `{\"title\":\"a\",\"text\":1}` | 400",
        "POST | /notes | application/json | `{\"title\":\" \",\"text\":\"\"}` | 400",
        "POST | /notes | application/json | `{\"title\":\"a\",\"text\":\"\",\"id\":\"1\"}` | 400",
        "POST | /notes | application/json | [ | 400",
        "POST | /notes | text/plain | `{\"title\":\"a\",\"text\":\"\"}` | 415",
        "POST | /notes | | `{\"title\":\"a\",\"text\":\"\"}` | 415",
        "PUT | /notes/7 | application/json | `{\"title\":\"a\",\"text\":\"\"}` | 404",
        "GET | /notes/1/file | | | 404",
        "GET | /notes?limit=0 | | | 400",
        "GET | /notes?limit=101 | | | 400",
        "GET | /?q=%FF | | | 400",
        "POST | / | multipart/form-data; boundary=b | --b-- | 400",
        "POST | /notes/1/file | multipart/form-data; boundary=b | --b-- | 400"})
    void invalidRequestsAreRefused(String method, String target, String type, String body, int status)
            throws Exception {
        try (var server = server()) {
            HttpResponse<String> response = send(server.port(), method, target, type, body);
            assertEquals(status, response.statusCode(), response.body());
            assertEquals(1, response.body().lines().count(), response.body());
        }
        assertEquals(Set.of(), stored());
    }

    /** A form with a file, and the page and the file after it, in which nothing of it is markup. */
    @Test
    void aFormMakesANoteWithAFile() throws Exception {
        try (var server = server()) {
            HttpResponse<String> sent = send(server.port(), "POST", "/", FORM, form("<b>\"&", "<script>"));
            assertEquals(303, sent.statusCode());
            assertEquals("/", field(sent, "Location"));
            HttpResponse<String> page = send(server.port(), "GET", "/?q=%3Cb%3E%22", null, null);
            assertTrue(page.body().contains("<h2>&lt;b&gt;&quot;&amp;</h2>"), page.body());
            assertTrue(page.body().contains("value=\"&lt;b&gt;&quot;\""), page.body());
            assertTrue(page.body().contains(">&lt;é&gt;.html</a>"), page.body());
            assertTrue(field(page, "Content-Security-Policy").startsWith("default-src 'none'"));
            HttpResponse<String> file = send(server.port(), "GET", "/notes/1/file", null, null);
            assertEquals("<script>", file.body());
            assertEquals("application/octet-stream", field(file, "Content-Type"));
            String name = field(file, "Content-Disposition");
            assertEquals("attachment; filename=\"<_>.html\"; filename*=UTF-8''%3C%C3%A9%3E.html", name);
            assertEquals(Set.of("1.json", "1.file"), stored());
            send(server.port(), "DELETE", "/notes/1", null, null);
        }
        assertEquals(Set.of(), stored());
    }

    /** A formatter writes numbers in the digits of the locale. */
    @Test
    void idsHaveTheSameDigitsInEachLocale() throws Exception {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        try (var server = server()) {
            String made = send(server.port(), "POST", "/notes", JSON, note("a")).body();
            assertTrue(made.startsWith("{\"id\":1,"), made);
            String page = send(server.port(), "GET", "/", null, null).body();
            assertTrue(page.contains("data-delete=\"/notes/1\""), page);
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void anUploadReplacesTheFileOfANote() throws Exception {
        try (var server = server()) {
            assertEquals(404, send(server.port(), "POST", "/notes/1/file", FORM, form("", "x")).statusCode());
            send(server.port(), "POST", "/notes", JSON, note("a"));
            for (String content : List.of("first", "second")) {
                String form = form("", content);
                String sent = send(server.port(), "POST", "/notes/1/file", FORM, form).body();
                assertEquals("<\\u00e9>.html", sent.replaceFirst("(?s).*\"file\":\"(.*)\".*", "$1"));
                assertEquals(content, send(server.port(), "GET", "/notes/1/file", null, null).body());
            }
            HttpResponse<String> kept = send(server.port(), "PUT", "/notes/1", JSON, note("b"));
            assertTrue(kept.body().contains(".html"), kept.body());
        }
    }

    /** CrossSiteGuardTest has the rules. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"Sec-Fetch-Site: same-origin | 303", "Origin: http://x | 303",
        "Sec-Fetch-Site: cross-site | 403", "Origin: http://y | 403"})
    void formsOfOtherSitesAreRefused(String fields, int status) throws Exception {
        try (var server = server(); RawClient client = server.connect()) {
            byte[] form = form("a", "x").getBytes(UTF_8);
            client.send("POST / HTTP/1.1\r\nHost: x\r\n" + fields
                    + "\r\nContent-Type: " + FORM + "\r\nContent-Length: " + form.length + "\r\n\r\n");
            client.send(form);
            assertEquals(status, client.response().status());
        }
    }

    @Test
    void staticFilesAreServedBelowTheirPrefix() throws Exception {
        try (var server = server()) {
            HttpResponse<String> css = send(server.port(), "GET", "/static/notes.css", null, null);
            Path file = Path.of("examples/services/src/main/resources/notes/static/notes.css");
            assertEquals(Files.readString(file), css.body());
        }
    }

    @Test
    void thereMayBeAThousandNotes() throws Exception {
        try (var server = server(); RawClient client = server.connect()) {
            String note = note("a");
            String post = "POST /notes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                    + "Content-Length: " + note.length() + "\r\n\r\n" + note;
            for (int i = 0; i < 1000; i++) {
                assertEquals(201, client.send(post).response().status());
            }
            assertEquals(507, client.send(post).response().status());
        }
    }

    @Test
    void aBrokenFileOfANoteIsNamedAtTheStart() throws Exception {
        Files.writeString(data.resolve("3.json"), "{}");
        ToolRun run = ToolRun.of("NotesServer", "--data", "" + data, "--port", "0");
        assertEquals(2, run.code());
        assertTrue(run.errors().contains("3.json is no note"), run.errors());
    }

    /** What was begun before SIGTERM is answered, stored and logged; the heap could not hold the uploads. */
    @Test
    void endsWithAllThatWasBegun(@TempDir Path logs) throws Exception {
        Path log = logs.resolve("access.log");
        ServerProcess server = processes.startJvm("-Xmx24m", "--data", "" + data,
                "--address", "127.0.0.1", "--port", "0", "--log", "" + log).listening();
        assumeTrue(server.process.supportsNormalTermination(), "no SIGTERM");
        String file = "x".repeat(9_000_000);
        List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
        HttpRequest upload = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port + "/"))
                .header("Content-Type", FORM).POST(BodyPublishers.ofString(form("a", file))).build();
        for (int i = 0; i < 5; i++) {
            sent.add(CLIENT.sendAsync(upload, BodyHandlers.ofString()));
        }
        byte[] form = form("last", "y").getBytes(UTF_8);
        try (var last = new RawClient(server.port)) {
            last.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Type: " + FORM + "\r\nContent-Length: "
                    + form.length + "\r\n\r\n").send(Arrays.copyOf(form, 100));
            for (CompletableFuture<HttpResponse<String>> one : sent) {
                assertEquals(303, one.get(30, TimeUnit.SECONDS).statusCode());
            }
            server.terminate();
            awaitRefused(server.port);
            last.send(Arrays.copyOfRange(form, 100, form.length));
            assertEquals(303, last.response().status());
        }
        assertEquals(143, server.process.waitFor());
        assertEquals(12, stored().size());
        assertEquals(6, Files.readString(log).lines().filter(line -> line.contains("\" 303 ")).count());
    }

    /** To print what passes must not take a form from its receiver. */
    @Test
    void takesFormsAlsoIfItPrintsThem() throws Exception {
        ServerProcess server = processes.startJvm("-Xmx64m", "--data", "" + data,
                "--address", "127.0.0.1", "--port", "0", "-v").listening();
        assertEquals(303, send(server.port, "POST", "/", FORM, form("title", "content")).statusCode());
        assertEquals(Set.of("1.json", "1.file"), stored());
    }

    /** When it is told to end, it takes no connections. */
    private static void awaitRefused(int port) {
        for (int i = 0; i < 10_000; i++) {
            try {
                new RawClient(port).close();
            } catch (IOException e) {
                return;
            }
        }
        fail("it goes on");
    }
}

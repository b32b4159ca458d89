package org.microhttp.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.microhttp.tools.ExampleProcess;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.RawResponse;
import org.microhttp.tools.Readme;
import org.microhttp.tools.Tier;

/** What the example {@code FormServer} answers over sockets: what it understood, or why it did not. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Gate
final class FormServerTest {

    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String ROOT = "segment \"\", not for a file\n";
    private static final Pattern CURL =
            Pattern.compile("curl (?:-d '([^']+)' )?'http://localhost:3000(/[^']*)'\n(.+)", Pattern.DOTALL);

    private static ExampleProcess server;

    @BeforeAll
    static void startServer() throws IOException {
        server = ExampleProcess.start("formserver.FormServer", "-a", "127.0.0.1", "-p", "0", "-t", "1");
        server.listening();
    }

    @AfterAll
    static void endServer() throws InterruptedException {
        if (server != null) {
            server.process.destroyForcibly().waitFor();
        }
    }

    @Test
    void answersWithWhatItUnderstoodOfTheTarget() throws Exception {
        understands("/", ROOT);
        understands("/?", ROOT);
        understands("/a/b%2Fc/?x=1&y&x=%26+",
                "segment \"a\"\nsegment \"b/c\", not for a file\nsegment \"\", not for a file\n"
                + "query \"x\": [\"1\",\"& \"]\nquery \"y\": [\"\"]\n");
        understands("/a+b/..%5C%00/%2e%2e?a=/b?c", "segment \"a+b\"\n"
                + "segment \"..\\\\\\u0000\", not for a file\nsegment \"..\", not for a file\n"
                + "query \"a\": [\"/b?c\"]\n");
    }

    @Test
    void takesTheAbsoluteFormAlike() throws Exception {
        understands("http://x/a%20b?c=d", "segment \"a b\"\nquery \"c\": [\"d\"]\n");
        understands("http://x?c=d", ROOT + "query \"c\": [\"d\"]\n");
    }

    @Test
    void answersWithWhatItUnderstoodOfAForm() throws Exception {
        RawResponse answer = post(FORM + "; charset=UTF-8", "a=1&b=+&a=%C3%A9");
        assertAnswer(200, ROOT + "form \"a\": [\"1\",\"\\u00e9\"]\nform \"b\": [\" \"]\n", answer);
        assertAnswer(200, ROOT + "form \"a\": [\"\\u00e9\"]\n", post(FORM, "a=\u00E9"));
        assertAnswer(200, ROOT, post(FORM, ""));
    }

    @Test
    void doesNotReadABodyOfAnotherMethod() throws Exception {
        try (var client = new RawClient(server.port)) {
            client.send("PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n%");
            assertAnswer(200, "segment \"a\"\n", client.response());
        }
    }

    @Test
    void answersWhatIsNotEncodedAsItShouldBeWith400() throws Exception {
        refuses("/a%zz", "at position 2 of the path is a % without two hexadecimal digits behind it; "
                + "allowed: %25 for a % itself\n");
        refuses("/?a=%C0%AF", "at position 2 of the query is %C0, which begins no character of UTF-8; "
                + "allowed: whole characters\n");
        assertAnswer(400, "at position 2 of the form is %ED, which begins no character of UTF-8; "
                + "allowed: whole characters\n", post(FORM, "a=%ED%A0%80"));
        assertAnswer(400, "the Content-Type is not that of a form; allowed: " + FORM + "\n",
                post("text/plain", "a=1"));
        assertAnswer(400, "the charset of the form is not allowed; allowed: utf-8\n",
                post(FORM + "; charset=latin1", "a=1"));
        assertAnswer(400, "a form without Content-Type; allowed: " + FORM + "\n", post(null, "a=1"));
        assertAnswer(400, "the form has more parameters than are allowed: 1000\n",
                post(FORM, "a&".repeat(500_000)));
        try (var client = new RawClient(server.port)) {
            client.send("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n");
            assertAnswer(400, "at position 0 of the path is no slash; allowed: a path that begins with one\n",
                    client.response());
        }
    }

    @Test
    void servesOnAfterARefusal() throws Exception {
        try (var client = new RawClient(server.port)) {
            assertEquals(400, client.get("/%").response().status());
            assertAnswer(200, "segment \"a\"\n", client.get("/a").response());
        }
    }

    /** The commands of the page and what they print, but for the first, which starts the server. */
    @Test
    void answersAsThePageShows() throws Exception {
        String shown = Readme.blocks(Readme.read(Readme.EXAMPLES), "console").stream()
                .filter(block -> block.contains("run FormServer ")).findFirst().orElseThrow();
        String[] exchanges = shown.substring(2).split("\n\\$ ");
        assertEquals("examples/run FormServer -p 3000\nlistening on *:3000", exchanges[0]);
        assertTrue(exchanges.length > 2);
        for (int i = 1; i < exchanges.length; i++) {
            Matcher command = CURL.matcher(exchanges[i]);
            assertTrue(command.matches(), exchanges[i]);
            String body = command.group(1);
            RawResponse answer = body == null ? get(command.group(2)) : post(command.group(2), FORM, body);
            assertEquals(command.group(3).stripTrailing() + "\n", answer.text());
        }
    }

    private static void understands(String target, String text) throws IOException {
        assertAnswer(200, text, get(target));
    }

    private static void refuses(String target, String text) throws IOException {
        assertAnswer(400, text, get(target));
    }

    private static void assertAnswer(int status, String text, RawResponse answer) {
        assertEquals(text, answer.text());
        assertEquals(status, answer.status());
        assertEquals("text/plain", answer.header("Content-Type"));
    }

    private static RawResponse get(String target) throws IOException {
        try (var client = new RawClient(server.port)) {
            return client.get(target).response();
        }
    }

    private static RawResponse post(String type, String body) throws IOException {
        return post("/", type, body);
    }

    /** @param type null for a request without the field */
    private static RawResponse post(String target, String type, String body) throws IOException {
        byte[] octets = body.getBytes(UTF_8);
        String field = type == null ? "" : "Content-Type: " + type + "\r\n";
        try (var client = new RawClient(server.port)) {
            client.send("POST " + target + " HTTP/1.1\r\nHost: x\r\n" + field
                    + "Content-Length: " + octets.length + "\r\n\r\n").send(octets);
            return client.response();
        }
    }
}

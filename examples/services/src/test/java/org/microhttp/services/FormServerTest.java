package org.microhttp.services;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.*;

/** What the example {@code FormServer} answers over sockets: a line for each parameter, or a refusal. */
@Tier.Program
final class FormServerTest {

    private static final String FORM = "application/x-www-form-urlencoded";
    private static final Pattern CURL =
            Pattern.compile("curl (?:-d '([^']+)' )?'http://localhost:3000(/[^']*)'\n(.+)", Pattern.DOTALL);

    private static ServerProcess server;

    @BeforeAll
    static void startServer() throws IOException {
        server = ServerProcess.start("FormServer", "0");
        server.listening();
    }

    @AfterAll
    static void endServer() throws InterruptedException {
        if (server != null) {
            server.process.destroyForcibly().waitFor();
        }
    }

    /** Each is a query, and a form whose bytes are that text in UTF-8. */
    @ParameterizedTest
    @CsvSource(delimiter = ' ', quoteCharacter = '`', nullValues = "-", value = {
        "a=1 `a = 1\n`",
        "a=1&b=2&a=3 `a = 1\nb = 2\na = 3\n`",
        "a+b=c+d `a b = c d\n`",
        "a%2Bb=c%20d `a+b = c d\n`",
        "caf%C3%A9=%E2%82%AC `caf\u00E9 = \u20AC\n`",
        "a=/?:@!$'()*,[]|;b=2 `a = /?:@!$'()*,[]|;b=2\n`",
        "A=1&a=2 `A = 1\na = 2\n`",
        "a `a = \n`", "a&b= `a = \nb = \n`", "a&a&a=1 `a = \na = \na = 1\n`",
        "= ` = \n`", "=1&= ` = 1\n = \n`",
        "`` ``", "& ``", "&&a=1&&&b& `a = 1\nb = \n`",
        "a=b=c== `a = b=c==\n`", "== ` = =\n`",
        "a=1%26b=2 `a = 1&b=2\n`", "a%3Db=c `a=b = c\n`", "%26 `& = \n`", "a=%2541%2B%252B `a = %41+%2B\n`"})
    void answersWithALineForEachParameter(String parameters, String lines) throws Exception {
        assertAnswer(200, lines.replaceAll("(?<=^|\n)(?=[^\n]* = )", "query: "), get("/a?" + parameters));
        assertAnswer(200, lines.replaceAll("(?<=^|\n)(?=[^\n]* = )", "form: "), post(FORM, parameters));
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "a=1&b=%4", "a=1&b%zz=2", "a=%4&1", "a%=41", "a=100%", "a=1&b=x+%C0%AF",
        "%C3=%A9", "%+1=a", "a=b%+1", "a=%-1", "a=%C3&%A9", "a=1&b=%ED%A0%80"})
    void badEncodingGets400(String parameters) throws Exception {
        try (var client = new RawClient(server.port)) {
            assertEquals(400, client.get("/?" + parameters).response().status());
            assertAnswer(200, "query: a = 1\n", client.get("/?a=1").response());
        }
        assertEquals(400, post(FORM, parameters).status());
    }

    /** Each takes a hundred times the memory that it is sent in. */
    @Test
    void refusesMoreParametersThanAPageHas() throws Exception {
        assertEquals(200, post(FORM, "a&".repeat(999)).status());
        assertEquals(400, post(FORM, "a&".repeat(1001)).status());
        assertEquals(400, post(FORM, "&".repeat(500_000)).status());
    }

    @Test
    void readsTheQueryOfEachFormOfTarget() throws Exception {
        for (String target : List.of("/", "http://x")) {
            assertAnswer(200, "", get(target));
            assertAnswer(200, "query: c = d\n", get(target + "?c=d"));
        }
    }

    @Test
    void takesBytesOfAFormThatWereNotEncoded() throws Exception {
        assertAnswer(200, "form: name = caf\u00E9 \u20AC\n", post(FORM, "name=caf\u00E9 \u20AC"));
        assertEquals(400, post("/", FORM, "name=\u00E9".getBytes(ISO_8859_1)).status());
        // half of it encoded
        assertAnswer(200, "form: name = \u00E9\n", post("/", FORM, "name=%C3\u00A9".getBytes(ISO_8859_1)));
    }

    @Test
    void takesAFormByItsType() throws Exception {
        for (String type : List.of(FORM, "Application/X-WWW-Form-URLEncoded", FORM + "; charset=UTF-8",
                FORM + " ;\tCharset=\"Utf-8\"", FORM + ";")) {
            assertAnswer(200, "form: a = 1\n", post(type, "a=1"));
        }
        for (String type : Arrays.asList(null, "", "text/plain", FORM + "x", "x" + FORM, FORM + "/x",
                FORM + "," + FORM, "text/plain; a=" + FORM, FORM.replace("i", "\u0131"))) {
            assertAnswer(415, "allowed: " + FORM + "\n", post(type, "a=1"));
        }
    }

    @Test
    void aValueMayHoldEveryCharacter() throws Exception {
        assertAnswer(200, "query: a = \0\r\n\n", get("/?a=%00%0D%0A"));
    }

    @Test
    void doesNotReadABodyOfAnotherMethod() throws Exception {
        try (var client = new RawClient(server.port)) {
            client.send("PUT /?a HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n%");
            assertAnswer(200, "query: a = \n", client.response());
        }
    }

    /** The commands of the page and what they print, but for the first, which starts the server. */
    @Test
    void answersAsThePageShows() throws Exception {
        String shown = Readme.blocks(Readme.read(Readme.EXAMPLES), "console").stream()
                .filter(block -> block.contains("run FormServer ")).findFirst().orElseThrow();
        String[] exchanges = shown.substring(2).split("\n\\$ ");
        assertEquals("examples/run FormServer 3000\nlistening on port 3000", exchanges[0]);
        assertTrue(exchanges.length > 2);
        for (int i = 1; i < exchanges.length; i++) {
            Matcher command = CURL.matcher(exchanges[i]);
            assertTrue(command.matches(), exchanges[i]);
            String body = command.group(1);
            String target = command.group(2);
            RawResponse answer = body == null ? get(target) : post(target, FORM, body.getBytes(UTF_8));
            assertEquals(command.group(3).stripTrailing() + "\n", new String(answer.body(), UTF_8));
        }
    }

    private static void assertAnswer(int status, String text, RawResponse answer) {
        assertEquals(text, new String(answer.body(), UTF_8));
        assertEquals(status, answer.status());
        assertEquals("text/plain; charset=utf-8", answer.header("Content-Type"));
    }

    private static RawResponse get(String target) throws IOException {
        try (var client = new RawClient(server.port)) {
            return client.get(target).response();
        }
    }

    private static RawResponse post(String type, String body) throws IOException {
        return post("/", type, body.getBytes(UTF_8));
    }

    /** @param type null for a request without the field */
    private static RawResponse post(String target, String type, byte[] body) throws IOException {
        String field = type == null ? "" : "Content-Type: " + type + "\r\n";
        try (var client = new RawClient(server.port)) {
            client.send("POST " + target + " HTTP/1.1\r\nHost: x\r\n" + field
                    + "Content-Length: " + body.length + "\r\n\r\n").send(body);
            return client.response();
        }
    }
}

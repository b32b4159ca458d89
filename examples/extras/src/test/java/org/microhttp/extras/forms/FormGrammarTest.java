package org.microhttp.extras.forms;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.microhttp.extras.testing.FormService.*;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.Response;
import org.microhttp.extras.testing.FormService;
import org.microhttp.testing.*;

/** What is a form, as browsers and curl send it, and what is none. */
final class FormGrammarTest {

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

    /** What Chromium sends, of a page in UTF-8: a line break is CRLF, and a quote %22. */
    @Test
    void browserFormIsUnderstood() throws IOException {
        String boundary = "----WebKitFormBoundaryKVCt4MxCvuFIRaVF";
        String type = "multipart/form-data; boundary=" + boundary;
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
                """, new String(forms.post(type, bytes).body(), UTF_8));
    }

    /** What curl sends: first by default, then with --form-escape. */
    @Test
    void curlFormIsUnderstood() throws IOException {
        String boundary = "------------------------bc61a29017e2e993";
        String type = "multipart/form-data; boundary=" + boundary;
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
                """, forms.post(type, body.getBytes(ISO_8859_1)).text());
    }

    /** Names with a quote, a backslash, a percent sign and letters of other languages, and two files. */
    @Test
    @Tier.Program
    void curlSendsForms(@TempDir Path other) throws Exception {
        assumeTrue(Programs.isInstalled("curl"), "no curl");
        Path large = Files.write(other.resolve("b\\50%.bin"), new byte[9_999]);
        Path small = Files.writeString(other.resolve("\u00e9 \"q\".txt"), "\r\n--");
        forms.function = form -> {
            var shown = new StringBuilder(form.get("title", null) + form.all("a"));
            form.files().forEach(file -> shown.append("\n" + file.field() + " " + file.name() + " "
                    + file.type() + " " + file.size()));
            return Response.text(200, "" + shown);
        };
        String url = "http://127.0.0.1:" + forms.server.port() + "/";
        for (String escape : List.of("--form-escape", "-s")) {
            boolean escaped = escape.startsWith("--");
            String said = Programs.run(0, "curl", "-sS", "--noproxy", "*", escape, "-F", "title=\u00e9 \"x\"",
                    "-F", "a=1", "-F", "f=@\"" + quoted(large) + "\"",
                    "-F", "f=@\"" + quoted(small) + "\";type=text/x", url);
            assertEquals("\u00e9 \"x\"[1]\nf b\\50%.bin application/octet-stream 9999\nf \u00e9 "
                    + (escaped ? "\"q\"" : "%22q%22") + ".txt text/x 4", said);
        }
    }

    private static String quoted(Path path) {
        return ("" + path).replace("\\", "\\\\").replace("\"", "\\\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "multipart/form-data; boundary=b", "Multipart/Form-Data;BOUNDARY=b",
        "multipart/form-data;boundary=\"b\"", "multipart/form-data; charset=utf-8; boundary=b;"})
    void knowsItsType(String type) throws IOException {
        String body = body(part(FIELD + "a", "1"), part(FIELD + "\"a\";x=\"\\\"\"", "2"));
        assertEquals("a=1\na=2\n", forms.post(type, body.getBytes(ISO_8859_1)).text());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "415 | text/plain", "415 | multipart/mixed; boundary=b", "415 | multipart/form-data2; boundary=b",
        "400 | multipart/form-data", "400 | multipart/form-data; boundary",
        "400 | multipart/form-data; boundary=",
        "400 | multipart/form-data; boundary=\"b", "400 | multipart/form-data; boundary=\"b \"",
        "400 | multipart/form-data; boundary=\"b@\"", "400 | multipart/form-data; boundary=b; boundary=c",
        "415 | multipart/form-data boundary=b", "400 | multipart/form-data; boundary=b x",
        "400 | multipart/form-data; boundary=b"
            + ";a=1;c=1;d=1;e=1;f=1;g=1;h=1;i=1;j=1;k=1;l=1;m=1;n=1;o=1;p=1;q=1;r=1;s=1;t=1;u=1"})
    void refusesOtherTypesBeforeTheBody(int status, String type) throws IOException {
        RawClient client = forms.send(type, "Content-Length: 10\r\nExpect: 100-continue", "");
        assertEquals(status, client.response().status());
        client.expectEnd();
    }

    @Test
    void refusesAFormWithoutABody() throws IOException {
        assertEquals(400, forms.post("").status());
        String boundary = "multipart/form-data; boundary=" + "b".repeat(71);
        assertEquals(400, forms.post(boundary, new byte[] {1}).status());
        assertEquals("", forms.post("--b--").text());
        String untyped = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx";
        assertEquals(415, forms.server.connect().send(untyped).response().status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"X: y", "Content-Disposition: form-data",
        "Content-Disposition: attachment; name=a",
        FIELD, FIELD + "\"a", FIELD + "a b", FIELD + "\"a\"b", FIELD + "a; name=b",
        FIELD + "a\r\n" + FIELD + "b", FIELD + "\"\u00FF\"", FIELD + "\"a\0\"",
        "no colon", " " + FIELD + "a", FIELD + "a\r\n folded: x",
        "Content-Disposition : form-data; name=a", ": x",
        FIELD + "a\r\nContent-Transfer-Encoding: base64",
        FIELD + "a\r\nContent-Type: Multipart/Mixed;boundary=c",
        FIELD + "a; filename*=UTF-8''b.txt", FIELD + "a; FileName*0=b", FIELD + "a; filename*0*=UTF-8''b"})
    void refusesPartsThatAreNoneOfAForm(String lines) throws IOException {
        RawResponse response = forms.post(body(part(lines, "x")));
        assertEquals(400, response.status(), lines);
        assertTrue(response.text().chars().allMatch(c -> c >= ' ' && c < 0x7F || c == '\n'), response.text());
    }

    /** What browsers leave as it is, and what older versions of curl escape. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "C:\\dir\\n.txt | C:\\dir\\n.txt", "a\\\"b | a\"b", "a\\\\b | a\\b", "50%25%0D%0A | 50%25%0D%0A",
        "a;b=c, d | a;b=c, d", "\u00C3\u00A9 \u00E2\u0082\u00AC | \u00e9 \u20ac",
        "../../etc/passwd | ../../etc/passwd"})
    void takesNamesAsTheyWereSent(String sent, String name) throws IOException {
        forms.function = form -> Response.text(200, form.file("f").name());
        RawResponse response = forms.post(body(part(FIELD + "f; filename=\"" + sent + "\"", "x")));
        assertEquals(name, new String(response.body(), UTF_8));
    }

    /** As .NET does: the names are the same. */
    @Test
    void takesTheNameThatIsNotEncodedIfThereAreTwo() throws IOException {
        assertEquals("f: n, null, 78\n", forms.post(body(part(FILE + "; filename*=UTF-8''n", "x"))).text());
    }

    @Test
    void refusesFieldsThatAreNotUtf8ButNoFiles() throws IOException {
        assertEquals(400, forms.post(body(part(FIELD + "a", "\u00FF"))).status());
        assertEquals("f: n, null, ff\n", forms.post(body(part(FILE, "\u00FF"))).text());
    }
}

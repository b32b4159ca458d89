package org.microhttp.extras.compression;

import static org.junit.jupiter.api.Assertions.*;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.*;
import org.microhttp.extras.testing.Representations;
import org.microhttp.testing.Tier;

/** Which responses are compressed, for whom, and with which fields. */
@Tier.Gate
final class CompressionHandlerTest {

    private static final String TEXT = "a text that is worth it; ".repeat(50);

    private static Response handle(Handler next, Request request) {
        var responses = new ArrayList<Response>();
        new CompressionHandler(next).handle(request, responses::add);
        assertEquals(1, responses.size());
        return responses.get(0);
    }

    private static Response respond(Request request, int status, String text, String... fields) {
        List<Header> headers = Stream.of(fields).map(field -> field.split(": ", 2))
                .map(field -> new Header(field[0], field[1])).toList();
        return handle(Handler.of(ignored ->
                new Response(status, headers, text.getBytes(StandardCharsets.US_ASCII))), request);
    }

    /** The fields of a response, and what its body is: gzip, plain or none. */
    private static String shown(Response response) throws IOException {
        List<String> shown = new ArrayList<>(response.headers().stream().map(Header::toString).toList());
        if (response.body().length() < 0) {
            return String.join(", ", shown) + " none";
        }
        byte[] body = response.body().bytes();
        boolean gzip = body.length > 1 && body[0] == 0x1f;
        byte[] plain = gzip ? new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes() : body;
        assertEquals(TEXT, new String(plain, StandardCharsets.US_ASCII));
        return String.join(", ", shown) + (gzip ? " gzip" : " plain");
    }

    /** RFC 9110 §12.5.3; the last is malformed. */
    @ParameterizedTest
    @ValueSource(strings = {"gzip: gzip", "gzip: GZIP;q=0.001", "gzip: x-gzip", "gzip: *",
        "gzip: br, gzip;q=0.5",
        "gzip: identity;q=0, gzip", "gzip: gzip;q=1.0, identity; q=0.5, *;q=0", "plain: ", "plain: gzip;q=0",
        "plain: *, gzip;q=0.0", "plain: *;q=0", "plain: identity;q=0", "plain: br", "plain: identity",
        "plain: compress;q=0.5, deflate", "plain: gzip;q=x"})
    void acceptEncodingDecides(String row) throws IOException {
        String[] sides = row.split(": ", 2);
        Request request = Representations.request("GET", "Accept-Encoding: " + sides[1]);
        String shown = shown(respond(request, 200, TEXT, "Content-Type: text/plain"));
        assertTrue(shown.contains("Vary: Accept-Encoding") && shown.endsWith(sides[0]), shown);
        assertEquals(sides[0].equals("gzip"), shown.contains("Content-Encoding: gzip"));
    }

    @Test
    void withoutAcceptEncodingOrBeforeHttp11ItIsPlain() throws IOException {
        var fields = List.of(new Header("Accept-Encoding", "gzip"));
        for (Request request : List.of(Representations.request("GET"),
                new Request("GET", "/", "HTTP/1.0", fields, new byte[0]))) {
            assertEquals("Content-Type: text/plain, Vary: Accept-Encoding plain",
                    shown(respond(request, 200, TEXT, "Content-Type: text/plain")));
        }
    }

    /** Left: the status and the fields of a response; right: what it is sent with to a client of gzip. */
    @ParameterizedTest
    @ValueSource(strings = {
        "200 Content-Type: TEXT/HTML;charset=utf-8 => * gzip",
        "500 Content-Type: application/problem+json => * gzip",
        "200 Content-Type: image/svg+xml, Vary: Origin => * gzip",
        "200 Content-Type: text/css, Vary: Origin, accept-encoding => *, Content-Encoding: gzip gzip",
        "200 Content-Type: text/css, vary: * => *, Content-Encoding: gzip gzip",
        "200 ETag: \"a\", Content-Type: text/css, Content-Length: 9, Accept-Ranges: bytes =>"
            + " Content-Type: text/css, Vary: Accept-Encoding, ETag: W/\"a\", Content-Encoding: gzip gzip",
        "200 ETag: W/\"a\", Content-Type: text/css =>"
            + " ETag: W/\"a\", Content-Type: text/css, Vary: Accept-Encoding, Content-Encoding: gzip gzip",
        "200 Content-Type: text/css, Cache-Control: public => * gzip",
        "200 Content-Type: image/png => * plain",
        "200 Content-Type: textual => * plain",
        "200 X: y => * plain",
        "206 Content-Type: text/css, Content-Range: bytes 0-1249/9999 => * plain",
        "416 Content-Type: text/css, Content-Range: bytes */9999 => * plain",
        "200 Content-Type: text/css, content-encoding: br => * plain",
        "200 Content-Type: text/css, Repr-Digest: sha-256=:AA==: => * plain",
        "200 Content-Type: text/css, Content-MD5: AA== => * plain",
        "200 Content-Type: text/css, Cache-Control: no-store,NO-Transform => * plain",
        "204 Content-Type: text/css => * plain",
        "205 Content-Type: text/css => * plain"})
    void typeStatusAndFieldsDecide(String row) throws IOException {
        String[] sides = row.split(" => ");
        String fields = sides[0].substring(4);
        boolean short_ = sides[1].equals("* gzip");
        String expected = short_ ? "*, Vary: Accept-Encoding, Content-Encoding: gzip gzip" : sides[1];
        Request request = Representations.request("GET", "Accept-Encoding: gzip");
        Response response = respond(request, Integer.parseInt(sides[0].substring(0, 3)), TEXT,
                fields.split(", (?=[A-Za-z0-9-]+: )"));
        assertEquals(expected.startsWith("*") ? fields + expected.substring(1) : expected, shown(response));
    }

    @Test
    void theSizeDecides() {
        Request request = Representations.request("GET", "Accept-Encoding: gzip");
        for (int size : new int[] {0, 1023, 1024}) {
            Response response = respond(request, 200, "x".repeat(size), "Content-Type: text/plain");
            assertEquals(size == 1024, response.hasHeader("Vary"), "" + size);
            assertEquals(size == 1024, response.hasHeader("Content-Encoding", "gzip"), "" + size);
        }
    }

    /** With its body, or with its length alone. */
    @ParameterizedTest
    @ValueSource(strings = {"", "Content-Length: 1024"})
    void headHasTheFieldsOfGet(String length) throws IOException {
        List<String> fields = new ArrayList<>(List.of("Content-Type: text/plain", "ETag: \"a\""));
        if (!length.isEmpty()) {
            fields.add(length);
        }
        String text = length.isEmpty() ? TEXT : "";
        String[] given = fields.toArray(String[]::new);
        String accepted = "Accept-Encoding: gzip";
        String get = shown(respond(Representations.request("GET", accepted), 200, TEXT, given));
        String head = shown(respond(Representations.request("HEAD", accepted), 200, text, given));
        assertEquals(get.replace(" gzip", ""), head.replace(" gzip", "").replace(" none", ""));
        assertTrue(head.endsWith("none"), head);
    }

    @Test
    void a304HasTheTagThatTheClientHas() {
        for (String row : List.of("W/'a' W/'a'", "'a' 'a'", "W/'b' 'a'", "'b',W/'a' W/'a'")) {
            String[] tags = row.replace('\'', '"').split(" ");
            Request request = Representations.request("GET", "If-None-Match: " + tags[0]);
            Response response = respond(request, 304, "", "ETag: \"a\"");
            assertEquals(tags[1], response.header("ETag"), row);
            assertTrue(response.hasHeader("Vary", "Accept-Encoding"), row);
        }
    }

    @Test
    void failureKeepsItsCause() {
        var cause = new IllegalStateException("on purpose");
        Request request = Representations.request("GET", "Accept-Encoding: gzip");
        assertSame(cause, handle(Handler.of(ignored -> {
            throw cause;
        }), request).failure());
        assertNotNull(handle((ignored, callback) -> callback.accept(null), request).failure());
    }

    @Test
    void optionsAreChecked() {
        CompressionOptions all = CompressionOptions.DEFAULT.withMinSize(0).withLevel(9).withMaxStreams(1)
                .withTypes(List.of("Text/*", "a/b", "*+c"));
        assertEquals(new CompressionOptions(Set.of("text/*", "a/b", "*+c"), 0, 9, 1), all);
        for (String type : List.of("text", "*/*", "text/html; charset=utf-8", "", "*+", "a/b/c")) {
            assertThrows(IllegalArgumentException.class, () -> all.withTypes(List.of(type)), type);
        }
        assertThrows(IllegalArgumentException.class, () -> all.withMinSize(-1));
        assertThrows(IllegalArgumentException.class, () -> all.withLevel(0));
        assertThrows(IllegalArgumentException.class, () -> all.withLevel(10));
        assertThrows(IllegalArgumentException.class, () -> all.withMaxStreams(0));
    }
}

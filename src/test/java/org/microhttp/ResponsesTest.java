package org.microhttp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.*;

import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.*;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.*;

/** The shortest forms of a response: what each sends, and what it refuses. */
class ResponsesTest {

    private static final String TEXT = "{\"n\": \"gr\u00fc\u00df\"}";

    private static void assertIs(Response response, int status, String header, String text) {
        assertEquals(status, response.status());
        assertEquals(header == null ? List.of() : List.of(header),
                response.headers().stream().map(Header::toString).toList());
        assertEquals(text, new String(response.body().bytes(), UTF_8));
        assertTrue(new String(response.head, ISO_8859_1).startsWith("HTTP/1.1 " + status + " "));
    }

    @Test
    void hasTheTypeAndTheBodyThatAreGiven() {
        byte[] bytes = TEXT.getBytes(UTF_8);
        assertIs(Response.of(404), 404, null, "");
        assertIs(Response.of(201, "a/b", TEXT), 201, "Content-Type: a/b", TEXT);
        assertIs(Response.of(200, "a/b", Body.of(ByteBuffer.wrap(bytes))), 200, "Content-Type: a/b", TEXT);
        assertIs(Response.text(200, TEXT), 200, "Content-Type: text/plain; charset=utf-8", TEXT);
        assertIs(Response.json(422, TEXT), 422, "Content-Type: application/json", TEXT);
        assertSame(bytes, Response.of(200, "a/b", bytes).body().bytes());
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void sendsTheClientElsewhere(int status) {
        assertIs(Response.redirect(status, "/a?b=c"), status, "Location: /a?b=c", "");
    }

    @Test
    void isTheWholeFile(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("file"), TEXT);
        Handler handler = Handler.blocking(request -> Response.of(200, "a/b", Body.of(file)));
        try (var server = new TestServer(handler)) {
            RawClient client = server.connect();
            assertEquals(TEXT, new String(client.get("/").response().body(), UTF_8));
            assertEquals(TEXT, new String(client.get("/").response().body(), UTF_8));
        }
        Response response = Response.of(200, "a/b", Body.of(file));
        assertTrue(response.body().read(0, ByteBuffer.allocate(1)) > 0);
        response.release();
        assertThrows(ClosedChannelException.class, () -> response.body().read(0, ByteBuffer.allocate(1)));
        assertThrows(NoSuchFileException.class, () -> Body.of(folder.resolve("missing")));
        assertThrows(FileSystemException.class, () -> Body.of(folder));
    }

    @Test
    void refusesWhatNoResponseHas() {
        for (int status : new int[] {0, 101, 199, 200, 300, 304, 305, 306, 400}) {
            assertThrows(IllegalArgumentException.class, () -> Response.redirect(status, "/"));
        }
        assertThrows(IllegalArgumentException.class, () -> Response.redirect(302, "/\r\nSet-Cookie: a=b"));
        assertThrows(IllegalArgumentException.class, () -> Response.of(100));
        assertThrows(IllegalArgumentException.class, () -> Response.of(200, "a/b\n", TEXT));
        assertThrows(NullPointerException.class, () -> Response.redirect(302, null));
        assertThrows(NullPointerException.class, () -> Response.of(200, null, TEXT));
        assertThrows(NullPointerException.class, () -> Response.json(200, null));
    }
}

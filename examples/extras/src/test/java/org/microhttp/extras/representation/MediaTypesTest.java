package org.microhttp.extras.representation;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.Tier;

/** Which media type a file's name has, with and without a file of types. */
@Tier.Gate
final class MediaTypesTest {

    private static final String OCTETS = "application/octet-stream";

    @TempDir
    private Path folder;

    private MediaTypes types(String text) throws IOException {
        return MediaTypes.of(Files.writeString(folder.resolve("types"), text, StandardCharsets.ISO_8859_1));
    }

    @ParameterizedTest
    @CsvSource({
        "index.html, text/html; charset=utf-8",
        "INDEX.HTM, text/html; charset=utf-8",
        "a.css, text/css; charset=utf-8",
        "a.min.js, text/javascript; charset=utf-8",
        "a.mjs, text/javascript; charset=utf-8",
        "a.txt, text/plain; charset=utf-8",
        "a.md, text/markdown; charset=utf-8",
        "a.json, application/json",
        "a.js.map, application/json",
        "a.webmanifest, application/manifest+json",
        "a.xml, application/xml",
        "a.svg, image/svg+xml",
        "a.wasm, application/wasm",
        "a.woff2, font/woff2",
        "a.png, image/png",
        "a.jpeg, image/jpeg",
        "a.webp, image/webp",
        "a.avif, image/avif",
        "favicon.ico, image/vnd.microsoft.icon",
        "a.mp4, video/mp4",
        "a.webm, video/webm",
        "a.mp3, audio/mpeg",
        "a.pdf, application/pdf",
        "a.tar.gz, application/gzip",
        "a.html.bak, application/octet-stream",
        "Makefile, application/octet-stream",
        "html, application/octet-stream",
        "a., application/octet-stream",
        "'', application/octet-stream",
        ".html, text/html; charset=utf-8",
    })
    void suffixesHaveBuiltInTypes(String name, String type) {
        assertEquals(type, MediaTypes.builtIn().of(name));
    }

    @Test
    void typesOfNginxAreRead() throws Exception {
        MediaTypes types = types("""
                # types {
                types {   # of text
                    text/x-one a1 a2
                        a3;
                    TEXT/X-Two
                    b;text/x-three c;
                }
                """ + "types{'text/x; charset=latin1' d;\"text/e\" e;text/none;}");
        are(types, "a1 text/x-one; charset=utf-8", "a3 text/x-one; charset=utf-8",
                "c text/x-three; charset=utf-8", "d text/x; charset=latin1", "e text/e; charset=utf-8",
                "none " + OCTETS, "html text/html; charset=utf-8");
    }

    /** Each row has a suffix, and the type of a file with it. */
    private static void are(MediaTypes types, String... rows) {
        for (String row : rows) {
            String[] parts = row.split(" ", 2);
            assertEquals(parts[1], types.of("x." + parts[0]), row);
        }
    }

    @Test
    void typesOfApacheAreRead() throws Exception {
        MediaTypes types = types("# a comment, in \u00E9\r\n\r\ntext/x-one\ta1  a2\r\ntext/x-none\n"
                + "  application/x-two a2 html c++ A3 # b\nimage/x gpkg.tar\nimage/y tar");
        are(types, "a1 text/x-one; charset=utf-8", "a2 application/x-two", "c++ application/x-two",
                "a3 application/x-two", "html application/x-two", "b " + OCTETS, "y.gpkg.tar image/x",
                "gpkg.x.tar image/y", "png image/png");
    }

    /** XML says itself what it is encoded in, and a charset would be believed before it (RFC 7303 §3). */
    @Test
    void xmlHasNoCharset() throws Exception {
        are(types("text/xml xml\ntext/xml2 xml2\napplication/javascript js"), "xml text/xml",
                "xml2 text/xml2; charset=utf-8", "js application/javascript; charset=utf-8");
    }

    @Test
    void nothingInAFileIsNothingNew() throws Exception {
        for (String text : List.of("", "\n", "# only this", "types {}", "types\n{\n}\n")) {
            assertEquals("image/png", types(text).of("x.png"));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "text                    | 1 | \"text\"; allowed: a media type, as in text/html",
        "text/ html              | 1 | \"text/\"; allowed: a media type, as in text/html",
        "a/b .c                  | 1 | \".c\"; allowed: a suffix without its dot, as in html",
        "a/b c/d                 | 1 | \"c/d\"; allowed: a suffix without its dot, as in html",
        "types                   | 1 | \"types\"; allowed: a media type, as in text/html",
        "types { a/b c; x; }     | 1 | \"x\"; allowed: a media type, as in text/html",
        "types { a/b c }         | 1 | a }; allowed: a ; behind the suffixes of a type",
        "types { ; }             | 1 | a ;; allowed: a type before it",
        "types { a/b { }         | 1 | \"{\"; allowed: a suffix without its dot, as in html",
        "types { a/b c;          | 1 | the end; allowed: a } for each types {",
        "types { } text/html     | 1 | \"text/html\"; allowed: types {",
        "types { } types ;       | 1 | \";\"; allowed: types {",
        "{ a/b c; }              | 1 | \"{\"; allowed: types {",
        "types { 'a b;           | 1 | \"'a\"; allowed: a media type, as in text/html",
        "a/b c\\n\\ntext/ html   | 3 | \"text/\"; allowed: a media type, as in text/html",
        "# x\\r\\ntypes {\\r\\na/b c;\\r\\nx; } | 4 | \"x\"; allowed: a media type, as in text/html",
    })
    void errorNamesTheLineAndTheAllowedText(String text, String line, String message) throws Exception {
        assertEquals("\"" + folder.resolve("types") + "\", with " + message.replace("; allowed: ",
                " in line " + line + "; allowed: "), refusal(() -> types(text.translateEscapes())));
    }

    private static String refusal(Executable reading) {
        return assertThrows(IllegalArgumentException.class, reading).getMessage();
    }

    @Test
    void aFileThatCannotBeRead() {
        assertThrows(NoSuchFileException.class, () -> MediaTypes.of(folder.resolve("none")));
        assertThrows(IOException.class, () -> MediaTypes.of(folder));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/etc/mime.types", "/etc/nginx/mime.types"})
    void typesOfThisMachineAreRead(String file) throws IOException {
        assumeTrue(Files.isReadable(Path.of(file)), file);
        MediaTypes types = MediaTypes.of(Path.of(file));
        // the last is what of each only itself has
        are(types, "html text/html; charset=utf-8", "png image/png",
                file.contains("nginx") ? "ra audio/x-realaudio" : "ra audio/x-pn-realaudio");
    }

    @Test
    void ofEveryFormThatIsNotCompressedItself() {
        MediaTypes types = MediaTypes.builtIn();
        for (String name : ("html css js txt json svg xml wasm webmanifest ttf otf eot ico bmp rss tar gltf"
                + " yaml xhtml map").split(" ")) {
            assertTrue(types.isCompressible(types.of("a." + name)), name);
        }
        for (String name : "png jpg webp woff2 woff mp4 zip gz pdf mp3 bin docx jar Makefile".split(" ")) {
            assertFalse(types.isCompressible(types.of("a." + name)), name);
        }
        assertTrue(types.isCompressible("Application/JSON ; a=b"));
        assertTrue(types.isCompressible("application/vnd.some+json"));
        assertFalse(types.isCompressible(""));
    }
}

package org.microhttp.extras.files;

import static org.junit.jupiter.api.Assertions.*;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.extras.testing.*;
import org.microhttp.extras.testing.PackedProgram.Form;
import org.microhttp.testing.*;

/** Which paths get the page of an application whose script has pages of its own. */
@Tier.Program
final class FallbackTest {

    private static final String BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

    @TempDir
    private Path folder;
    private ServedFiles site;

    @AfterEach
    void close() throws Exception {
        if (site != null) {
            site.close();
        }
    }

    /** The same files and settings for both. */
    private void serve(boolean resources) throws Exception {
        var program = new PackedProgram(folder).with("app/web/index.html", "application")
                .with("app/web/assets/app.js", "script");
        Class<?> type = program.load(resources ? Form.JAR : Form.FOLDER);
        FileHandlerBuilder builder = FileHandler.ofResources(type, "web");
        if (!resources) {
            Path place = Programs.location(type);
            FileSite.settle(place.resolve("app/web/index.html"));
            builder = FileHandler.of(place.resolve("app/web"));
        }
        site = new ServedFiles(builder.withFallback("/index.html").withCacheControl("*.html", "no-cache")
                .withCacheControl("/assets/**", "public, max-age=31536000, immutable").build());
        program.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void pathsWithoutASuffixGetThePage(boolean resources) throws Exception {
        serve(resources);
        for (String row : new String[] {"/ 200", "/users 200", "/users/ 200", "/users/7?tab=a.b 200",
            "/us%65rs 200", "/v1.2/users 200", "/index.html 200", "/assets/app.js 200", "/assets 301",
            "/assets/ 200", "/assets/none.js 404", "/users/j.doe 404", "/users%2F7 404", "/.git 404",
            "/.git/config 404", "/a/../b 404", "//users 404", "/% 404", "/a%00b 404"}) {
            String[] words = row.split(" ");
            assertEquals(words[1], "" + site.get(words[0], "Accept: " + BROWSER).status(), row);
        }
        assertEquals("application", site.get("/users", "Accept: " + BROWSER).text());
        assertEquals(405, site.send("POST", "/users", "Accept: " + BROWSER, "Content-Length: 0").status());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void hasTheFieldsOfThePage(boolean resources) throws Exception {
        serve(resources);
        RawResponse page = site.get("/users", "Accept: " + BROWSER);
        assertEquals("no-cache", page.header("Cache-Control"));
        assertEquals("text/html; charset=utf-8", page.header("Content-Type"));
        assertTrue(page.head().contains("\r\nVary: Accept\r\n"), page.head());
        assertEquals(RawResponse.undated(page.head()),
                RawResponse.undated(site.send("HEAD", "/users", "Accept: " + BROWSER).head()));
        RawResponse missing = site.get("/users", "Accept: application/json");
        assertEquals(404, missing.status());
        assertEquals("Accept", missing.header("Vary"));
        assertNull(site.get("/none.js").header("Vary"));
        RawResponse index = site.get("/index.html");
        assertEquals(index.header("ETag"), page.header("ETag"));
        assertFalse(index.head().contains("\r\nVary: Accept\r\n"));
        RawResponse again =
                site.get("/other", "Accept: " + BROWSER, "If-None-Match: " + page.header("ETag"));
        assertEquals(304, again.status());
        assertTrue(again.head().contains("\r\nVary: Accept\r\n"), again.head());
        assertEquals("public, max-age=31536000, immutable",
                site.get("/assets/app.js").header("Cache-Control"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "text/html                          | true",
        "TEXT/HTML                          | true",
        "text/html;charset=utf-8            | true",
        "text/html;q=0.001                  | true",
        "a/b , text/html ;q=0.5             | true",
        "a/b;x=\"text\\\",html\",text/html  | true",
        ",,text/html,                       | true",
        "text/html;q=0                      | false",
        "text/html ; Q=0.000                | false",
        "text/html;level=1;q=0              | false",
        "*/*                                | false",
        "text/*                             | false",
        "text/html5                         | false",
        "application/json                   | false",
        "x/y;a=\",text/html,\"              | false",
        "x/y;a=\"\\                         | false",
        "text/                              | false",
        "``                                 | false",
        "`;,;,,`                            | false",
    })
    void clientsThatAcceptHtmlGetThePage(String accept, boolean accepted) {
        assertEquals(accepted, Fallback.isAccepted(Representations.request("GET", "Accept: " + accept)));
        assertEquals(accepted, Fallback.isAccepted(
                Representations.request("GET", "Accept: a/b", "accept: " + accept)));
    }

    @Test
    void noAcceptNamesNothing() {
        assertFalse(Fallback.isAccepted(Representations.request("GET")));
    }

    /** Says the same as expressions do, where there are no quotes, and takes whatever else there is. */
    @Test
    void acceptAgreesWithASimpleModel() {
        String[] pieces = {"text/html", "*/*", ",", ";", "q=0", "q=0.5", ".0", " ", "\t", "\"", "\\"};
        var random = new SplittableRandom(7);
        int accepted = 0;
        for (int i = 0; i < 50_000; i++) {
            int known = random.nextBoolean() ? pieces.length : pieces.length - 2;
            String field = random.ints(random.nextInt(12), 0, known).mapToObj(piece -> pieces[piece])
                    .collect(Collectors.joining());
            boolean named = Fallback.isAccepted(Representations.request("GET", "Accept: " + field));
            if (known < pieces.length) {
                boolean expected = Stream.of(field.split(",")).map(String::strip).anyMatch(element ->
                        element.matches("text/html\\s*(;.*)?") && !element.matches(
                                ".*;\\s*q=0(\\.0{0,3})?\\s*(;.*)?"));
                assertEquals(expected, named, field);
            }
            accepted += named ? 1 : 0;
        }
        assertTrue(accepted > 2_000 && accepted < 48_000, "" + accepted);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "index.html", "/a/", "/../x", "/.x", "//x", "/a\\b"})
    void fallbackMustBeThePathOfAFile(String path) {
        FileHandlerBuilder builder = FileHandler.of(folder);
        assertEquals("the fallback is \"" + path
                        + "\"; allowed: the path of a file that may be served, as in /index.html",
                assertThrows(IllegalArgumentException.class, () -> builder.withFallback(path)).getMessage());
    }

    /** Of a folder it may appear later. */
    @Test
    void resourcesMustHaveIt() throws Exception {
        try (var program = new PackedProgram(folder).with("app/web/x", "x")) {
            Class<?> type = program.load(Form.JAR);
            FileHandlerBuilder builder = FileHandler.ofResources(type, "web").withFallback("/y/index.html");
            String message = assertThrows(IllegalArgumentException.class, builder::build).getMessage();
            assertEquals("the fallback is \"/y/index.html\"; allowed: the path of a resource, and there is"
                    + " none of that path", message);
        }
        Path root = Files.createDirectory(folder.resolve("site"));
        site = new ServedFiles(FileHandler.of(root).withFallback("/app.html").build());
        assertEquals(404, site.get("/users", "Accept: text/html").status());
        Files.writeString(root.resolve("app.html"), "application");
        assertEquals("application", site.get("/users", "Accept: text/html").text());
    }
}

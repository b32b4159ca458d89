package org.microhttp.extras.files;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.*;
import org.microhttp.extras.testing.FileSite;
import org.microhttp.extras.testing.PackedProgram;
import org.microhttp.extras.testing.PackedProgram.Form;
import org.microhttp.testing.Programs;
import org.microhttp.testing.Tier;

/** Which resources are found, however a program is packed, and which never are. */
@Tier.Gate
final class ClassResourcesTest {

    private static final long ENOUGH = 1 << 20;

    @TempDir
    private Path folder;
    private PackedProgram program;

    @BeforeEach
    void make() throws Exception {
        program = new PackedProgram(folder)
                .with("app/web/index.html", "home")
                .with("app/web/css/\u00E9 x.css", "css")
                .with("app/web/.well-known/x", "known");
    }

    @AfterEach
    void close() throws Exception {
        program.close();
    }

    private static Map<String, String> read(Class<?> type, String folder) throws IOException {
        Map<String, String> texts = new TreeMap<>();
        new ClassResources(type, folder).read(ENOUGH).forEach(
                (name, content) -> texts.put(name, StandardCharsets.UTF_8.decode(content).toString()));
        return texts;
    }

    @ParameterizedTest
    @EnumSource
    void findsThemHoweverTheProgramIsPacked(Form form) throws Exception {
        program.with("app/web/App.class", "").with("app/web/.env", "hidden")
                .with("app/web/a/.git/x", "hidden").with("app/website/x", "of another folder")
                .with("app/secret", "above").with("x", "root");
        var expected = Map.of("index.html", "home", "css/\u00E9 x.css", "css", ".well-known/x", "known");
        Class<?> type = program.load(form);
        for (String name : new String[] {"/app/web", "/app/web/", "web", "web/"}) {
            assertEquals(expected, read(type, name), name);
        }
        assertEquals(Map.of("\u00E9 x.css", "css"), read(type, "/app/web/css"));
        String message = assertThrows(NoSuchFileException.class, () -> read(type, "/app/we")).getMessage();
        assertTrue(message.startsWith("/app/we/: no resource that may be served in "), message);
        assertThrows(NoSuchFileException.class, () -> read(type, "/app/secret"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "//", "/..", "/app/../app/web", "/app//web", "/./app", "/app\\web", "/a\0b",
        "..", "../web"})
    void aFolderHasAName(String name) {
        String message = assertThrows(IllegalArgumentException.class,
                () -> FileHandler.ofResources(Tier.class, name)).getMessage();
        assertEquals("the folder of resources is \"" + name + "\"; allowed: names with slashes, as in"
                + " /static; not the root, where all classes are", message);
    }

    /** What is meant for a later Java, or this one, is as a class loader has it. */
    @Test
    void takesTheVersionOfThisJava() throws Exception {
        program.with("META-INF/versions/17/app/web/index.html", "home of 17")
                .with("META-INF/versions/99/app/web/index.html", "home of 99");
        for (Form form : new Form[] {Form.JAR, Form.JAR_WITHOUT_FOLDERS, Form.MODULE_JAR}) {
            assertEquals("home of 17", read(program.load(form), "web").get("index.html"), form.name());
        }
    }

    /** A folder of the same name in another place is neither merged nor taken. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void thePlaceOfTheClassComesFirst(boolean folders) throws Exception {
        Path own = program.jar(folder.resolve("own.jar"), folders);
        FileSite.write(folder.resolve("other/app/web/other.html"), new byte[1]);
        URL[] path = {folder.resolve("other").toUri().toURL(), own.toUri().toURL()};
        try (var loader = new URLClassLoader(path, null)) {
            assertEquals(3, read(loader.loadClass("app.Main"), "web").size());
        }
    }

    /** As the loaders of jars in jars give them, and those that escape nothing. */
    @ParameterizedTest
    @CsvSource({"jar:%s!/, false", "jar:%s!/, true", "%s, false", "file:%2$s, false"})
    void aPlaceMayBeAnUrlOfAJar(String form, boolean found) throws Exception {
        Path jar = program.jar(folder.resolve("a b.jar"), true);
        URL place = new URL(form.formatted(jar.toUri(), jar));
        byte[] main = Files.readAllBytes(folder.resolve("compiled/app/Main.class"));
        var loader = new ClassLoader(null) {

            Class<?> define() {
                var source = new CodeSource(found ? null : place, (Certificate[]) null);
                return defineClass("app.Main", main, 0, main.length, new ProtectionDomain(source, null));
            }

            @Override
            protected URL findResource(String name) {
                try {
                    return found ? new URL(place, name) : null;
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }
        };
        assertEquals(3, read(loader.define(), "web").size());
    }

    @Test
    void linksInAFolderOfClassesAreLeftOut() throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "not for you");
        Class<?> type = program.load(Form.FOLDER);
        Path web = Programs.location(type).resolve("app/web");
        Files.createSymbolicLink(web.resolve("file"), secret);
        Files.createSymbolicLink(web.resolve("folder"), folder);
        assertEquals(3, read(type, "web").size());
    }

    /** Names that no file system could have, as whoever makes a jar may write them. */
    @Test
    void namesOfAJarLeadNowhere() throws Exception {
        for (String name : new String[] {"../../secret", "../web/x", "a/../../x", "/etc/passwd", "a//b",
            "./x", "..\\secret", "a\nb", "c/", "C:\\x"}) {
            program.with("app/web/" + name, "hostile");
        }
        assertEquals(3, read(program.load(Form.JAR_WITHOUT_FOLDERS), "web").size());
    }

    /** By what they are, not by what the jar says, and with what each takes besides. */
    @ParameterizedTest
    @EnumSource(names = {"JAR", "FOLDER", "MODULE_JAR"})
    void allHaveALimit(Form form) throws Exception {
        program.with("app/web/zeros", new byte[1 << 20]);
        Class<?> type = program.load(form);
        long needed = (1 << 20) + "home".length() + "css".length() + "known".length() + 4 * 1_000;
        var contents = new ClassResources(type, "web").read(needed);
        assertEquals(1 << 20, contents.get("zeros").remaining());
        for (long limit : new long[] {needed - 1, 1 << 20, 4_000, 0}) {
            var resources = new ClassResources(type, "web");
            String message =
                    assertThrows(IllegalArgumentException.class, () -> resources.read(limit)).getMessage();
            assertTrue(message.matches("the resources below /app/web/ need more memory than " + limit
                    + " bytes, with 1000 for each: /app/web/.* is beyond that; allowed: less, or a larger"
                    + " withMemory"), message);
        }
    }

    @Test
    void canBeReadAgain() throws Exception {
        var resources = new ClassResources(program.load(Form.JAR), "web");
        Map<String, ByteBuffer> first = resources.read(ENOUGH);
        assertEquals(first, resources.read(ENOUGH));
    }
}

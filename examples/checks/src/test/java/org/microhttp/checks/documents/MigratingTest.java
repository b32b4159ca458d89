package org.microhttp.checks.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.Header;
import org.microhttp.NoopLogger;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.testing.Programs;
import org.microhttp.testing.RawClient;
import org.microhttp.testing.Readme;
import org.microhttp.testing.SourceCompiler;
import org.microhttp.testing.TestServer;
import org.microhttp.testing.Tier;

/**
 * The page for those who come from the original says what is so. Its lines as they were before compile
 * against the {@link OriginalApi} of each version that they name, and against the library as the page says;
 * as they are now they compile and run. No signature of the original that is gone is missing there.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Gate
final class MigratingTest {

    /** A line of a table. */
    record Line(String versions, String before, String now, String compiler) {

        int first() {
            return Integer.parseInt(versions.replaceFirst("0\\.(\\d+).*", "$1"));
        }

        int last() {
            return Integer.parseInt(versions.replaceFirst("(?:0\\.\\d+–)?0\\.(\\d+).*", "$1"));
        }

        /** The Java that it takes. */
        int release() {
            return versions.endsWith(", Java 21") ? 21 : 17;
        }

        boolean isOf(int minor) {
            return first() <= minor && minor <= last();
        }

        @Override public String toString() { return versions + ": " + before; }
    }

    private static final String PAGE = Readme.read(Readme.PAGES.resolve("migrating.md"));
    private static final Pattern LINE =
            Pattern.compile("(?m)^\\| (0\\.[^|]+) \\| `([^`|]+)` \\| `([^`|]+)` \\| ([^|]+) \\| [^|]+ \\|$");
    private static final String FOUND = "says so";
    private static final String THROWS = "is silent; the line throws";

    /** Those for which lines are, and which this Java has. */
    private static final List<Integer> RELEASES = Stream.of(17, 21)
            .filter(release -> release <= Runtime.version().feature()).toList();
    private static final int LATER = 8;

    private static final Path LIBRARY = Programs.location(EventLoop.class);

    /** What a line of a document may use without saying where it has it from. */
    private static final String HEAD = """
            import java.io.*;
            import java.net.*;
            import java.nio.charset.*;
            import java.time.*;
            import java.util.*;
            import org.microhttp.*;

            public class %s {
                public static Object run(Options options, Logger logger, Handler handler, EventLoop eventLoop,
                        Request request, Response response, byte[] body) throws Exception {
            """;

    @TempDir
    private static Path originals;

    @TempDir
    private Path folder;
    private Process process;

    private static List<Line> lines() {
        return lines(PAGE);
    }

    private static List<Line> lines(String text) {
        return LINE.matcher(text).results()
                .map(m -> new Line(m.group(1), m.group(2), m.group(3), m.group(4))).toList();
    }

    static List<Integer> versions() {
        return IntStream.rangeClosed(OriginalApi.FIRST, OriginalApi.LAST).boxed().toList();
    }

    @Test
    void everyLineOfTheTablesIsRead() {
        assertEquals(PAGE.lines().filter(line -> line.startsWith("| 0.")).count(), lines().size());
        for (Line line : lines()) {
            assertTrue(Set.of(FOUND, "is silent", THROWS).contains(line.compiler), line.compiler);
            assertTrue(OriginalApi.FIRST <= line.first() && line.first() <= line.last(), line.versions);
            assertTrue(line.last() <= OriginalApi.LAST, line.versions);
        }
    }

    /** One table has every line that concerns 0.2 to 0.7, another those of later versions alone. */
    @Test
    void everyLineIsInTheTableOfItsVersions() {
        for (String part : PAGE.split("\n\n")) {
            assertTrue(lines(part).stream().map(line -> line.first() >= LATER).distinct().count() <= 1, part
                    + "\nmixes lines that concern 0.2 to 0.7 and later ones: who comes from 0.8 reads a table"
                    + " of its own. Move the line to the other table.");
        }
    }

    /** What is silent may be of more versions, but was not worth a word there. */
    @ParameterizedTest
    @MethodSource("versions")
    void linesAreOfTheVersionsThatTheyName(int minor) throws Exception {
        for (int release : RELEASES) {
            List<Line> lines = lines().stream().filter(line -> line.release() == release).toList();
            Map<String, String> wrong = SourceCompiler.wrong(folder, original(minor).toString(), release,
                    snippets(lines.stream().map(Line::before).toList()));
            for (int i = 0; i < lines.size(); i++) {
                Line line = lines.get(i);
                boolean compiles = !wrong.containsKey("Snippet" + i);
                assertTrue(compiles || !line.isOf(minor), "does not compile with 0." + minor
                        + ", which its line of migrating.md names. Correct its versions: " + line + wrong);
                boolean isNext = line.first() - 1 == minor || line.last() + 1 == minor;
                boolean found = line.compiler.equals(FOUND);
                assertFalse(compiles && isNext && found, "compiles with 0." + minor + ", too. Name"
                        + " that version in its line of migrating.md: " + line);
            }
        }
    }

    @Test
    void theCompilerFindsWhatItIsSaidToFind() throws Exception {
        for (int release : RELEASES) {
            List<Line> found = lines().stream()
                    .filter(line -> line.compiler.equals(FOUND) && line.release() == release).toList();
            Map<String, String> wrong = SourceCompiler.wrong(folder, LIBRARY.toString(), release,
                    snippets(found.stream().map(Line::before).toList()));
            for (int i = 0; i < found.size(); i++) {
                assertTrue(wrong.containsKey("Snippet" + i), "still compiles, though"
                        + " migrating.md says that the compiler finds it: " + found.get(i));
            }
        }
    }

    private static String compile(Path folder, Path classPath, Map<String, String> sources)
            throws IOException {
        return SourceCompiler.compile(folder, classPath.toString(), 17, sources);
    }

    @Test
    void theCompilerIsSilentWhereItIsSaidToBe() throws Exception {
        List<Line> silent = lines().stream().filter(line -> !line.compiler.equals(FOUND)).toList();
        List<String> before = silent.stream().map(Line::before).toList();
        assertEquals("", compile(folder, LIBRARY, snippets(before)));
        for (int i = 0; i < before.size(); i++) {
            if (!silent.get(i).compiler.equals(THROWS)) continue;
            int number = i;
            var thrown = assertThrows(ExecutionException.class, () -> run(number, false), before.get(i));
            assertTrue(thrown.getCause() instanceof RuntimeException, thrown.toString());
        }
    }

    @Test
    void linesOfNowCompileAndRun() throws Exception {
        List<String> now = lines().stream().map(Line::now).toList();
        assertEquals("", compile(folder, LIBRARY, snippets(now)));
        for (int i = 0; i < now.size(); i++) {
            run(i, now.get(i).contains("start"));
        }
    }

    /** Whatever a program could call, the page names where it is gone, or throws what is checked no more. */
    @ParameterizedTest
    @MethodSource("versions")
    void nothingThatIsGoneIsMissing(int minor) throws Exception {
        URL[] places = {original(minor).toUri().toURL()};
        try (var loader = new URLClassLoader(places, ClassLoader.getPlatformClassLoader())) {
            for (String name : new OriginalApi(minor).sources().keySet()) {
                for (String use : gone(loader.loadClass("org.microhttp." + name))) {
                    boolean isNamed = lines().stream().anyMatch(line -> line.compiler.equals(FOUND)
                            && line.isOf(minor) && line.before.contains(use));
                    assertTrue(isNamed, "0." + minor + " had " + use + " of " + name
                            + ", which is gone. Tell users in a line of migrating.md what to write now.");
                }
            }
        }
    }

    /** How a program uses what a type had for everybody, and has not, or not so. */
    private static List<String> gone(Class<?> type) {
        Set<String> ours;
        try {
            Class<?> now = Class.forName(type.getName());
            ours = Set.copyOf(executables(now).map(MigratingTest::signature).toList());
        } catch (ClassNotFoundException e) {
            return List.of(type.getSimpleName() + ".");
        }
        return executables(type).filter(each -> each.getDeclaringClass() == type)
                .filter(each -> !ours.contains(signature(each)))
                .map(each -> each instanceof Method ? each.getName() : "new " + type.getSimpleName())
                .map(use -> use + "(").toList();
    }

    private static Stream<Executable> executables(Class<?> type) {
        return Stream.concat(Arrays.stream(type.getMethods()), Arrays.stream(type.getConstructors()));
    }

    /** Result, name, parameters and exceptions; types by their names, since there are two of each. */
    private static String signature(Executable each) {
        String result = each instanceof Method method ? method.getReturnType().getName() : "new";
        return result + " " + each.getName() + types(each.getParameterTypes())
                + types(each.getExceptionTypes());
    }

    private static List<String> types(Class<?>[] types) {
        return Arrays.stream(types).map(Class::getName).toList();
    }

    @Test
    void theWholeProgramCompilesBeforeAndRunsNow() throws Exception {
        String lines = Readme.blocks(PAGE, "diff").get(0);
        String before = lines.replaceAll("(?m)^\\+.*\n", "").replaceAll("(?m)^[ -]", "");
        String now = lines.replaceAll("(?m)^-.*\n", "").replaceAll("(?m)^[ +]", "");
        Path place = Files.createDirectory(folder.resolve("program"));
        assertEquals("", compile(place, original(11), Map.of("Later", before)));
        assertTrue(!compile(place, LIBRARY, Map.of("Later", before)).isEmpty());
        String free = now.replace("withPort(8080)", "withPort(0)");
        assertTrue(!free.equals(now));
        assertEquals("", compile(place, LIBRARY, Map.of("Later", now)));
        assertEquals("", compile(place, LIBRARY, Map.of("Later", free)));
        String path = LIBRARY + System.getProperty("path.separator") + place;
        process = Programs.withoutJavaOptions(new ProcessBuilder(Programs.JAVA, "-cp", path, "Later"))
                .redirectErrorStream(true).start();
        try (var client = new RawClient(Programs.port(process))) {
            assertEquals("later\n", client.get("/").response().text());
        }
    }

    @AfterEach
    void endProcess() throws InterruptedException {
        if (process != null) process.destroyForcibly().waitFor();
    }

    /** The classes of the original's signatures. */
    private static Path original(int minor) throws IOException {
        Path place = originals.resolve("0." + minor);
        if (!Files.exists(place)) {
            Files.createDirectories(place);
            assertEquals("", compile(place, place, new OriginalApi(minor).sources()));
        }
        return place;
    }

    /** Sources of the classes {@code Snippet0} and following. */
    private static Map<String, String> snippets(List<String> lines) {
        Map<String, String> sources = new HashMap<>();
        for (String line : lines) {
            String name = "Snippet" + sources.size();
            sources.put(name, around(name, line));
        }
        return sources;
    }

    /** A class around statements, or around an expression, which its method returns. */
    private static String around(String name, String code) {
        boolean statements = code.endsWith(";") || code.endsWith("}");
        String whole = statements ? code + " return null;" : "return " + code + ";";
        return HEAD.formatted(name) + whole + "\n    }\n}\n";
    }

    /** Runs what was compiled last with that number, with a loop of its own, and closes what it made. */
    private void run(int number, boolean serves) throws Exception {
        var made = new CompletableFuture<Object>();
        try (var loop = new EventLoop(TestServer.options(), new NoopLogger(), TestServer::echoTarget)) {
            var thread = new Thread(() -> complete(made, number, loop));
            thread.start();
            if (serves) {
                try (var client = new RawClient(loop.getPort())) {
                    client.get("/served").expectOk("/served");
                }
                loop.stop();
            }
            if (made.get(30, TimeUnit.SECONDS) instanceof AutoCloseable closeable) closeable.close();
        }
    }

    private void complete(CompletableFuture<Object> made, int number, EventLoop loop) {
        var fields = List.of(new Header("X-Name", "\u00C3\u00A9"));
        var request = new Request("GET", "/", "HTTP/1.1", fields, new byte[0]);
        byte[] body = new byte[3];
        Object[] arguments = {TestServer.options(), new NoopLogger(),
                (Handler) TestServer::echoTarget, loop, request,
                new Response(200, "OK", List.of(), body), body};
        try (var loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            Method method = Arrays.stream(loader.loadClass("Snippet" + number).getMethods())
                    .filter(each -> each.getName().equals("run")).findFirst().orElseThrow();
            made.complete(method.invoke(null, arguments));
        } catch (InvocationTargetException e) {
            made.completeExceptionally(e.getCause());
        } catch (Throwable t) {
            made.completeExceptionally(t);
        }
    }
}

package org.microhttp.checks.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
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
 * The page for those who come from the original: of its lines as they were before, the compiler finds those
 * that the page says it finds; as they are now they compile and run.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Gate
final class MigratingTest {

    /** A line of a table. */
    record Line(String versions, String before, String now, String compiler) {

        /** The Java that it takes. */
        int release() {
            return versions.endsWith(", Java 21") ? 21 : 17;
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
    private Path folder;
    private Process process;

    private static List<Line> lines() {
        return LINE.matcher(PAGE).results()
                .map(m -> new Line(m.group(1), m.group(2), m.group(3), m.group(4))).toList();
    }

    @Test
    void everyLineOfTheTablesIsRead() {
        assertEquals(PAGE.lines().filter(line -> line.startsWith("| 0.")).count(), lines().size());
        for (Line line : lines()) {
            assertTrue(Set.of(FOUND, "is silent", THROWS).contains(line.compiler), line.compiler);
        }
    }

    @Test
    void compilerFindsWhatItIsSaidToFind() throws Exception {
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
    void compilerIsSilentWhereItIsSaidToBe() throws Exception {
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

    @Test
    void wholeProgramRuns() throws Exception {
        String lines = Readme.blocks(PAGE, "diff").get(0);
        String now = lines.replaceAll("(?m)^-.*\n", "").replaceAll("(?m)^[ +]", "");
        Path place = Files.createDirectory(folder.resolve("program"));
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

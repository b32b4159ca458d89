package org.microhttp.checks.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.EventLoop;
import org.microhttp.testing.Programs;
import org.microhttp.testing.RawClient;
import org.microhttp.testing.Readme;
import org.microhttp.testing.SourceCompiler;
import org.microhttp.testing.Tier;

/**
 * The page for those who come from the original: of its lines as they were before, the compiler finds those
 * that the page says it finds; as they are now they compile, and the whole program runs.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Gate
final class MigratingTest {

    /** A line of a table. */
    record Line(String versions, String before, String now, String compiler) {

        /** Whether it compiles with this Java, which may be one without patterns of records. */
        boolean isPossible() {
            return !versions.endsWith(", Java 21") || Runtime.version().feature() >= 21;
        }
    }

    private static final String PAGE = Readme.read(Readme.PAGES.resolve("migrating.md"));
    private static final Pattern LINE =
            Pattern.compile("(?m)^\\| (0\\.[^|]+) \\| `([^`|]+)` \\| `([^`|]+)` \\| ([^|]+) \\| [^|]+ \\|$");
    private static final Set<String> COMPILER = Set.of("says so", "is silent", "is silent; the line throws");
    private static final List<Line> LINES = LINE.matcher(PAGE).results()
            .map(m -> new Line(m.group(1), m.group(2), m.group(3), m.group(4))).toList();
    private static final String LIBRARY = Programs.location(EventLoop.class).toString();

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

    @Test
    void everyLineOfTheTablesIsRead() {
        assertEquals(PAGE.lines().filter(line -> line.startsWith("| 0.")).count(), LINES.size());
        LINES.forEach(line -> assertTrue(COMPILER.contains(line.compiler), line.compiler));
    }

    @Test
    void compilerSaysOfLinesOfBeforeWhatThePageSays() throws Exception {
        List<Line> lines = LINES.stream().filter(Line::isPossible).toList();
        Map<String, String> wrong = SourceCompiler.wrong(folder, LIBRARY, Runtime.version().feature(),
                snippets(lines.stream().map(Line::before).toList()));
        for (int i = 0; i < lines.size(); i++) {
            boolean found = lines.get(i).compiler.equals("says so");
            assertEquals(found, wrong.containsKey("Snippet" + i), "the compiler: " + lines.get(i) + wrong);
        }
    }

    @Test
    void linesOfNowCompile() throws Exception {
        Map<String, String> now = snippets(LINES.stream().map(Line::now).toList());
        assertEquals("", SourceCompiler.compile(folder, LIBRARY, 17, now));
    }

    @Test
    void wholeProgramRuns() throws Exception {
        String lines = Readme.blocks(PAGE, "diff").get(0);
        String now = lines.replaceAll("(?m)^-.*\n", "").replaceAll("(?m)^[ +]", "");
        String free = now.replace("withPort(8080)", "withPort(0)");
        assertNotEquals(now, free);
        assertEquals("", SourceCompiler.compile(folder, LIBRARY, 17, Map.of("Later", now)));
        assertEquals("", SourceCompiler.compile(folder, LIBRARY, 17, Map.of("Later", free)));
        Process process = Programs.withoutJavaOptions(new ProcessBuilder(Programs.JAVA, "-cp",
                LIBRARY + File.pathSeparator + folder, "Later")).redirectErrorStream(true).start();
        try (var client = new RawClient(Programs.port(process))) {
            assertEquals("later\n", client.get("/").response().text());
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** Sources of the classes {@code Snippet0} and following, around statements or around an expression. */
    private static Map<String, String> snippets(List<String> lines) {
        Map<String, String> sources = new HashMap<>();
        for (String line : lines) {
            String name = "Snippet" + sources.size();
            boolean statements = line.endsWith(";") || line.endsWith("}");
            String whole = statements ? line + " return null;" : "return " + line + ";";
            sources.put(name, HEAD.formatted(name) + whole + "\n    }\n}\n");
        }
        return sources;
    }
}

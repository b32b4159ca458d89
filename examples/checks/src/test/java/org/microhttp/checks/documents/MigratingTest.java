package org.microhttp.checks.documents;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.File;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
 * of the first table and none of the second; as they are now they compile, and the whole program runs.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Gate
final class MigratingTest {

    private static final String PAGE = Readme.read(Readme.PAGES.resolve("migrating.md"));
    private static final List<List<String>> FOUND = Readme.table(PAGE, "no longer compiles");
    private static final List<List<String>> SILENT = Readme.table(PAGE, "still compiles");
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
    void compilerFindsEachLineOfTheFirstTable() throws Exception {
        Map<String, String> before = snippets(column(FOUND, 0));
        assertFalse(before.isEmpty());
        Map<String, String> wrong = SourceCompiler.wrong(folder, LIBRARY, 17, before);
        assertEquals(Set.of(), before.keySet().stream().filter(name -> !wrong.containsKey(name))
                .map(before::get).collect(toSet()));
    }

    @Test
    void otherLinesCompile() throws Exception {
        assertFalse(SILENT.isEmpty());
        for (List<String> lines : List.of(column(FOUND, 1), column(SILENT, 0), column(SILENT, 1))) {
            assertEquals("", SourceCompiler.compile(folder, LIBRARY, 17, snippets(lines)));
        }
    }

    private static List<String> column(List<List<String>> table, int index) {
        return table.stream().map(row -> row.get(index)).toList();
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

package org.microhttp.extras;

import static org.junit.jupiter.api.Assertions.*;

import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.Readme;
import org.microhttp.testing.SourceCompiler;

/** The comment of a package shows a short program that uses it, which compiles. */
final class PackageProgramsTest {

    private static final Pattern PROGRAM = Pattern.compile("(?s)<pre>\\{@code\n(.*?)\n \\* }</pre>");
    private static final Pattern CLASS = Pattern.compile("public (class|record) (\\w+)");

    /** What an editor adds. */
    private static final String IMPORTS = """
            import java.nio.*;
            import java.nio.file.*;
            import java.time.*;
            import java.util.*;
            import java.util.concurrent.*;
            import java.util.function.*;
            import org.microhttp.*;
            """;

    private static final int MOST_LINES = 15;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"events", "uploads"})
    void theProgramOfAPackageCompiles(String name) throws Exception {
        String comment = Readme.read(Readme.ROOT.resolve(
                "examples/extras/src/main/java/org/microhttp/extras/" + name + "/package-info.java"));
        Matcher program = PROGRAM.matcher(comment);
        assertTrue(program.find(), "no program");
        String source = program.group(1).replaceAll("(?m)^ \\* ?", "");
        assertTrue(source.lines().count() <= MOST_LINES, source);
        Matcher declared = CLASS.matcher(source);
        assertTrue(declared.find(), source);
        String whole = IMPORTS + "import org.microhttp.extras." + name + ".*;\n" + source;
        String path = System.getProperty("java.class.path");
        assertEquals("", SourceCompiler.compile(folder, path, 17, Map.of(declared.group(2), whole)));
    }
}

package org.microhttp.extras;

import static org.junit.jupiter.api.Assertions.*;

import java.io.*;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.commons.annotation.Testable;
import org.microhttp.EventLoop;
import org.microhttp.extras.routing.Router;
import org.microhttp.testing.Readme;
import org.microhttp.testing.Tier;

/** The page of each package has a program, which needs what the two modules export; a test also JUnit. */
@Tier.Gate
final class PackagePagesTest {

    private static final int MOST_LINES = 15;

    private static final Pattern PROGRAM = Pattern.compile("(?s)<pre>\\{@code\n(.*?)\n \\* }</pre>");
    private static final Pattern NAME = Pattern.compile("public (?:class|record) (\\w+)");

    /** What an editor adds, where a program has none of its own. */
    private static final String IMPORTS = """
            import java.nio.*;
            import java.nio.file.*;
            import java.time.*;
            import java.util.*;
            import java.util.concurrent.*;
            import java.util.function.*;
            import org.microhttp.*;
            import %s.*;
            """;

    @TempDir
    private Path folder;

    private static Path place(Class<?> of) throws Exception {
        return Path.of(of.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    /** What the annotations of a test need. */
    private static String junit() throws Exception {
        return place(Test.class) + File.pathSeparator + place(Testable.class) + File.pathSeparator
                + place(API.class);
    }

    private static List<String> exported() throws Exception {
        ModuleDescriptor extras =
                ModuleFinder.of(place(Router.class)).find("org.microhttp.extras").orElseThrow().descriptor();
        return extras.exports().stream()
                .filter(export -> !export.isQualified())
                .map(ModuleDescriptor.Exports::source)
                .collect(Collectors.toList());
    }

    private static String program(String packageName) {
        String page = Readme.read(Readme.ROOT.resolve("examples/extras/src/main/java")
                .resolve(packageName.replace('.', '/')).resolve("package-info.java"));
        Matcher program = PROGRAM.matcher(page);
        assertTrue(program.find(), packageName + " has no program on its page");
        String text = program.group(1).replaceAll("(?m)^ \\* ?", "");
        long lines = text.lines().filter(line -> !line.isBlank()).count();
        assertTrue(lines <= MOST_LINES, packageName + ": " + lines + " lines");
        return text.contains("import ") ? text : IMPORTS.formatted(packageName) + text;
    }

    @Test
    void programsOfAllPackagesAreCompiledWithTheModulesAlone() throws Exception {
        List<String> packages = exported();
        assertFalse(packages.isEmpty());
        for (String packageName : packages) {
            String program = program(packageName);
            Matcher name = NAME.matcher(program);
            assertTrue(name.find(), packageName);
            Path source = Files.writeString(folder.resolve(name.group(1) + ".java"), program);
            String others = program.contains("@Test") ? junit() : "";
            var said = new StringWriter();
            ToolProvider.findFirst("javac").orElseThrow().run(new PrintWriter(said), new PrintWriter(said),
                    "--module-path", place(EventLoop.class) + File.pathSeparator + place(Router.class),
                    "--add-modules", "org.microhttp.extras", "-Xlint:all", "-Werror", "--release", "17",
                    "-cp", others, "-d", "" + folder.resolve("classes"), "" + source);
            assertEquals("", said.toString(), packageName);
        }
    }
}

package org.microhttp.tools;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Compiles the code of documents, and says what the compiler says. */
public final class SourceCompiler {

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    private SourceCompiler() {
    }

    /**
     * Compiles sources into a folder, where they stay; the classes on the path may be used.
     *
     * @return what is wrong; empty if nothing is, no warning either
     */
    public static String compile(Path folder, String classPath, int release, Map<String, String> sources)
            throws IOException {
        var arguments = List.of("-Xlint:all", "-Werror", "--release", "" + release, "-cp", classPath,
                "-d", folder.toString());
        // not where classes are looked for
        Path place = Files.createDirectories(folder.resolve("sources"));
        var files = new ArrayList<Path>();
        for (var source : sources.entrySet()) {
            files.add(Files.writeString(place.resolve(source.getKey() + ".java"), source.getValue()));
        }
        var said = new StringWriter();
        try (var manager = COMPILER.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            boolean compiled = COMPILER.getTask(said, manager, null, arguments, null,
                    manager.getJavaFileObjectsFromPaths(files)).call();
            return compiled ? "" : "wrong: " + said;
        }
    }
}

package org.microhttp.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import javax.tools.*;

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
        return String.join("\n", wrong(folder, classPath, release, sources).values());
    }

    /**
     * The same for sources of which each is judged, many in one run.
     *
     * @return what is wrong by the names of the sources, and by "" what is wrong with all
     */
    public static Map<String, String> wrong(Path folder, String classPath, int release,
                                            Map<String, String> sources) throws IOException {
        var arguments = List.of("-Xlint:all", "-Werror", "--release", "" + release, "-cp", classPath,
                "-d", folder.toString(), "-Xmaxerrs", "9999", "-Xmaxwarns", "9999",
                // so that an error in one source hides none in another
                "-XDshould-stop.ifError=FLOW");
        // not where classes are looked for
        Path place = Files.createDirectories(folder.resolve("sources"));
        var files = new ArrayList<Path>();
        for (var source : sources.entrySet()) {
            files.add(Files.writeString(place.resolve(source.getKey() + ".java"), source.getValue()));
        }
        var wrong = new TreeMap<String, String>();
        DiagnosticListener<JavaFileObject> listener = said -> wrong.merge(name(said), said.toString(),
                (a, b) -> a + "\n" + b);
        try (var manager = COMPILER.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            boolean compiled = COMPILER.getTask(null, manager, listener, arguments, null,
                    manager.getJavaFileObjectsFromPaths(files)).call();
            if (compiled) return Map.of();
        }
        return wrong;
    }

    private static String name(Diagnostic<? extends JavaFileObject> said) {
        return said.getSource() == null ? "" : Readme.name(Path.of(said.getSource().getName()));
    }
}

package org.microhttp.testing;

import com.sun.source.util.JavacTask;
import java.net.URI;
import java.nio.file.Path;
import java.util.*;
import java.util.stream.Collectors;
import javax.tools.*;

/** Runs the compiler on sources in memory, by the names of their classes. */
public final class SourceCompiler {

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    private SourceCompiler() {
    }

    /**
     * Compiles sources into a folder; the classes on the path may be used.
     *
     * @return what is wrong; empty if nothing is, no warning either
     */
    public static String compile(Path folder, String classPath, int release, Map<String, String> sources) {
        return String.join("\n", wrong(folder, classPath, release, sources).values());
    }

    /**
     * The same for sources of which each is judged, many in one run.
     *
     * @return what is wrong by the names of the sources, and by "" what is wrong with all
     */
    public static Map<String, String> wrong(Path folder, String classPath, int release,
                                            Map<String, String> sources) {
        var wrong = new TreeMap<String, String>();
        boolean compiled = task(said -> wrong.merge(name(said), said.toString(), (a, b) -> a + "\n" + b),
                sources, "-Xlint:all", "-Werror", "--release", "" + release, "-cp", classPath,
                "-d", folder.toString(), "-Xmaxerrs", "9999", "-Xmaxwarns", "9999",
                // so that an error in one source hides none in another
                "-XDshould-stop.ifError=FLOW").call();
        return compiled ? Map.of() : wrong;
    }

    /** A run of the compiler that has not begun. */
    public static JavacTask task(DiagnosticListener<JavaFileObject> wrong, Map<String, String> sources,
                                 String... options) {
        return (JavacTask) COMPILER.getTask(null, null, wrong, List.of(options), null,
                sources.entrySet().stream().map(SourceCompiler::file).collect(Collectors.toList()));
    }

    private static JavaFileObject file(Map.Entry<String, String> source) {
        URI name = URI.create("memory:/" + source.getKey() + ".java");
        return new SimpleJavaFileObject(name, JavaFileObject.Kind.SOURCE) {

            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source.getValue();
            }
        };
    }

    private static String name(Diagnostic<? extends JavaFileObject> said) {
        return said.getSource() == null ? "" : Readme.name(Path.of(said.getSource().getName()));
    }
}

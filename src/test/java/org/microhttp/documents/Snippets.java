package org.microhttp.documents;

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

/** Compiles sources, and says what the compiler says. */
final class Snippets {

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

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    private Snippets() {
    }

    /** A class around statements, or around an expression, which its method returns. */
    static String around(String name, String code) {
        boolean statements = code.endsWith(";") || code.endsWith("}");
        String whole = statements ? code + " return null;" : "return " + code + ";";
        return HEAD.formatted(name) + whole + "\n    }\n}\n";
    }

    /**
     * Compiles sources into a folder, where they stay; the classes on the path may be used.
     *
     * @return what is wrong; empty if nothing is, no warning either
     */
    static String compile(Path folder, Path classPath, int release, Map<String, String> sources)
            throws IOException {
        var arguments = new ArrayList<>(List.of("-Xlint:all", "-Werror", "--release", "" + release, "-cp",
                classPath.toString(), "-d", folder.toString()));
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

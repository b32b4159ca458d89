package org.microhttp.work;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import java.io.*;
import java.net.URI;
import java.util.*;
import javax.tools.*;

/** Compiles sources of the library in memory: once to know what they mean, and once with what counts. */
final class CountingCompiler {

    private static final List<String> OPTIONS = List.of("-proc:none", "-Xlint:none",
            "-cp", System.getProperty("java.class.path"));
    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    private final Map<String, ByteArrayOutputStream> classes = new HashMap<>();
    private final List<String> uncounted = new ArrayList<>();
    private final List<String> texts = new ArrayList<>();
    private int loops;

    /** Takes sources by the simple names of their classes; fails if it cannot compile them. */
    CountingCompiler(Map<String, String> sources) {
        var counted = new ArrayList<Source>();
        try (JavaFileManager files = COMPILER.getStandardFileManager(null, null, null)) {
            var units = new ArrayList<Source>();
            sources.forEach((name, text) -> units.add(new Source(uri(name + ".java"), text)));
            var messages = new StringWriter();
            var task = (JavacTask) COMPILER.getTask(messages, files, null, OPTIONS, null, units);
            Iterable<? extends CompilationUnitTree> trees = task.parse();
            task.analyze();
            check(messages);
            for (CompilationUnitTree tree : trees) {
                counted.add(count(task, tree, tree.getSourceFile()));
            }
            COMPILER.getTask(messages, new Memory(files), null, OPTIONS, null, counted).call();
            check(messages);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void check(StringWriter messages) {
        if (!messages.toString().isEmpty()) throw new IllegalStateException(messages.toString());
    }

    private Source count(JavacTask task, CompilationUnitTree tree, JavaFileObject source)
            throws IOException {
        var counted = new CountedSource(task, tree);
        loops += counted.loops();
        uncounted.addAll(counted.uncounted());
        String text = counted.text(source.getCharContent(true).toString());
        texts.add(text);
        return new Source(source.toUri(), text);
    }

    /** What was compiled, by the names of the classes. */
    Map<String, byte[]> classes() {
        var compiled = new HashMap<String, byte[]>();
        classes.forEach((name, bytes) -> compiled.put(name, bytes.toByteArray()));
        return compiled;
    }

    /** The sources with what counts. */
    List<String> texts() {
        return texts;
    }

    int loops() {
        return loops;
    }

    /** What is in the sources and cannot be counted. */
    List<String> uncounted() {
        return uncounted;
    }

    private static URI uri(String name) {
        return URI.create("memory:/" + name);
    }

    private static final class Source extends SimpleJavaFileObject {

        final String text;

        Source(URI uri, String text) {
            super(uri, Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private final class Memory extends ForwardingJavaFileManager<JavaFileManager> {

        Memory(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(Location location, String name, JavaFileObject.Kind kind,
                                                   FileObject sibling) {
            return new SimpleJavaFileObject(uri(name), kind) {
                @Override
                public OutputStream openOutputStream() {
                    var bytes = new ByteArrayOutputStream();
                    classes.put(name, bytes);
                    return bytes;
                }
            };
        }
    }
}

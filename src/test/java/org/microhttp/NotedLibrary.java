package org.microhttp;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Map;
import org.microhttp.testing.Mutation;
import org.microhttp.testing.Readme;
import org.microhttp.testing.SourceCompiler;

/**
 * The library with a {@link Connection} that notes its changes of state in {@link SeenEdges}. That class is
 * compiled from its source with one call more, into a folder that comes first on the class path of another
 * JVM, or of a class loader of its own.
 */
public final class NotedLibrary implements AutoCloseable {

    /** Fails if the state is assigned at two places. */
    private static final Mutation NOTE =
            Mutation.parse("Connection set state => SeenEdges.note(@ConnectionState, $)");
    private static final String SOURCE = "src/main/java/org/microhttp/Connection.java";
    private static final String CLASS_PATH = System.getProperty("java.class.path");
    private static final int RELEASE = 17;

    private final URLClassLoader loader;

    /** In a folder that {@link #classPath} has made. */
    NotedLibrary(String classPath) throws IOException {
        String[] paths = classPath.split(File.pathSeparator);
        var urls = new URL[paths.length];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = Path.of(paths[i]).toUri().toURL();
        }
        loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
    }

    /** Compiles it into the folder, and gives the class path of this JVM with that before all else. */
    public static String classPath(Path folder) throws IOException {
        String source = NOTE.applyTo(Readme.read(Readme.ROOT.resolve(SOURCE)));
        String wrong = SourceCompiler.compile(folder, CLASS_PATH, RELEASE, Map.of("Connection", source));
        if (!wrong.isEmpty()) throw new IllegalStateException(wrong);
        return folder + File.pathSeparator + CLASS_PATH;
    }

    /** Compiles it into a folder, and prints the class path with it. */
    public static void main(String[] arguments) throws IOException {
        System.out.println(classPath(Path.of(arguments[0])));
    }

    /** An object of a test class that uses this library; its caller knows it by an interface of the JDK. */
    @SuppressWarnings("unchecked")
    <T> T twin(Class<? extends T> type) throws ReflectiveOperationException {
        var constructor = loader.loadClass(type.getName()).getDeclaredConstructor();
        constructor.setAccessible(true);
        return (T) constructor.newInstance();
    }

    @Override
    public void close() throws IOException {
        loader.close();
    }
}

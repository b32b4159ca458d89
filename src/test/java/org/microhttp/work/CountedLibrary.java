package org.microhttp.work;

import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.stream.Stream;
import org.microhttp.testing.*;

/**
 * The library compiled from its {@link CountedSource counted sources}. It lives beside the one under test, in
 * a class loader of its own, with {@link #twin twins} of test classes that use it:
 * <pre>
 *   ObjIntConsumer&lt;byte[]&gt; parser = library.twin(ParsesInPieces.class);
 *   long work = library.work(() -> parser.accept(bytes, 1));
 * </pre>
 */
public final class CountedLibrary {

    private static final Map<String, String> SOURCES = Readme.sourcesByName("src/main/java");
    private static CountedLibrary whole;

    private final Map<String, byte[]> classes;
    private final ClassLoader loader = new Twins();

    private CountedLibrary(Map<String, byte[]> classes) {
        this.classes = classes;
        classes.keySet().forEach(this::initialize);
    }

    /** The library as its sources are; compiled once. */
    public static synchronized CountedLibrary get() {
        if (whole == null) {
            whole = new CountedLibrary(compiled(SOURCES));
        }
        return whole;
    }

    /** The library with a fault. */
    public CountedLibrary with(Mutation fault) {
        var all = new HashMap<>(classes);
        all.putAll(compiled(Map.of(fault.type(), fault.applyTo(SOURCES.get(fault.type())))));
        return new CountedLibrary(all);
    }

    /** An object of a test class that uses this library; its caller knows it by an interface of the JDK. */
    @SuppressWarnings("unchecked")
    public <T> T twin(Class<? extends T> type) {
        try {
            var constructor = initialize(type.getName()).getDeclaredConstructor();
            constructor.setAccessible(true);
            return (T) constructor.newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** How many steps the library does for that; fails when they are more than any bound. */
    public long work(Runnable use) {
        return Work.of(use);
    }

    private static Map<String, byte[]> compiled(Map<String, String> sources) {
        var classes = new HashMap<String, byte[]>();
        try {
            Path folder = Files.createTempDirectory("counted");
            CountedSource.compile(sources, folder);
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    String name = folder.relativize(file).toString().replaceFirst("\\.class$", "");
                    classes.put(name.replace(File.separatorChar, '.'), Files.readAllBytes(file));
                }
            }
            TemporaryFolder.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return classes;
    }

    /** At once, so that what a class does when it begins is nobody's work. */
    private Class<?> initialize(String name) {
        try {
            return Class.forName(name, true, loader);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Loads the library as it was compiled here, and the tests that use it as they are. */
    private final class Twins extends ClassLoader {

        Twins() {
            super(CountedLibrary.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            boolean shared = !name.startsWith("org.microhttp.") || name.equals(Work.class.getName());
            if (shared) return super.loadClass(name, resolve);
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? findClass(name) : loaded;
            }
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (file == null) throw new ClassNotFoundException(name);
                byte[] bytes = classes.containsKey(name) ? classes.get(name) : file.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}

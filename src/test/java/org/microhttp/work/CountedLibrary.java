package org.microhttp.work;

import java.io.*;
import java.util.*;
import org.microhttp.testing.Mutation;
import org.microhttp.testing.Readme;

/**
 * The library compiled from its sources so that it counts its work, whatever code that is. It lives beside
 * the one under test, in a class loader of its own, with {@link #twin twins} of test classes that use it:
 * <pre>
 *   ObjIntConsumer&lt;byte[]&gt; parser = library.twin(ParsesInPieces.class);
 *   long work = library.work(() -> parser.accept(bytes, 1));
 * </pre>
 */
public final class CountedLibrary {

    private static CountingCompiler compiler;
    private static CountedLibrary whole;

    private final Map<String, byte[]> classes;
    private final ClassLoader loader = new Twins();

    private CountedLibrary(Map<String, byte[]> classes) {
        this.classes = classes;
        for (String name : classes.keySet()) {
            initialize(name);
        }
    }

    /** The library as its sources are; compiled once. */
    public static synchronized CountedLibrary get() {
        if (whole == null) {
            whole = new CountedLibrary(compiler().classes());
        }
        return whole;
    }

    static synchronized CountingCompiler compiler() {
        if (compiler == null) {
            compiler = new CountingCompiler(sources());
        }
        return compiler;
    }

    /** The sources of the library's classes, by their simple names. */
    static Map<String, String> sources() {
        var sources = new TreeMap<String, String>();
        Readme.sources("src/main/java").forEach(file -> sources.put(Readme.name(file), Readme.read(file)));
        sources.keySet().removeIf(name -> name.endsWith("-info"));
        return sources;
    }

    /** The library with a fault. */
    public CountedLibrary with(Mutation fault) {
        var all = new HashMap<>(classes);
        String changed = fault.applyTo(sources().get(fault.type()));
        all.putAll(new CountingCompiler(Map.of(fault.type(), changed)).classes());
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

    /** At once, so that what a class does when it begins is nobody's work. */
    private Class<?> initialize(String name) {
        try {
            return Class.forName(name, true, loader);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Loads the library as it was compiled here, and all that uses it as the tests have it. */
    private final class Twins extends ClassLoader {

        private static final String LIBRARY = "org.microhttp.";

        Twins() {
            super(CountedLibrary.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(LIBRARY) || name.equals(Work.class.getName())) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? define(name) : loaded;
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            byte[] bytes = classes.containsKey(name) ? classes.get(name) : read(name);
            return defineClass(name, bytes, 0, bytes.length);
        }

        private byte[] read(String name) throws ClassNotFoundException {
            try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (file == null) throw new ClassNotFoundException(name);
                return file.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}

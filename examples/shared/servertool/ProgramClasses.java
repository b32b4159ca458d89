package servertool;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.stream.Stream;

/**
 * Loads the classes of a program that lie in folders, before it serves: out of descriptors no class can be
 * loaded from there, and one that could not be is never tried again. Those of a jar need no descriptor.
 */
final class ProgramClasses {

    private static final String SUFFIX = ".class";

    /** Its packages load their classes themselves. */
    private static final String LIBRARY = "org.";

    private ProgramClasses() {
    }

    /**
     * Loads all of each package that a class was loaded of, from where a class is.
     *
     * @throws IOException if a folder cannot be read
     */
    static void load(Class<?> one) throws IOException {
        CodeSource source = one.getProtectionDomain().getCodeSource();
        Path root = source == null ? null : folder(source);
        if (root == null) {
            return;
        }
        for (Package known : one.getClassLoader().getDefinedPackages()) {
            Path folder = root.resolve(known.getName().replace('.', '/'));
            if (!known.getName().startsWith(LIBRARY) && Files.isDirectory(folder)) {
                load(one.getClassLoader(), known.getName(), folder);
            }
        }
    }

    /** Null for a jar. */
    private static Path folder(CodeSource source) {
        try {
            Path place = Path.of(source.getLocation().toURI());
            return Files.isDirectory(place) ? place : null;
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void load(ClassLoader loader, String name, Path folder) throws IOException {
        List<String> classes;
        try (Stream<Path> files = Files.list(folder)) {
            classes = files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(SUFFIX) && !file.contains("-"))
                    .toList();
        }
        for (String file : classes) {
            try {
                Class.forName(name + "." + file.substring(0, file.length() - SUFFIX.length()), false, loader);
            } catch (ClassNotFoundException e) {
                throw new IOException("the class " + file + " of " + folder + " cannot be loaded", e);
            }
        }
    }
}

package org.microhttp.tools.servertool;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * Loads the classes of a program that lie in folders, before it serves: out of descriptors no class can be
 * loaded from there, and one that could not be is never tried again. Those of a jar need no descriptor.
 */
final class ProgramClasses {

    private static final String SUFFIX = ".class";

    /** Its packages load their classes themselves. */
    private static final String LIBRARY = "org.microhttp";

    private ProgramClasses() {
    }

    /**
     * Loads all of each package that a class was loaded of, from the folders where they are.
     *
     * @throws IOException if a folder cannot be read
     */
    static void load(Class<?> one) throws IOException {
        ClassLoader loader = one.getClassLoader();
        for (Package known : loader.getDefinedPackages()) {
            String name = known.getName();
            if (name.equals(LIBRARY) || name.isEmpty()) continue;
            for (URL place : Collections.list(loader.getResources(name.replace('.', '/')))) {
                // a jar is open already
                if (place.getProtocol().equals("file")) load(loader, name, folder(place));
            }
        }
    }

    private static Path folder(URL place) {
        try {
            return Path.of(place.toURI());
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

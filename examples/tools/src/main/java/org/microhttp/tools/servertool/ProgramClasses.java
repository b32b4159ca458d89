package org.microhttp.tools.servertool;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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
     * Loads all classes that lie in one folder with {@code one}, and all of each other package that a class
     * was loaded of.
     *
     * @throws IOException if a folder cannot be read
     */
    static void load(Class<?> one) throws IOException {
        ClassLoader loader = one.getClassLoader();
        for (String name : packages(one)) {
            for (URL place : Collections.list(loader.getResources(name.replace('.', '/')))) {
                // a jar is open already
                if (place.getProtocol().equals("file")) load(loader, name, folder(place));
            }
        }
    }

    private static Set<String> packages(Class<?> one) throws IOException {
        Set<String> names = new TreeSet<>();
        for (Package known : one.getClassLoader().getDefinedPackages()) {
            names.add(known.getName());
        }
        Path own = folder(one.getProtectionDomain().getCodeSource().getLocation());
        if (Files.isDirectory(own)) {
            try (Stream<Path> files = Files.walk(own)) {
                files.filter(file -> file.toString().endsWith(SUFFIX))
                        .map(file -> own.relativize(file.getParent()).toString())
                        .map(folder -> folder.replace(File.separatorChar, '.'))
                        .forEach(names::add);
            }
        }
        names.remove(LIBRARY);
        // the descriptor of the module
        names.remove("");
        return names;
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

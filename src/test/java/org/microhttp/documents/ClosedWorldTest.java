package org.microhttp.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.microhttp.EventLoop;
import org.microhttp.testing.Programs;

/**
 * The library looks nothing up by name that it cannot do without, so a native image of a program needs no
 * metadata for it.
 */
final class ClosedWorldTest {

    /** Methods and classes that find classes, members, resources or services by a name. */
    private static final Pattern BY_NAME = Pattern.compile("forName|loadClass|findClass|defineClass"
            + "|get(Declared)?(Method|Field|Constructor)s?|find(Virtual|Static|Special|Constructor|VarHandle)"
            + "|getResource(AsStream)?|newProxyInstance|java/util/(ServiceLoader|ResourceBundle)"
            + "|java/io/ObjectInputStream");

    /** Virtual threads; if they are not found, there are others. */
    private static final List<String> DISPENSABLE = List.of("BlockingThreads.class: findStatic");

    @Test
    void nothingIsLookedUpByName() throws IOException {
        var found = new ArrayList<String>();
        List<Path> classes;
        try (Stream<Path> files = Files.walk(Programs.location(EventLoop.class))) {
            classes = files.filter(file -> file.toString().endsWith(".class")).toList();
        }
        assertFalse(classes.isEmpty());
        for (Path file : classes) {
            // names are constants of a class file, after their length in two bytes
            String constants = Files.readString(file, StandardCharsets.ISO_8859_1);
            var names = Pattern.compile("\\x01(..)([\\w/$]+)", Pattern.DOTALL).matcher(constants);
            while (names.find()) {
                String name = names.group(2);
                boolean whole = names.group(1).charAt(1) == name.length() % 256;
                if (whole && BY_NAME.matcher(name).matches()) found.add(file.getFileName() + ": " + name);
            }
        }
        assertEquals(DISPENSABLE, found, "A native image does not know what is looked up by name.");
    }
}

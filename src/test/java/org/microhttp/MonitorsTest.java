package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.microhttp.testing.Programs;
import org.microhttp.testing.Readme;
import org.microhttp.testing.SourceText;

/**
 * The server waits for no monitor that a program can hold: a program may use every object it is given, or
 * gives, in {@code synchronized}, and for as long as it likes.
 */
final class MonitorsTest {

    /** All classes of the library, also those in others. */
    private static List<Class<?>> classes() throws IOException {
        Path root = Programs.location(EventLoop.class);
        try (Stream<Path> files = Files.walk(root.resolve("org"))) {
            return files.map(file -> root.relativize(file).toString().replace('/', '.'))
                    .filter(name -> name.endsWith(".class") && !name.endsWith("package-info.class"))
                    .<Class<?>>map(name -> load(name.replaceFirst("\\.class$", ""))).toList();
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, MonitorsTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A program is given an object only as what it may know: a type of the API or of the JDK. */
    private static boolean canBeGiven(Class<?> type) {
        return Modifier.isPublic(type.getModifiers()) || type.getSuperclass() != Object.class
                || type.getInterfaces().length > 0;
    }

    @Test
    void noMethodOfAnExposedObjectIsSynchronized() throws Exception {
        var taken = new ArrayList<String>();
        List<Class<?>> classes = classes();
        for (Class<?> type : classes) {
            for (Method method : type.getDeclaredMethods()) {
                boolean monitor = Modifier.isSynchronized(method.getModifiers());
                if (monitor && canBeGiven(type)) taken.add(type.getSimpleName() + "." + method.getName());
            }
        }
        assertTrue(classes.contains(Exchange.class), classes::toString);
        assertEquals(List.of(), taken);
    }

    /** So there is no other object to be judged than those of synchronized methods. */
    @Test
    void noStatementTakesAMonitor() {
        assertEquals(List.of(), Readme.sources("src/main/java").stream().filter(file -> SourceText
                .withoutText(Readme.read(file)).matches("(?s).*\\bsynchronized\\s*\\(.*")).toList());
    }
}

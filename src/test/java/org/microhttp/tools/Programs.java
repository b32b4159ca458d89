package org.microhttp.tools;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The programs of this machine that tests use where they are installed. */
public final class Programs {

    /** The Java of this JVM. */
    public static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();

    /** Flags for a JVM that lives for seconds: what it compiles it compiles once, and with one thread. */
    public static final List<String> SHORT = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    public static final String PATH = System.getenv().getOrDefault("PATH", "");

    private Programs() {
    }

    /** Lets a JVM that this starts have no options but those of its command; it would also print them. */
    public static ProcessBuilder withoutJavaOptions(ProcessBuilder builder) {
        builder.environment().keySet()
                .removeAll(Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"));
        return builder;
    }

    /** A number that a program is given as an argument, or the other one. */
    public static int number(String[] arguments, int index, int otherwise) {
        return arguments.length > index ? Integer.parseInt(arguments[index]) : otherwise;
    }

    public static boolean isInstalled(String program) {
        return Pattern.compile(File.pathSeparator).splitAsStream(PATH)
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}

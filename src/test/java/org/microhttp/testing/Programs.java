package org.microhttp.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.*;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The programs of this machine that tests use where they are installed. */
public final class Programs {

    /** The Java of this JVM. */
    public static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();

    /** Flags for a JVM that lives for seconds: what it compiles it compiles once, and with one thread. */
    public static final List<String> SHORT = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    public static final String PATH = System.getenv().getOrDefault("PATH", "");

    private static final Pattern PORT = Pattern.compile(
            ".*(?: event=listen local_address=\\S*:|listening on port |listening on localhost:)(\\d+)");

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

    /** Runs a program in the folder of the project, and gives what it says; fails unless it ends so. */
    public static String run(int status, String... command) throws IOException, InterruptedException {
        Process process = withoutJavaOptions(new ProcessBuilder(command)).directory(Readme.ROOT.toFile())
                .redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(status, process.waitFor(), () -> String.join(" ", command) + " says\n" + said);
        return said;
    }

    /** Where a class was compiled to. */
    public static Path location(Class<?> type) {
        return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
    }

    /** Reads what a program says until it says where it listens, in a line of its own or in the event. */
    public static int port(Process process) throws IOException {
        BufferedReader output = process.inputReader(StandardCharsets.ISO_8859_1);
        var said = new StringBuilder();
        for (String line; (line = output.readLine()) != null; said.append(line).append('\n')) {
            Matcher port = PORT.matcher(line);
            if (port.matches()) return Integer.parseInt(port.group(1));
        }
        throw new AssertionError("it ended: " + said);
    }

    public static boolean isInstalled(String program) {
        return Pattern.compile(File.pathSeparator).splitAsStream(PATH)
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}

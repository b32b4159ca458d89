package org.microhttp.documents;

import static java.util.stream.Collectors.toMap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.microhttp.tools.Programs;
import org.microhttp.tools.Readme;

/**
 * What the page on conformance says is kept would be noticed if it were not: of requirements that are drawn
 * by a seed each is broken in a copy of the project, where the test that the page names has to fail, which
 * passes without the fault, as the build shows. Not run by Maven, which it uses:
 * <pre>
 *   src/test/full FullPlanted [lines] [seed]
 * </pre>
 */
final class FullPlanted {

    private static final int LINES = 30;
    private static final int SEED = 1;
    private static final String SOURCES = "src/main/java";
    private static final String CLASSES = "target/classes";

    private final Path copy;
    private final Map<String, String> tests = Requirement.all().stream()
            .collect(toMap(Requirement::paragraph, Requirement::test));

    private FullPlanted(Path copy) {
        this.copy = copy;
    }

    public static void main(String[] arguments) throws Exception {
        List<PlantedFault> faults = new ArrayList<>(PlantedFault.all());
        Collections.shuffle(faults, new Random(Programs.number(arguments, 1, SEED)));
        Path folder = Files.createTempDirectory("planted");
        boolean kept = true;
        try {
            var planted = new FullPlanted(folder);
            for (String part : List.of("pom.xml", ".mvn", "src", "examples", "target/classes",
                    "target/test-classes")) {
                copy(Readme.ROOT.resolve(part), folder.resolve(part));
            }
            int lines = Math.min(Programs.number(arguments, 0, LINES), faults.size());
            for (PlantedFault fault : faults.subList(0, lines)) {
                kept &= planted.isNoticed(fault);
            }
        } finally {
            delete(folder);
        }
        System.out.println(kept ? "kept" : "BROKEN");
        System.exit(kept ? 0 : 1);
    }

    private boolean isNoticed(PlantedFault fault) throws IOException, InterruptedException {
        String test = tests.get(fault.paragraph());
        Path source = copy.resolve(SOURCES + "/org/microhttp/" + fault.file());
        Files.writeString(source, fault.plantedSource());
        compile(source);
        boolean noticed = fails(test);
        copy(Readme.ROOT.resolve(SOURCES), copy.resolve(SOURCES));
        delete(copy.resolve(CLASSES));
        copy(Readme.ROOT.resolve(CLASSES), copy.resolve(CLASSES));
        System.out.printf("%-16s %s: %s%n", fault.paragraph(), test,
                noticed ? "notices it" : "DOES NOT NOTICE IT");
        return noticed;
    }

    private void compile(Path source) {
        int status = ToolProvider.getSystemJavaCompiler().run(null, null, null, "--release", "17", "-d",
                copy.resolve(CLASSES).toString(), "-sourcepath", copy.resolve(SOURCES).toString(),
                source.toString());
        if (status != 0) throw new IllegalStateException(source + " does not compile");
    }

    /** Where there is no such test is an exception, as is whatever else Maven says. */
    private boolean fails(String test) throws IOException, InterruptedException {
        Process maven = Programs.withoutJavaOptions(new ProcessBuilder("mvn", "-q", "-B", "-o",
                "surefire:test@default-test", "-Dtest=" + test.replace('.', '#'), "-DforkCount=1"))
                .directory(copy.toFile()).redirectErrorStream(true).start();
        String output = new String(maven.getInputStream().readAllBytes());
        if (maven.waitFor() == 0) return false;
        if (!output.contains("surefire-reports") || output.contains("No tests")) {
            throw new IllegalStateException(output);
        }
        return true;
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> paths = Files.walk(from)) {
            for (Path path : paths.toList()) {
                Path target = to.resolve(from.relativize(path).toString());
                Files.createDirectories(target.getParent());
                if (!Files.isDirectory(path)) {
                    Files.copy(path, target, StandardCopyOption.REPLACE_EXISTING,
                            StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}

package org.microhttp.checks.documents;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.microhttp.testing.Mutation;
import org.microhttp.testing.Readme;

/**
 * A fault to plant in the library. The file {@code planted.txt} has one for each requirement that is kept,
 * {@code planted-streams.txt}, {@code planted-uploads.txt} and {@code planted-upgrades.txt} have those of
 * streamed bodies and of other protocols.
 *
 * @param name the paragraph of the requirement; or what goes wrong
 */
record PlantedFault(String name, Mutation mutation) {

    private static final Path RESOURCES = Readme.ROOT.resolve("src/test/resources");
    private static final Map<String, String> SOURCES = Readme.sourcesByName("src/main/java");

    /** All that break a requirement, in their order. */
    static List<PlantedFault> all() {
        return read("planted.txt");
    }

    static List<PlantedFault> ofStreams() {
        return read("planted-streams.txt");
    }

    static List<PlantedFault> ofUploads() {
        return read("planted-uploads.txt");
    }

    static List<PlantedFault> ofUpgrades() {
        return read("planted-upgrades.txt");
    }

    private static List<PlantedFault> read(String file) {
        String text = Readme.read(RESOURCES.resolve(file));
        return Arrays.stream(text.split("\n(?! )")).filter(line -> !line.startsWith("#"))
                .map(line -> line.replaceAll("\\s*\n +", " ").split(": ", 2))
                .map(parts -> new PlantedFault(parts[0], Mutation.parse(parts[1]))).toList();
    }

    /** The source with the fault. */
    String source() {
        return mutation.applyTo(SOURCES.get(mutation.type()));
    }

    @Override
    public String toString() {
        return name + ": " + mutation;
    }
}

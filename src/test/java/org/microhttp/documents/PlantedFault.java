package org.microhttp.documents;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.microhttp.tools.Mutation;
import org.microhttp.tools.Readme;

/**
 * A fault to plant in the library, which breaks one requirement. The file {@code planted.txt} has them.
 *
 * @param paragraph of the requirement
 */
record PlantedFault(String paragraph, Mutation mutation) {

    static final Path FILE = Readme.ROOT.resolve("src/test/resources/planted.txt");
    private static final Path SOURCES = Readme.ROOT.resolve("src/main/java/org/microhttp");

    /** All that there are, in their order. */
    static List<PlantedFault> all() {
        return Arrays.stream(Readme.read(FILE).split("\n(?! )")).filter(line -> !line.startsWith("#"))
                .map(line -> line.replaceAll("\\s*\n +", " ").split(": ", 2))
                .map(parts -> new PlantedFault(parts[0], Mutation.parse(parts[1]))).toList();
    }

    /** The source with the fault. */
    String source() {
        return mutation.applyTo(Readme.read(SOURCES.resolve(mutation.type() + ".java")));
    }

    @Override
    public String toString() {
        return paragraph + ": " + mutation;
    }
}

package org.microhttp.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Where the figures of every round go: as they are measured, and at the end. Null for nowhere. */
public record ResultPlace(Path meanwhile, Path kept) {

    /** Where a result may be written. */
    public interface Result { void write(Path file) throws IOException; }

    /** What is measured for the pages of the project. */
    private static final String RESULTS = "src/jmh/results";

    /** Where a result goes that is a part alone, or is not whole yet; gone with all that was compiled. */
    private static final String PARTS = "target/jmh";

    /**
     * Where {@code --result} says, otherwise among the pages of the project; those are made of the whole set
     * alone, so it must not be brief, and none of the choices that make it a part may have been given.
     */
    public static ResultPlace of(Map<String, String> given, List<String> choices, boolean briefly,
                                 Path project, String name) {
        String asked = Usage.take(given, "--result", null);
        if (asked != null) return new ResultPlace(Path.of(asked), Path.of(asked));
        if (briefly) return new ResultPlace(null, null);
        Path part = project.resolve(PARTS).resolve(name);
        boolean whole = Collections.disjoint(given.keySet(), choices);
        return new ResultPlace(part, whole ? project.resolve(RESULTS).resolve(name) : part);
    }

    public void write(Result measured) throws IOException {
        if (meanwhile != null) measured.write(meanwhile);
    }

    /** All is measured. */
    public void keep() throws IOException {
        if (kept == null) return;
        if (!kept.equals(meanwhile)) Files.move(meanwhile, kept, StandardCopyOption.REPLACE_EXISTING);
        System.out.println("\nthe figures of every round are in " + kept);
    }
}

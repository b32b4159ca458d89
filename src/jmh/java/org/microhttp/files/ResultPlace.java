package org.microhttp.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Where the figures of every round go: as they are measured, and at the end. Null for nowhere. */
record ResultPlace(Path meanwhile, Path kept) {

    /** What is measured for the pages of the project. */
    static final String RESULT = "src/jmh/results/files.tsv";

    /** Where a result goes that is a part alone, or is not whole yet; gone with all that was compiled. */
    static final String PART = "target/jmh/files.tsv";

    static ResultPlace asked(Path file) { return new ResultPlace(file, file); }

    /** The project's pages are made of the whole set alone. */
    static ResultPlace of(Path project, boolean whole) {
        Path part = project.resolve(PART);
        return new ResultPlace(part, whole ? project.resolve(RESULT) : part);
    }

    static ResultPlace none() { return new ResultPlace(null, null); }

    void write(FileComparison measured) throws IOException {
        if (meanwhile != null) measured.write(meanwhile);
    }

    /** All is measured. */
    void keep() throws IOException {
        if (kept == null) return;
        if (!kept.equals(meanwhile)) Files.move(meanwhile, kept, StandardCopyOption.REPLACE_EXISTING);
        System.out.println("\nthe figures of every round are in " + kept);
    }
}

package org.microhttp.documents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.microhttp.tools.Readme;

/** A project with results of its own, and the page that {@code src/jmh/report} makes of them. */
record ReportedProject(Path folder) {

    static final String PAGE = "src/jmh/README.md";
    static final String RESULTS = "src/jmh/results/";

    /** With a page that has a place for the results of this name. */
    static ReportedProject write(Path folder, String place) throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no bash");
        var project = new ReportedProject(folder);
        Files.createDirectories(folder.resolve(RESULTS));
        // the report is of all results, and begins with those that are always there
        String always = RESULTS + "comparison.tsv";
        Files.copy(Readme.ROOT.resolve(always), folder.resolve(always));
        project.write(PAGE, place("comparison") + "before\n" + place(place));
        return project;
    }

    private static String place(String name) {
        return "<!-- " + name + " -->\n<!-- /" + name + " -->\n";
    }

    /** Rows have columns for the eye. */
    void writeResult(String name, String facts, String rows) throws IOException {
        write(RESULTS + name, facts + rows.replaceAll(" +", "\t"));
    }

    void write(String file, String text) throws IOException {
        Files.writeString(folder.resolve(file), text);
    }

    /** The page. */
    String report() throws Exception {
        var builder = new ProcessBuilder("bash", "src/jmh/report").redirectErrorStream(true);
        builder.environment().put("FOLDER", folder.toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertEquals(0, process.waitFor(), output);
        return read(PAGE);
    }

    String read(String file) { return Readme.read(folder.resolve(file)); }
}

package org.microhttp.checks.documents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.microhttp.testing.Readme;

/** A project with our pages and results of its own, of which {@code src/jmh/report} makes tables. */
record ReportedProject(Path folder) {

    static final String PAGE = "src/jmh/README.md";
    static final String RESULTS = "src/jmh/results/";

    /** With pages that have a place for each table. */
    static ReportedProject write(Path folder) throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no bash");
        Files.createDirectories(folder.resolve(RESULTS));
        for (String page : List.of(PAGE, RESULTS + "files.md", RESULTS + "archive.md")) {
            Files.copy(Readme.ROOT.resolve(page), folder.resolve(page));
        }
        return new ReportedProject(folder);
    }

    /** Rows have columns for the eye. */
    void writeResult(String name, String facts, String rows) throws IOException {
        write(RESULTS + name, facts + rows.replaceAll(" +", "\t"));
    }

    void write(String file, String text) throws IOException {
        Files.createDirectories(folder.resolve(file).getParent());
        Files.writeString(folder.resolve(file), text);
    }

    /** {@return a page, with the tables of the results} */
    String report(String page) throws Exception {
        assertReports(0, null);
        return read(page);
    }

    /** Whether the command ends with a status and says no more, or less, than expected, which may be null. */
    void assertReports(int status, String expected, String... arguments) throws Exception {
        var builder = new ProcessBuilder("bash", "src/jmh/report").redirectErrorStream(true);
        builder.command().addAll(List.of(arguments));
        builder.environment().put("FOLDER", folder.toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertEquals(status, process.waitFor(), output);
        if (expected != null) assertEquals(expected, output);
    }

    /** Whether a page has each of these rows, or parts of a table. */
    static void assertHas(String page, String... rows) {
        for (String row : rows) assertTrue(page.contains("\n" + row + "\n"), row + " in " + page);
    }

    /** {@return what is in the place of this name} */
    static String place(String page, String name) {
        String begin = "<!-- " + name + " -->\n";
        int from = page.indexOf(begin) + begin.length();
        return page.substring(from, page.indexOf("<!-- /" + name + " -->", from)).strip();
    }

    String read(String file) { return Readme.read(folder.resolve(file)); }
}

package org.microhttp.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A result file: lines {@code # key: value} that say what was measured on what, and the rows of a table. */
public record ResultFile(Map<String, String> facts, List<String> rows) {

    public static ResultFile read(Path file) throws IOException {
        Map<String, String> facts = new LinkedHashMap<>();
        List<String> rows = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            String[] fact = line.split(": ", 2);
            if (line.startsWith("# ")) {
                facts.put(fact[0].substring(2), fact[1]);
            } else {
                rows.add(line);
            }
        }
        return new ResultFile(facts, rows);
    }

    public void write(Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        facts.forEach((key, value) -> lines.add("# " + key + ": " + value));
        lines.addAll(rows);
        Files.write(file, lines);
    }

    /** What a figure means nothing without, and how it was measured. */
    public static String measured(Map<String, String> facts, String how) {
        return "Measured " + fact(facts, "date") + " at commit " + fact(facts, "commit") + ", " + how
                + ".\nMachine: " + fact(facts, "machine") + ", " + fact(facts, "kernel") + ",\n"
                + fact(facts, "jdk") + ".\n";
    }

    public static String fact(Map<String, String> facts, String key) {
        return facts.getOrDefault(key, "unknown");
    }
}
